#include <omp.h>
#include <oneapi/dnnl/dnnl.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/ops/chunks.h"
#include "engine/ops/matrix_product.h"

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

// oneDNN would start an OpenMP team of its own inside each of our threads.
void keep_openmp_single_threaded() {
  thread_local const bool done = (omp_set_num_threads(1), true);
  static_cast<void>(done);
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
  const std::int64_t across = (n + tile.columns - 1) / tile.columns;
  const std::int64_t down = (m + tile.rows - 1) / tile.rows;
  for_chunks(context, down * across, 1, [&](std::int64_t index, std::int64_t) {
    keep_openmp_single_threaded();
    const std::int64_t row = index / across * tile.rows;
    const std::int64_t column = index % across * tile.columns;
    const dnnl_status_t status = dnnl_sgemm(
        left.transposed ? 'T' : 'N', right.transposed ? 'T' : 'N', std::min(tile.rows, m - row),
        std::min(tile.columns, n - column), k, 1.0f, at(left, row, 0), left.stride,
        at(right, 0, column), right.stride, accumulate ? 1.0f : 0.0f, out + row * n + column, n);
    expects(status == dnnl_success, "oneDNN multiplies tiles of any size");
  });
}

}  // namespace tpulab
