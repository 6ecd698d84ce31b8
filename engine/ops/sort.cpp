// Order along the last axis: sorting, and the place of the largest.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "engine/base/error.h"
#include "engine/ops/chunks.h"
#include "engine/ops/rows.h"

namespace tpulab {

namespace {

void check_rank(std::string_view op, const Type& x) {
  if (x.shape.scalar()) throw Error(fmt::format("{}: a scalar has no axis; give a vector", op));
}

// Each core's rows are its own: axis 0 must not be the one that is ordered.
Stack stack_of_rows(std::span<const Stack> inputs, const Type& x) {
  const bool same = std::ranges::all_of(inputs, [&](Stack held) { return held == inputs[0]; });
  if (!same || inputs[0] == Stack::partial) return Stack::none;
  return inputs[0] == Stack::rows && x.shape.rank() < 2 ? Stack::none : inputs[0];
}

// A bitonic network has s (s + 1) / 2 stages for 2^s elements; each compares and selects.
Work sorting_work(const Type& x) {
  const auto extent = static_cast<std::uint64_t>(std::max<std::int64_t>(x.shape.at(-1), 1));
  const auto steps = static_cast<int>(std::bit_width(extent - 1));
  return VectorWork{.shape = x.shape, .cheap = steps * (steps + 1), .reduced_axis = -1};
}

template <class Body>
void for_rows(const Shape& shape, const EvaluateContext& context, const Body& body) {
  const std::int64_t width = std::max<std::int64_t>(shape.at(-1), 1);
  for_chunks(context, shape.elements() / width, chunk_elements / width,
             [&](std::int64_t row, std::int64_t end) {
               for (; row < end; ++row) body(row, width);
             });
}

// The upstream at the places that the sorted values came from; equal values keep their order.
class SortGradient final : public Op {
 public:
  std::string_view name() const override { return "sort-gradient"; }
  Type infer(std::span<const Type> inputs) const override {
    return {inputs[0].shape, inputs[0].dtype, joined(inputs)};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    for_rows(out.shape, context, [&](std::int64_t row, std::int64_t width) {
      const float* x = inputs[0].data + row * width;
      std::vector<std::int64_t> order(static_cast<std::size_t>(width));
      std::iota(order.begin(), order.end(), 0);
      std::ranges::stable_sort(order, {}, [&](std::int64_t i) { return x[i]; });
      for (std::int64_t i = 0; i < width; ++i) {
        out[row * width + order[static_cast<std::size_t>(i)]] = inputs[1][row * width + i];
      }
    });
  }
  Work work(std::span<const Type> inputs, const Type&) const override {
    return sorting_work(inputs[0]);
  }
  Stack stack(std::span<const Stack> inputs, std::span<const Type> types) const override {
    return stack_of_rows(inputs, types[0]);
  }
};

class Sort final : public Op {
 public:
  std::string_view name() const override { return "sort"; }
  Type infer(std::span<const Type> inputs) const override {
    check_rank(name(), inputs[0]);
    return {inputs[0].shape, inputs[0].dtype, joined(inputs)};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    for_rows(out.shape, context, [&](std::int64_t row, std::int64_t width) {
      std::copy_n(inputs[0].data + row * width, width, out.data + row * width);
      std::stable_sort(out.data + row * width, out.data + (row + 1) * width);
    });
  }
  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor,
                               Tensor upstream) const override {
    static const auto op = std::make_shared<const SortGradient>();
    return {upstream.graph->apply(op, {inputs[0], upstream})};
  }
  Work work(std::span<const Type> inputs, const Type&) const override {
    return sorting_work(inputs[0]);
  }
  Stack stack(std::span<const Stack> inputs, std::span<const Type> types) const override {
    return stack_of_rows(inputs, types[0]);
  }
};

class ArgMax final : public Op {
 public:
  std::string_view name() const override { return "reduce"; }
  OpTraits traits() const override { return {.reduces = true}; }
  std::string attributes() const override { return "argmax axis=last"; }
  Type infer(std::span<const Type> inputs) const override {
    check_rank("argmax", inputs[0]);
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

Tensor sort(Tensor x) {
  static const auto op = std::make_shared<const Sort>();
  return x.graph->apply(op, {x});
}

Tensor argmax(Tensor x) {
  static const auto op = std::make_shared<const ArgMax>();
  return x.graph->apply(op, {x});
}

}  // namespace tpulab
