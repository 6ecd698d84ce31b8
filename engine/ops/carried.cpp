#include <algorithm>

#include "engine/ops/ops.h"

namespace tpulab {

namespace {

// The loop of a layer hands its state from run to run; reading it moves nothing.
class Carried final : public Op {
 public:
  std::string_view name() const override { return "get-tuple-element"; }
  OpTraits traits() const override { return {.bitcast = true, .carries = true}; }
  Type infer(std::span<const Type> inputs) const override { return inputs[0]; }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext&) const override {
    std::ranges::copy(inputs[0].values(), out.data);
  }
  std::vector<Tensor> gradient(std::span<const Tensor>, Tensor, Tensor upstream) const override {
    return {upstream};
  }
  Work work(std::span<const Type>, const Type&) const override { return std::monostate{}; }
  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    return inputs[0];
  }
};

}  // namespace

Tensor carried(Tensor x) {
  static const auto op = std::make_shared<const Carried>();
  return x.graph->apply(op, {x});
}

}  // namespace tpulab
