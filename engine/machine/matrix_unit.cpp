#include "engine/machine/matrix_unit.h"

#include <algorithm>
#include <cmath>

namespace tpulab {

namespace {

std::int64_t tiles(std::int64_t extent, std::int64_t side) { return (extent + side - 1) / side; }

Streaming streaming(const MatrixWork& work, std::int64_t streamed, std::int64_t width,
                    const Generation& generation) {
  const auto side = static_cast<std::int64_t>(generation.matrix_side);
  auto units = static_cast<std::int64_t>(generation.matrix_units);
  const std::int64_t sublanes = sublanes_of(work.operand);
  const std::int64_t column_tiles = work.batch * tiles(width, side);
  // Cores that act as one device share the rows where there are too few columns for all units.
  const std::int64_t cores = generation.cores_per_chip / generation.devices_per_chip;
  if (cores > 1 && column_tiles < units) {
    units /= cores;
    streamed = tiles(streamed, cores);
  }
  const std::int64_t piece = tiles(work.k, work.k_pieces);
  const std::int64_t depth = work.k_pieces * tiles(piece, side) * work.passes;
  Streaming result;
  result.rows = tiles(streamed, sublanes) * sublanes;
  result.folds = tiles(column_tiles, units) * depth;
  result.columns = column_tiles * depth;
  const auto load =
      static_cast<std::int64_t>(generation.matrix_side / generation.load_rows_per_clock);
  result.clocks = double_buffered_clocks(result.rows, result.folds, side, load);
  return result;
}

}  // namespace

std::int64_t sublanes_of(DType dtype) { return 32 / bytes_of(dtype); }

double double_buffered_clocks(std::int64_t rows, std::int64_t folds, std::int64_t side,
                              std::int64_t load) {
  if (rows <= 0 || folds <= 0) return 0;
  return static_cast<double>(2 * side + (folds - 1) * std::max(rows, load) + rows);
}

double double_buffered_clocks(std::int64_t rows, std::int64_t folds, std::int64_t side) {
  return double_buffered_clocks(rows, folds, side, side);
}

double simple_systolic_clocks(std::int64_t m, std::int64_t k, std::int64_t n, std::int64_t side) {
  return static_cast<double>(tiles(k, side) * tiles(n, side) * (3 * side + m - 2));
}

std::int64_t block_side(const Generation& generation) {
  return std::llround(256 * std::sqrt(generation.block_mib));
}

Blocking blocking_of(const MatrixWork& work, const Generation& generation) {
  const std::int64_t side = block_side(generation);
  const auto rows = static_cast<double>(tiles(work.m, side));
  const auto columns = static_cast<double>(tiles(work.n, side));
  const auto depth = static_cast<double>(tiles(work.k, side));
  Blocking result{.blocks = static_cast<double>(work.batch) * rows * columns * depth};
  const int width = bytes_of(work.operand);
  const auto left = static_cast<double>(work.m * work.k * width);
  const auto right = static_cast<double>(work.k * work.n * width);
  if (std::min(left, right) <= generation.resident_mib * (1 << 20)) return result;
  result.reread_bytes =
      static_cast<double>(work.batch) * (left * (columns - 1) + right * (rows - 1));
  return result;
}

Streaming cheapest_streaming(const MatrixWork& work, const Generation& generation) {
  const Streaming stream_m = streaming(work, work.m, work.n, generation);
  if (work.k_pieces > 1 && !work.batch_in_lanes) return stream_m;
  const Streaming stream_n = streaming(work, work.n, work.m, generation);
  return stream_n.clocks < stream_m.clocks ? stream_n : stream_m;
}

}  // namespace tpulab
