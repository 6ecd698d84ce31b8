#include "engine/machine/matrix_unit.h"

#include <algorithm>

namespace tpulab {

namespace {

std::int64_t tiles(std::int64_t extent, std::int64_t side) { return (extent + side - 1) / side; }

Streaming streaming(const MatrixWork& work, std::int64_t streamed, std::int64_t width,
                    const Generation& generation) {
  const auto side = static_cast<std::int64_t>(generation.matrix_side);
  const auto units = static_cast<std::int64_t>(generation.matrix_units);
  const std::int64_t sublanes = sublanes_of(work.operand);
  const std::int64_t column_tiles = work.batch * tiles(width, side);
  const std::int64_t depth = tiles(work.k, side) * work.passes;
  Streaming result;
  result.rows = tiles(streamed, sublanes) * sublanes;
  result.folds = tiles(column_tiles, units) * depth;
  result.columns = column_tiles * depth;
  result.clocks = double_buffered_clocks(result.rows, result.folds, side);
  return result;
}

}  // namespace

std::int64_t sublanes_of(DType dtype) { return 32 / bytes_of(dtype); }

double double_buffered_clocks(std::int64_t rows, std::int64_t folds, std::int64_t side) {
  if (rows <= 0 || folds <= 0) return 0;
  const std::int64_t fill = 2 * side - 1;
  const std::int64_t drain = 2 * side - 2;
  return static_cast<double>(fill + (folds - 1) * std::max(rows, side) + drain + rows);
}

double simple_systolic_clocks(std::int64_t m, std::int64_t k, std::int64_t n, std::int64_t side) {
  return static_cast<double>(tiles(k, side) * tiles(n, side) * (3 * side + m - 2));
}

Streaming cheapest_streaming(const MatrixWork& work, const Generation& generation) {
  const Streaming stream_m = streaming(work, work.m, work.n, generation);
  const Streaming stream_n = streaming(work, work.n, work.m, generation);
  return stream_n.clocks < stream_m.clocks ? stream_n : stream_m;
}

}  // namespace tpulab
