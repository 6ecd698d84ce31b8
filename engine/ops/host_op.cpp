#include "engine/ops/host_op.h"

#include "engine/base/error.h"

namespace tpulab {

void HostOp::evaluate(std::span<const ArrayView>, ArraySpan, const EvaluateContext&) const {
  expects(false, "a host op is never part of a program");
}

std::vector<Tensor> HostOp::gradient(std::span<const Tensor> inputs, Tensor, Tensor) const {
  return std::vector<Tensor>(inputs.size());
}

Work HostOp::work(std::span<const Type> inputs, const Type& output) const {
  HostWork work;
  work.bytes.value = output.shape.elements() * bytes_of(output.dtype);
  for (const Type& input : inputs) {
    work.flops.value += input.shape.elements();
    work.bytes.value += input.shape.elements() * bytes_of(input.dtype);
  }
  return work;
}

}  // namespace tpulab
