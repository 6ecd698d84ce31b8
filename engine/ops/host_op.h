// Ops a TPU cannot run: they are evaluated on the host, between two programs.
#pragma once

#include "engine/graph/op.h"

namespace tpulab {

class HostOp : public Op {
 public:
  OpTraits traits() const override { return {.on_host = true}; }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const final;
  // What a host writes comes back as a fresh leaf: gradients end here.
  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor output,
                               Tensor upstream) const final;
  // One operation per input element; every byte of inputs and output is touched once.
  Work work(std::span<const Type> inputs, const Type& output) const final;
};

}  // namespace tpulab
