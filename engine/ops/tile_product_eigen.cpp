#include <Eigen/Core>
#include <fmt/format.h>

#include "engine/ops/tile_product.h"

namespace tpulab {

namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Stride = Eigen::OuterStride<>;
using View = Eigen::Map<const Matrix, 0, Stride>;

// The stored matrix: transposed factors lie as columns x rows.
View stored(const Factor& factor, std::int64_t rows, std::int64_t columns) {
  if (factor.transposed) std::swap(rows, columns);
  return {factor.data, rows, columns, Stride(factor.stride)};
}

template <class Left, class Right, class Out>
void multiply(const Left& left, const Right& right, bool accumulate, Out& out) {
  if (accumulate) {
    out.noalias() += left * right;
  } else {
    out.noalias() = left * right;
  }
}

}  // namespace

std::string product_library() {
  return fmt::format("Eigen, {}", Eigen::SimdInstructionSetsInUse());
}

// It packs what it reads.
bool reads_slowly(std::int64_t) { return false; }

void multiply_tile(Factor left, Factor right, const ProductExtents& extents, bool accumulate,
                   float* out, std::int64_t stride) {
  const auto [m, k, n] = extents;
  const View a = stored(left, m, k);
  const View b = stored(right, k, n);
  Eigen::Map<Matrix, 0, Stride> result(out, m, n, Stride(stride));
  if (left.transposed && right.transposed)
    return multiply(a.transpose(), b.transpose(), accumulate, result);
  if (left.transposed) return multiply(a.transpose(), b, accumulate, result);
  if (right.transposed) return multiply(a, b.transpose(), accumulate, result);
  multiply(a, b, accumulate, result);
}

}  // namespace tpulab
