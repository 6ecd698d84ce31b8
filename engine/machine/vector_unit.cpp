#include "engine/machine/vector_unit.h"

#include "engine/machine/price.h"

namespace tpulab {

namespace {

constexpr std::int64_t rows_per_block = 8;

double lane_reduction_clocks(const VectorWork& work, const Generation& generation) {
  const bool over_lanes = work.reduced_axis >= 0 && work.reduced_axis == work.shape.rank() - 1;
  if (!over_lanes || work.shape.elements() == 0) return 0;
  const std::int64_t rows = work.shape.elements() / work.shape.at(-1);
  const std::int64_t blocks = (rows + rows_per_block - 1) / rows_per_block;
  return static_cast<double>(blocks) * generation.lane_reduction_clocks;
}

}  // namespace

double vector_clocks(const VectorWork& work, const Generation& generation) {
  const std::int64_t padded = padded_bytes(work.shape, DType::f32).value / bytes_of(DType::f32);
  const double slots = work.cheap + work.medium * generation.medium_clocks +
                       work.transcendental * generation.transcendental_clocks;
  return static_cast<double>(padded) * slots / generation.vector_lanes +
         lane_reduction_clocks(work, generation);
}

}  // namespace tpulab
