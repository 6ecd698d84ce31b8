// Which of each row are among its largest, as many as the row itself says: a search for the bits of
// the smallest of them [MLPerf's SSD on TPUs, topk_mask].
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "engine/base/error.h"
#include "engine/ops/chunks.h"
#include "engine/ops/ops.h"

namespace tpulab {

namespace {

class AmongLargest final : public Op {
 public:
  std::string_view name() const override { return "among-largest"; }
  // A pass over all for each bit of the limit but its sign.
  OpTraits traits() const override { return {.kernels = bits}; }
  Type infer(std::span<const Type> inputs) const override {
    const Shape& x = inputs[0].shape;
    if (x.rank() != 2 || inputs[1].shape != Shape{x[0]}) {
      throw Error(
          fmt::format("among_largest: {} by {} does not fit; give [m,n] and a count for "
                      "each row, [m]",
                      text_of(inputs[0].dtype, x), text_of(inputs[1].dtype, inputs[1].shape)));
    }
    return {x, inputs[0].dtype, joined(inputs)};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const std::int64_t width = std::max<std::int64_t>(out.shape[1], 1);
    for_chunks(context, out.shape[0], chunk_elements / width,
               [&](std::int64_t row, std::int64_t end) {
                 for (; row < end; ++row) mark(inputs[0], inputs[1][row], row * width, width, out);
               });
  }
  std::vector<Tensor> gradient(std::span<const Tensor>, Tensor, Tensor) const override {
    return {Tensor{}, Tensor{}};
  }
  // Compare and count, for each bit and at the end.
  Work work(std::span<const Type> inputs, const Type&) const override {
    return VectorWork{.shape = inputs[0].shape, .cheap = 2 * bits + 1, .reduced_axis = 1};
  }
  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    return inputs[0] == inputs[1] && inputs[0] != Stack::partial ? inputs[0] : Stack::none;
  }

 private:
  static constexpr int bits = 31;

  static void mark(const ArrayView& x, float count, std::int64_t first, std::int64_t width,
                   const ArraySpan& out) {
    const auto wanted = std::min(static_cast<std::int64_t>(count), width);
    std::vector<float> row(x.data + first, x.data + first + width);
    float limit = 0;
    if (wanted > 0) {
      std::ranges::nth_element(row, row.begin() + (wanted - 1), std::greater<>());
      limit = row[static_cast<std::size_t>(wanted - 1)];
    }
    for (std::int64_t i = first; i < first + width; ++i) {
      out.data[i] = wanted > 0 && x.data[i] >= limit ? 1.0f : 0.0f;
    }
  }
};

}  // namespace

Tensor among_largest(Tensor x, Tensor counts) {
  static const auto op = std::make_shared<const AmongLargest>();
  return x.graph->apply(op, {x, counts});
}

}  // namespace tpulab
