// The largest few along the last axis, and what lies where they are.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <vector>

#include "engine/base/error.h"
#include "engine/ops/chunks.h"
#include "engine/ops/ops.h"
#include "engine/ops/row_index.h"
#include "engine/ops/rows.h"

namespace tpulab {

namespace {

Shape with_last(const Shape& shape, std::int64_t extent) {
  Shape result = shape;
  result[shape.rank() - 1] = extent;
  return result;
}

Stack stack_of_chosen(std::span<const Stack> inputs) {
  const bool same = std::ranges::all_of(inputs, [&](Stack held) { return held == inputs[0]; });
  return same && inputs[0] != Stack::partial ? inputs[0] : Stack::none;
}

// Calls body(row) for each row of the last axis.
template <class Body>
void for_each_row(const Shape& shape, const EvaluateContext& context, const Body& body) {
  const std::int64_t width = std::max<std::int64_t>(shape.at(-1), 1);
  for_chunks(context, shape.elements() / width, chunk_elements / width,
             [&](std::int64_t row, std::int64_t end) {
               for (; row < end; ++row) body(row);
             });
}

class Largest final : public Op {
 public:
  explicit Largest(std::int64_t count) : count_(count) {}

  std::string_view name() const override { return "top-k"; }
  std::string attributes() const override { return fmt::format("k={}", count_); }
  Type infer(std::span<const Type> inputs) const override {
    const Shape& shape = inputs[0].shape;
    if (shape.rank() != 2 || count_ < 1 || count_ > shape.at(-1)) {
      throw Error(fmt::format("top-k: {} has no {} largest a row; give [m,n] and 1 to n of them",
                              text_of(inputs[0].dtype, shape), count_));
    }
    return {with_last(shape, count_), DType::s32, joined(inputs)};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const std::int64_t width = inputs[0].shape.at(-1);
    for_each_row(inputs[0].shape, context, [&](std::int64_t row) {
      const float* x = inputs[0].data + row * width;
      std::vector<std::int64_t> order(static_cast<std::size_t>(width));
      std::iota(order.begin(), order.end(), 0);
      // What is no number comes first, as torch.topk has it.
      const auto rank = [&](std::int64_t i) { return std::pair(std::isnan(x[i]), x[i]); };
      std::ranges::stable_sort(order, [&](std::int64_t a, std::int64_t b) {
        const auto [a_is_none, left] = rank(a);
        const auto [b_is_none, right] = rank(b);
        return a_is_none != b_is_none ? a_is_none : !a_is_none && left > right;
      });
      std::copy_n(order.begin(), count_, out.data + row * count_);
    });
  }
  std::vector<Tensor> gradient(std::span<const Tensor>, Tensor, Tensor) const override {
    return {Tensor{}};
  }
  // Each time compare, keep value and place; of many, all are sorted with their places.
  Work work(std::span<const Type> inputs, const Type&) const override {
    const auto width = static_cast<std::uint64_t>(inputs[0].shape.at(-1));
    const auto steps = static_cast<int>(std::bit_width(width - 1));
    const int sorted = 2 * steps * (steps + 1);
    if (3 * count_ > sorted) return VectorWork{.shape = inputs[0].shape, .cheap = sorted};
    return VectorWork{
        .shape = inputs[0].shape, .cheap = static_cast<int>(3 * count_), .reduced_axis = 1};
  }
  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    return stack_of_chosen(inputs);
  }

 private:
  std::int64_t count_;
};

// Values [m,k] at their places of [m,width], zeros elsewhere; places that meet add up.
class Placed final : public Op {
 public:
  explicit Placed(std::int64_t width) : width_(width) {}

  std::string_view name() const override { return "scatter"; }
  std::string attributes() const override { return fmt::format("add axis=last of={}", width_); }
  Type infer(std::span<const Type> inputs) const override {
    return {with_last(inputs[0].shape, width_), inputs[0].dtype, joined(inputs)};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const std::int64_t count = inputs[0].shape.at(-1);
    for_each_row(out.shape, context, [&](std::int64_t row) {
      float* to = out.data + row * width_;
      std::fill_n(to, width_, 0.0f);
      for (std::int64_t j = row * count; j < (row + 1) * count; ++j) {
        to[checked_index("scatter", inputs[1][j], width_)] += inputs[0][j];
      }
    });
  }
  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor,
                               Tensor upstream) const override {
    return {picked(upstream, inputs[1]), Tensor{}};
  }
  Work work(std::span<const Type>, const Type& output) const override {
    return VectorWork{.shape = output.shape, .cheap = 1};
  }
  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    return stack_of_chosen(inputs);
  }

 private:
  std::int64_t width_;
};

class Picked final : public Op {
 public:
  std::string_view name() const override { return "gather"; }
  std::string attributes() const override { return "axis=last"; }
  Type infer(std::span<const Type> inputs) const override {
    const Type& x = inputs[0];
    const Type& places = inputs[1];
    if (x.shape.rank() != 2 || places.shape.rank() != 2 || !is_integer(places.dtype) ||
        x.shape[0] != places.shape[0]) {
      throw Error(fmt::format("gather: {} and places {} do not fit; give [m,n] and integers [m,k]",
                              text_of(x.dtype, x.shape), text_of(places.dtype, places.shape)));
    }
    return {places.shape, x.dtype, joined(inputs)};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const std::int64_t width = inputs[0].shape.at(-1);
    const std::int64_t count = out.shape.at(-1);
    for_each_row(out.shape, context, [&](std::int64_t row) {
      for (std::int64_t j = row * count; j < (row + 1) * count; ++j) {
        out[j] = inputs[0][row * width + checked_index("gather", inputs[1][j], width)];
      }
    });
  }
  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor,
                               Tensor upstream) const override {
    const auto placed = std::make_shared<const Placed>(inputs[0].shape().at(-1));
    return {upstream.graph->apply(placed, {upstream, inputs[1]}), Tensor{}};
  }
  Work work(std::span<const Type> inputs, const Type&) const override {
    return VectorWork{.shape = inputs[0].shape, .cheap = 1};
  }
  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    return stack_of_chosen(inputs);
  }
};

// x * by, a value a row.
struct ScaledRows {
  static constexpr std::string_view name = "multiply";
  static constexpr std::array parts{Part::whole, Part::row};
  static constexpr VectorWork cost{.shape = {}, .cheap = 1};
  std::string attributes() const { return "rows"; }
  float apply(float x, float by) const { return x * by; }
  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor, Tensor upstream) const;
};

struct RowProduct {
  static constexpr std::string_view name = "reduce";
  static constexpr std::array parts{Part::whole, Part::whole};
  static constexpr VectorWork cost{.shape = {}, .cheap = 2};
  std::string attributes() const { return "add g x"; }
  float apply(float upstream, float x) const { return upstream * x; }
};

std::vector<Tensor> ScaledRows::gradient(std::span<const Tensor> inputs, Tensor,
                                         Tensor upstream) const {
  const Tensor by = row_sum(RowProduct{}, {upstream, inputs[0]});
  return {multiply_rows(upstream, inputs[1]), convert(by, inputs[1].type().dtype)};
}

}  // namespace

Tensor largest(Tensor x, std::int64_t count) {
  return x.graph->apply(std::make_shared<const Largest>(count), {x});
}

Tensor picked(Tensor x, Tensor places) {
  static const auto op = std::make_shared<const Picked>();
  return x.graph->apply(op, {x, places});
}

Tensor multiply_rows(Tensor x, Tensor by) { return row_map(ScaledRows{}, {x, by}); }

}  // namespace tpulab
