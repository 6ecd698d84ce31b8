#include <algorithm>
#include <vector>

#include "engine/ops/chunks.h"
#include "engine/ops/tile_product.h"

namespace tpulab {

namespace {

struct Tile {
  std::int64_t rows;
  std::int64_t columns;
};

// Large enough that packing the panels is small, and at least four of them where there is work for
// four: below 2^24 multiply-adds a tile takes less than about 0.3 ms of one core.
Tile tile_of(const ProductExtents& extents) {
  constexpr std::int64_t least_work = std::int64_t{1} << 24;
  Tile tile{std::min<std::int64_t>(extents.m, 256), std::min<std::int64_t>(extents.n, 512)};
  const auto tiles = [&] {
    return ((extents.m + tile.rows - 1) / tile.rows) *
           ((extents.n + tile.columns - 1) / tile.columns);
  };
  while (tiles() < 4 && tile.rows * tile.columns * extents.k >= 2 * least_work) {
    std::int64_t& side = tile.columns >= tile.rows ? tile.columns : tile.rows;
    side = (side + 1) / 2;
  }
  return tile;
}

const float* at(const Factor& factor, std::int64_t row, std::int64_t column) {
  return factor.transposed ? factor.data + column * factor.stride + row
                           : factor.data + row * factor.stride + column;
}

// Lives as long as the thread, as rounded copies do.
struct Copies {
  std::vector<float> left, right;
};

// The factor, of so many rows of `length`, or a copy of it that is not read slowly.
Factor read_well(const Factor& factor, std::int64_t rows, std::int64_t length,
                 std::vector<float>& copy, const EvaluateContext& context) {
  constexpr std::int64_t cache_line = 16;
  if (!reads_slowly(factor.stride)) return factor;
  const std::int64_t stride = length + cache_line;
  copy.resize(std::max(copy.size(), static_cast<std::size_t>(rows * stride)));
  float* to = copy.data();
  for_chunks(context, rows, chunk_elements / length, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t row = first; row < last; ++row) {
      std::copy_n(factor.data + row * factor.stride, length, to + row * stride);
    }
  });
  return {to, stride, factor.transposed};
}

}  // namespace

void tiled_product(Factor left, Factor right, const ProductExtents& extents, bool accumulate,
                   float* out, const EvaluateContext& context) {
  const auto [m, k, n] = extents;
  if (m == 0 || n == 0) return;
  if (k == 0) {
    if (!accumulate) std::fill_n(out, m * n, 0.0f);
    return;
  }
  const Tile tile = tile_of(extents);
  thread_local Copies copies;
  if (left.transposed) left = read_well(left, k, m, copies.left, context);
  const bool often = left.transposed || m > tile.rows;
  if (often && !right.transposed) right = read_well(right, k, n, copies.right, context);
  const std::int64_t across = (n + tile.columns - 1) / tile.columns;
  const std::int64_t down = (m + tile.rows - 1) / tile.rows;
  for_chunks(context, down * across, 1, [&](std::int64_t index, std::int64_t) {
    const std::int64_t row = index / across * tile.rows;
    const std::int64_t column = index % across * tile.columns;
    multiply_tile({at(left, row, 0), left.stride, left.transposed},
                  {at(right, 0, column), right.stride, right.transposed},
                  {std::min(tile.rows, m - row), k, std::min(tile.columns, n - column)}, accumulate,
                  out + row * n + column, n);
  });
}

}  // namespace tpulab
