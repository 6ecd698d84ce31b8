#include "engine/ops/reduce_axes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "engine/base/error.h"
#include "engine/ops/elementwise.h"

namespace tpulab {

AxisSet::AxisSet(const char* op, const Shape& shape, const std::vector<int>& axes, DType dtype) {
  for (const int axis : axes) {
    const int counted = axis < 0 ? axis + shape.rank() : axis;
    if (counted < 0 || counted >= shape.rank() || contains(counted)) {
      throw Error(fmt::format(
          "{}: {} does not have the axes {}; it has {}, counted from 0, and each may stand once",
          op, text_of(dtype, shape), fmt::join(axes, ","), shape.rank()));
    }
    axes_.push_back(counted);
  }
  std::ranges::sort(axes_);
}

bool AxisSet::contains(int axis) const { return std::ranges::find(axes_, axis) != axes_.end(); }

std::string AxisSet::text() const { return fmt::format("{}", fmt::join(axes_, ",")); }

Shape AxisSet::kept(const Shape& shape) const {
  std::vector<std::int64_t> extents;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (!contains(axis)) extents.push_back(shape[axis]);
  }
  return Shape(std::span<const std::int64_t>(extents));
}

std::int64_t AxisSet::reduced_elements(const Shape& shape) const {
  std::int64_t product = 1;
  for (const int axis : axes_) product *= shape[axis];
  return product;
}

std::vector<std::int64_t> AxisSet::strides(const Shape& shape) const {
  std::vector<std::int64_t> result(static_cast<std::size_t>(shape.rank()), 0);
  std::int64_t stride = 1;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    if (contains(axis)) continue;
    result[static_cast<std::size_t>(axis)] = stride;
    stride *= shape[axis];
  }
  return result;
}

namespace {

// x / divisor repeated along the axes to the shape of `like`, whose values are not read.
class RepeatAxes final : public Op {
 public:
  RepeatAxes(AxisSet axes, std::int64_t divisor) : axes_(std::move(axes)), divisor_(divisor) {}

  std::string_view name() const override { return "broadcast"; }
  OpTraits traits() const override { return {.repeats = true}; }
  std::string attributes() const override {
    return fmt::format("axes={} divisor={}", axes_.text(), divisor_);
  }
  Type infer(std::span<const Type> inputs) const override {
    return {inputs[1].shape, inputs[0].dtype, joined(inputs)};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext&) const override {
    const auto divisor = static_cast<float>(divisor_);
    axes_.for_each(out.shape,
                   [&](std::int64_t i, std::int64_t kept) { out[i] = inputs[0][kept] / divisor; });
  }
  Work work(std::span<const Type>, const Type& output) const override {
    return VectorWork{.shape = output.shape};
  }
  // Along axis 0 each core repeats the same shared value; along others each core its own rows.
  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    if (inputs[0] == Stack::shared && inputs[1] == Stack::shared) return Stack::shared;
    const Stack wanted = axes_.contains(0) ? Stack::shared : Stack::rows;
    return inputs[1] == Stack::rows && inputs[0] == wanted ? Stack::rows : Stack::none;
  }

 private:
  AxisSet axes_;
  std::int64_t divisor_;
};

// Sum over the axes, divided by a count that is one core's and fixed when traced.
class SumAxes final : public Op {
 public:
  SumAxes(AxisSet axes, std::int64_t divisor) : axes_(std::move(axes)), divisor_(divisor) {}

  std::string_view name() const override { return "reduce"; }
  OpTraits traits() const override { return {.reduces = true}; }
  std::string attributes() const override {
    return fmt::format("add axes={} divisor={}", axes_.text(), divisor_);
  }
  Type infer(std::span<const Type> inputs) const override {
    const bool counts = inputs[0].dtype == DType::pred;
    return {axes_.kept(inputs[0].shape), counts ? DType::s32 : inputs[0].dtype, joined(inputs)};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext&) const override {
    std::vector<double> sums(static_cast<std::size_t>(out.elements()));
    axes_.for_each(inputs[0].shape, [&](std::int64_t i, std::int64_t kept) {
      sums[static_cast<std::size_t>(kept)] += static_cast<double>(inputs[0][i]);
    });
    const auto divisor = static_cast<double>(divisor_);
    std::ranges::transform(sums, out.values().begin(),
                           [&](double sum) { return static_cast<float>(sum / divisor); });
  }
  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor,
                               Tensor upstream) const override {
    const auto op = std::make_shared<const RepeatAxes>(axes_, divisor_);
    return {upstream.graph->apply(op, {upstream, inputs[0]})};
  }
  Work work(std::span<const Type> inputs, const Type&) const override {
    return VectorWork{.shape = inputs[0].shape, .cheap = 1, .reduced_axis = axes_.first()};
  }
  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    return inputs[0] == Stack::rows && axes_.contains(0) ? Stack::partial : inputs[0];
  }

 private:
  AxisSet axes_;
  std::int64_t divisor_;
};

Stack stack_of_maximum(const AxisSet& axes, std::span<const Stack> inputs) {
  const bool same = std::ranges::all_of(inputs, [&](Stack held) { return held == inputs[0]; });
  if (!same || inputs[0] == Stack::partial) return Stack::none;
  return inputs[0] == Stack::rows && axes.contains(0) ? Stack::none : inputs[0];
}

// The upstream where x is the largest, in equal shares.
class MaxAxesGradient final : public Op {
 public:
  explicit MaxAxesGradient(AxisSet axes) : axes_(std::move(axes)) {}

  std::string_view name() const override { return "reduce-gradient"; }
  std::string attributes() const override { return "max axes=" + axes_.text(); }
  Type infer(std::span<const Type> inputs) const override {
    return {inputs[0].shape, inputs[0].dtype, joined(inputs)};
  }
  // Inputs: x, its largest values, the upstream.
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext&) const override {
    const ArrayView& x = inputs[0];
    std::vector<float> ties(static_cast<std::size_t>(inputs[1].elements()));
    axes_.for_each(x.shape, [&](std::int64_t i, std::int64_t kept) {
      if (x[i] == inputs[1][kept]) ties[static_cast<std::size_t>(kept)] += 1;
    });
    axes_.for_each(x.shape, [&](std::int64_t i, std::int64_t kept) {
      const bool largest = x[i] == inputs[1][kept];
      out[i] = largest ? inputs[2][kept] / ties[static_cast<std::size_t>(kept)] : 0.0f;
    });
  }
  // compare, count, select
  Work work(std::span<const Type> inputs, const Type&) const override {
    return VectorWork{.shape = inputs[0].shape, .cheap = 3, .reduced_axis = axes_.first()};
  }
  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    return stack_of_maximum(axes_, inputs);
  }

 private:
  AxisSet axes_;
};

class MaxAxes final : public Op {
 public:
  explicit MaxAxes(AxisSet axes) : axes_(std::move(axes)) {}

  std::string_view name() const override { return "reduce"; }
  OpTraits traits() const override { return {.reduces = true}; }
  std::string attributes() const override { return "max axes=" + axes_.text(); }
  Type infer(std::span<const Type> inputs) const override {
    if (axes_.reduced_elements(inputs[0].shape) == 0) {
      throw Error(fmt::format("reduce_max: {} has no elements along the axes {}; give at least one",
                              text_of(inputs[0].dtype, inputs[0].shape), axes_.text()));
    }
    return {axes_.kept(inputs[0].shape), inputs[0].dtype, joined(inputs)};
  }
  // As XLA's: NaN wins.
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext&) const override {
    std::ranges::fill(out.values(), -std::numeric_limits<float>::infinity());
    axes_.for_each(inputs[0].shape, [&](std::int64_t i, std::int64_t kept) {
      const float x = inputs[0][i];
      if (x > out[kept] || x != x) out[kept] = x;
    });
  }
  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor output,
                               Tensor upstream) const override {
    const auto op = std::make_shared<const MaxAxesGradient>(axes_);
    return {upstream.graph->apply(op, {inputs[0], output, upstream})};
  }
  Work work(std::span<const Type> inputs, const Type&) const override {
    return VectorWork{.shape = inputs[0].shape, .cheap = 1, .reduced_axis = axes_.first()};
  }
  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    return stack_of_maximum(axes_, inputs);
  }

 private:
  AxisSet axes_;
};

Tensor sum_over(const char* op, Tensor x, const std::vector<int>& axes, bool mean) {
  const AxisSet set(op, x.shape(), axes, x.type().dtype);
  if (set.empty()) return x;
  const std::int64_t divisor = mean ? set.reduced_elements(x.shape()) : 1;
  if (divisor == 0) {
    throw Error(fmt::format("{}: {} has no elements along the axes {}; give at least one", op,
                            text_of(x.type().dtype, x.shape()), set.text()));
  }
  return x.graph->apply(std::make_shared<const SumAxes>(set, divisor), {x});
}

}  // namespace

Tensor reduce_sum(Tensor x, const std::vector<int>& axes) {
  return sum_over("reduce_sum", x, axes, false);
}
Tensor reduce_mean(Tensor x, const std::vector<int>& axes) {
  return sum_over("reduce_mean", x, axes, true);
}
Tensor reduce_max(Tensor x, const std::vector<int>& axes) {
  const AxisSet set("reduce_max", x.shape(), axes, x.type().dtype);
  if (set.empty()) return x;
  return x.graph->apply(std::make_shared<const MaxAxes>(set), {x});
}

}  // namespace tpulab
