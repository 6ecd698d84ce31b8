// A part of an axis, and its gradient: the part among zeros.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/ops/axis_runs.h"
#include "engine/ops/ops.h"

namespace tpulab {

namespace {

// Rows lie along axis 0: a part of them is not a part of each core's.
Stack stack_beside_axis(int axis, Stack input) {
  return input == Stack::rows && axis == 0 ? Stack::none : input;
}

class Slice final : public Op {
 public:
  Slice(int axis, std::int64_t first, std::int64_t count)
      : axis_(axis), first_(first), count_(count) {}

  std::string_view name() const override { return "slice"; }
  std::string attributes() const override {
    return fmt::format("axis={} first={} count={}", axis_, first_, count_);
  }
  OpTraits traits() const override { return {.reorders = true}; }

  Type infer(std::span<const Type> inputs) const override {
    const Type& x = inputs[0];
    check_axis(name(), x, axis_);
    if (first_ < 0 || count_ < 0 || first_ + count_ > x.shape[axis_]) {
      throw Error(fmt::format("slice: {} to {} is not inside axis {} of {}; stay within its extent",
                              first_, first_ + count_, axis_, text_of(x.dtype, x.shape)));
    }
    Shape shape = x.shape;
    shape[axis_] = count_;
    return {shape, x.dtype, joined(inputs)};
  }

  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext&) const override {
    const AxisRuns from = runs_along(inputs[0].shape, axis_);
    const AxisRuns to = runs_along(out.shape, axis_);
    for (std::int64_t i = 0; i < to.outer; ++i) {
      std::copy_n(inputs[0].data + i * from.block() + first_ * from.inner, to.block(),
                  out.data + i * to.block());
    }
  }

  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor,
                               Tensor upstream) const override {
    return {pad(upstream, axis_, first_, inputs[0].shape()[axis_] - first_ - count_)};
  }

  Work work(std::span<const Type>, const Type& output) const override {
    return VectorWork{.shape = output.shape};
  }

  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    return stack_beside_axis(axis_, inputs[0]);
  }

 private:
  int axis_;
  std::int64_t first_;
  std::int64_t count_;
};

class Pad final : public Op {
 public:
  Pad(int axis, std::int64_t before, std::int64_t after)
      : axis_(axis), before_(before), after_(after) {}

  std::string_view name() const override { return "pad"; }
  std::string attributes() const override {
    return fmt::format("axis={} before={} after={}", axis_, before_, after_);
  }

  Type infer(std::span<const Type> inputs) const override {
    check_axis(name(), inputs[0], axis_);
    if (before_ < 0 || after_ < 0) {
      throw Error(fmt::format("pad: {} before and {} after; give no negative number of zeros",
                              before_, after_));
    }
    Shape shape = inputs[0].shape;
    shape[axis_] += before_ + after_;
    return {shape, inputs[0].dtype, joined(inputs)};
  }

  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext&) const override {
    std::ranges::fill(out.values(), 0.0f);
    const AxisRuns from = runs_along(inputs[0].shape, axis_);
    const AxisRuns to = runs_along(out.shape, axis_);
    for (std::int64_t i = 0; i < to.outer; ++i) {
      std::copy_n(inputs[0].data + i * from.block(), from.block(),
                  out.data + i * to.block() + before_ * to.inner);
    }
  }

  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor,
                               Tensor upstream) const override {
    return {slice(upstream, axis_, before_, inputs[0].shape()[axis_])};
  }

  Work work(std::span<const Type>, const Type& output) const override {
    return VectorWork{.shape = output.shape};
  }

  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    return stack_beside_axis(axis_, inputs[0]);
  }

 private:
  int axis_;
  std::int64_t before_;
  std::int64_t after_;
};

}  // namespace

Tensor slice(Tensor x, int axis, std::int64_t first, std::int64_t count) {
  return x.graph->apply(std::make_shared<const Slice>(axis, first, count), {x});
}

Tensor pad(Tensor x, int axis, std::int64_t before, std::int64_t after) {
  return x.graph->apply(std::make_shared<const Pad>(axis, before, after), {x});
}

}  // namespace tpulab
