#include <algorithm>
#include <vector>

#include "engine/ops/chunks.h"
#include "engine/ops/matrix_product.h"

namespace tpulab {

namespace {

// The operand as rows x columns; copied only if it is read transposed.
const float* straight(const Factor& factor, std::int64_t rows, std::int64_t columns,
                      std::vector<float>& copy) {
  if (!factor.transposed) return factor.data;
  copy.resize(static_cast<std::size_t>(rows * columns));
  float* to = copy.data();
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      *to++ = factor.data[column * rows + row];
    }
  }
  return copy.data();
}

}  // namespace

void reference_product(Factor left, Factor right, const ProductExtents& extents, bool accumulate,
                       float* out, const EvaluateContext& context) {
  const auto [m, k, n] = extents;
  std::vector<float> left_copy;
  std::vector<float> right_copy;
  const float* a = straight(left, m, k, left_copy);
  const float* b = straight(right, k, n, right_copy);
  // Rows are independent, so the chunks do not touch the order in which k is summed.
  for_chunks(context, m, 16, [&](std::int64_t first, std::int64_t last) {
    if (!accumulate) std::fill(out + first * n, out + last * n, 0.0f);
    for (std::int64_t row = first; row < last; ++row) {
      float* sums = out + row * n;
      for (std::int64_t term = 0; term < k; ++term) {
        const float factor = a[row * k + term];
        const float* values = b + term * n;
        for (std::int64_t column = 0; column < n; ++column) {
          sums[column] += factor * values[column];
        }
      }
    }
  });
}

}  // namespace tpulab
