#include "engine/session/answers/product_rows.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "engine/machine/matrix_unit.h"

namespace tpulab {

namespace {

std::int64_t up_to(std::int64_t extent, std::int64_t multiple) {
  return (extent + multiple - 1) / multiple * multiple;
}

// As the array takes them.
std::string operands_of(const MatrixWork& work, const Generation& generation) {
  if (!takes_bytes(work, generation)) return std::string(name_of(work.operand));
  return work.quantised ? "int8" : "fp8";
}

ProductTiles tiles_of(const MatrixWork& work, const Generation& generation) {
  const Streaming streaming = cheapest_streaming(work, generation);
  const auto side = static_cast<std::int64_t>(generation.matrix_side);
  const bool m = streaming.streams_m;
  const std::int64_t rows = m ? work.m : work.n;
  const std::int64_t width = m ? work.n : work.m;
  ProductTiles tiles{.batch = work.batch,
                     .m = work.m,
                     .k = work.k,
                     .n = work.n,
                     .operands = operands_of(work, generation),
                     .passes = work.passes,
                     .side = side,
                     .units = static_cast<std::int64_t>(generation.matrix_units)};
  tiles.streamed = {m ? "m" : "n", rows, up_to(rows, sublanes_of(work.operand))};
  tiles.down = {"k", work.k, up_to(work.k, side)};
  const std::int64_t depth = std::max<std::int64_t>(tiles.down.padded / side * work.passes, 1);
  tiles.across = {m ? "n" : "m", width, streaming.tiles / (work.batch * depth) * side};
  tiles.rows = streaming.rows;
  tiles.tiles = streaming.tiles;
  tiles.folds = streaming.folds;
  tiles.loading = streaming.load;
  tiles.rows_a_clock = operand_speed(work, generation);
  tiles.clocks = std::llround(streaming.clocks / tiles.rows_a_clock);
  const double streamed =
      double_buffered_clocks(streaming.rows, streaming.folds, side, streaming.load);
  if (streamed > 0) {
    tiles.clocks_a_row = std::max(1.0, streaming.clocks / streamed) / tiles.rows_a_clock;
  }
  tiles.clock_hertz = generation.clock_hertz;
  return tiles;
}

}  // namespace

std::vector<ProductTiles> products_of(const KernelWork& work, const Machine& machine) {
  std::vector<ProductTiles> products;
  for (const Work& item : work.items) {
    const auto* product = std::get_if<MatrixWork>(&item);
    if (product == nullptr || product->m == 1 || product->n == 1) continue;
    products.push_back(tiles_of(*product, machine.generation()));
  }
  return products;
}

}  // namespace tpulab
