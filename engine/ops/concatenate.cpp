#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/ops/axis_runs.h"
#include "engine/ops/ops.h"

namespace tpulab {

namespace {

class Concatenate final : public Op {
 public:
  explicit Concatenate(int axis) : axis_(axis) {}

  std::string_view name() const override { return "concatenate"; }
  std::string attributes() const override { return fmt::format("axis={}", axis_); }

  Type infer(std::span<const Type> inputs) const override {
    check_axis(name(), inputs[0], axis_);
    Shape shape = inputs[0].shape;
    shape[axis_] = 0;
    for (const Type& input : inputs) {
      Shape rest = input.shape;
      if (rest.rank() == shape.rank()) rest[axis_] = shape[axis_];
      if (rest != shape || input.dtype != inputs[0].dtype) {
        throw Error(fmt::format(
            "concatenate: {} and {} do not fit; only the extents of axis {} may differ",
            text_of(inputs[0].dtype, inputs[0].shape), text_of(input.dtype, input.shape), axis_));
      }
      shape[axis_] += input.shape[axis_];
    }
    return {shape, inputs[0].dtype, joined(inputs)};
  }

  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext&) const override {
    const AxisRuns to = runs_along(out.shape, axis_);
    float* place = out.data;
    for (const ArrayView& input : inputs) {
      const std::int64_t block = runs_along(input.shape, axis_).block();
      for (std::int64_t i = 0; i < to.outer; ++i) {
        std::copy_n(input.data + i * block, block, place + i * to.block());
      }
      place += block;
    }
  }

  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor,
                               Tensor upstream) const override {
    std::vector<Tensor> flows;
    std::int64_t first = 0;
    for (const Tensor& input : inputs) {
      flows.push_back(slice(upstream, axis_, first, input.shape()[axis_]));
      first += input.shape()[axis_];
    }
    return flows;
  }

  Work work(std::span<const Type>, const Type& output) const override {
    return VectorWork{.shape = output.shape};
  }

  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    const bool same = std::ranges::all_of(inputs, [&](Stack held) { return held == inputs[0]; });
    return !same || (inputs[0] == Stack::rows && axis_ == 0) ? Stack::none : inputs[0];
  }

 private:
  int axis_;
};

}  // namespace

Tensor concatenate(const std::vector<Tensor>& parts, int axis) {
  expects(!parts.empty(), "there is something to concatenate");
  return parts[0].graph->apply(std::make_shared<const Concatenate>(axis), parts);
}

}  // namespace tpulab
