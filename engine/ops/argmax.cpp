// The place of the largest along the last axis.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/ops/chunks.h"
#include "engine/ops/rows.h"

namespace tpulab {

namespace {

// Each core's rows are its own: axis 0 must not be the one that is ordered.
Stack stack_of_rows(std::span<const Stack> inputs, const Type& x) {
  const bool same = std::ranges::all_of(inputs, [&](Stack held) { return held == inputs[0]; });
  if (!same || inputs[0] == Stack::partial) return Stack::none;
  return inputs[0] == Stack::rows && x.shape.rank() < 2 ? Stack::none : inputs[0];
}

template <class Body>
void for_rows(const Shape& shape, const EvaluateContext& context, const Body& body) {
  const std::int64_t width = std::max<std::int64_t>(shape.at(-1), 1);
  for_chunks(context, shape.elements() / width, chunk_elements / width,
             [&](std::int64_t row, std::int64_t end) {
               for (; row < end; ++row) body(row, width);
             });
}

class ArgMax final : public Op {
 public:
  std::string_view name() const override { return "reduce"; }
  OpTraits traits() const override { return {.reduces = true}; }
  std::string attributes() const override { return "argmax axis=last"; }
  Type infer(std::span<const Type> inputs) const override {
    if (inputs[0].shape.scalar()) throw Error("argmax: a scalar has no axis; give a vector");
    if (inputs[0].shape.at(-1) == 0) {
      throw Error(fmt::format("argmax: {} has no elements to choose from; give at least one",
                              text_of(inputs[0].dtype, inputs[0].shape)));
    }
    return {without_last(inputs[0].shape), DType::s32, joined(inputs)};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    for_rows(inputs[0].shape, context, [&](std::int64_t row, std::int64_t width) {
      const float* x = inputs[0].data + row * width;
      out[row] = static_cast<float>(std::max_element(x, x + width) - x);
    });
  }
  std::vector<Tensor> gradient(std::span<const Tensor>, Tensor, Tensor) const override {
    return {Tensor{}};
  }
  // compare, keep the value, keep its place
  Work work(std::span<const Type> inputs, const Type&) const override {
    return VectorWork{
        .shape = inputs[0].shape, .cheap = 3, .reduced_axis = inputs[0].shape.rank() - 1};
  }
  Stack stack(std::span<const Stack> inputs, std::span<const Type> types) const override {
    return stack_of_rows(inputs, types[0]);
  }
};

}  // namespace

Tensor argmax(Tensor x) {
  static const auto op = std::make_shared<const ArgMax>();
  return x.graph->apply(op, {x});
}

}  // namespace tpulab
