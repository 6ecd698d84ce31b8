#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/elementwise.h"

namespace tpulab {

namespace {

class AllReduce final : public Op {
 public:
  AllReduce(int world, bool mean) : world_(world), mean_(mean) {}

  std::string_view name() const override { return "all-reduce"; }
  std::string attributes() const override {
    return fmt::format("{} world={}", mean_ ? "mean" : "sum", world_);
  }
  OpTraits traits() const override { return {.collective = true}; }

  Type infer(std::span<const Type> inputs) const override {
    return {inputs[0].shape, inputs[0].dtype, Placement::shared};
  }

  // The input is already the sum over the cores: held as `partial`, or summed by the ring.
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const float divisor = mean_ ? static_cast<float>(world_) : 1.0f;
    unary_loop(inputs[0], out, context, [divisor](float x) { return x / divisor; });
  }

  // Each core's value enters every core's result, so the gradients of all cores add up again.
  std::vector<Tensor> gradient(std::span<const Tensor>, Tensor, Tensor upstream) const override {
    return {all_reduce(upstream, world_, mean_)};
  }

  Work work(std::span<const Type> inputs, const Type&) const override {
    const Type& x = inputs[0];
    return CollectiveWork{CollectiveKind::all_reduce, {x.shape.elements() * bytes_of(x.dtype)}};
  }

  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    return inputs[0] == Stack::partial ? Stack::shared : Stack::none;
  }

 private:
  int world_;
  bool mean_;
};

}  // namespace

Tensor all_reduce(Tensor x, int world, bool mean) {
  expects(world >= 1, "an all-reduce spans at least one core");
  if (world == 1) return x;
  return x.graph->apply(std::make_shared<const AllReduce>(world, mean), {x});
}

}  // namespace tpulab
