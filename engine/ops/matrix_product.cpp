#include "engine/ops/matrix_product.h"

#include <vector>

#include "engine/ops/bf16.h"
#include "engine/ops/chunks.h"

namespace tpulab {

namespace {

// Rounded copies live as long as the thread: fresh pages for each product would cost more than the
// rounding itself.
struct Scratch {
  std::vector<float> left_high, left_low, right_high, right_low;
};

Scratch& scratch() {
  thread_local Scratch buffers;
  return buffers;
}

float* room_for(std::vector<float>& buffer, std::int64_t elements) {
  const auto wanted = static_cast<std::size_t>(elements);
  if (buffer.size() < wanted) buffer.resize(wanted);
  return buffer.data();
}

// An operand in bf16 parts; `low` is null where the value is bf16 already.
struct Parts {
  const float* high = nullptr;
  const float* low = nullptr;
};

Parts rounded(const ArrayView& x, std::vector<float>& high, const EvaluateContext& context) {
  if (x.dtype == DType::bf16) return {x.data, nullptr};
  float* to = room_for(high, x.elements());
  for_chunks(context, x.elements(), chunk_elements, [&](std::int64_t first, std::int64_t last) {
    round_to_bf16(x.data + first, to + first, last - first);
  });
  return {to, nullptr};
}

Parts split(const ArrayView& x, std::vector<float>& high, std::vector<float>& low,
            const EvaluateContext& context) {
  if (x.dtype == DType::bf16) return {x.data, nullptr};
  float* upper = room_for(high, x.elements());
  float* lower = room_for(low, x.elements());
  for_chunks(context, x.elements(), chunk_elements, [&](std::int64_t first, std::int64_t last) {
    split_to_bf16(x.data + first, upper + first, lower + first, last - first);
  });
  return {upper, lower};
}

// Multiplies parts of two operands into the same result, the first product without accumulating.
class Products {
 public:
  Products(const ArrayView& left, const ArrayView& right, const MatmulOptions& options,
           const ArraySpan& out, const EvaluateContext& context)
      : left_{nullptr, left.shape[1], options.transpose_left},
        right_{nullptr, right.shape[1], options.transpose_right},
        extents_{out.shape[0], left.shape[options.transpose_left ? 0 : 1], out.shape[1]},
        out_(out.data),
        context_(context) {}

  void add(const float* left, const float* right) {
    if (!left || !right) return;
    left_.data = left;
    right_.data = right;
    const auto product = context_.reference ? reference_product : tiled_product;
    product(left_, right_, extents_, accumulate_, out_, context_);
    accumulate_ = true;
  }

 private:
  Factor left_;
  Factor right_;
  ProductExtents extents_;
  float* out_;
  const EvaluateContext& context_;
  bool accumulate_ = false;
};

}  // namespace

void matrix_product(const ArrayView& left, const ArrayView& right, const MatmulOptions& options,
                    const ArraySpan& out, const EvaluateContext& context) {
  Products products(left, right, options, out, context);
  Scratch& buffers = scratch();
  if (options.precision == MatmulPrecision::highest) {
    products.add(left.data, right.data);
  } else if (options.precision == MatmulPrecision::default_) {
    const Parts l = rounded(left, buffers.left_high, context);
    const Parts r = rounded(right, buffers.right_high, context);
    products.add(l.high, r.high);
  } else {
    const Parts l = split(left, buffers.left_high, buffers.left_low, context);
    const Parts r = split(right, buffers.right_high, buffers.right_low, context);
    products.add(l.low, r.high);  // small terms first
    products.add(l.high, r.low);
    products.add(l.high, r.high);
  }
}

}  // namespace tpulab
