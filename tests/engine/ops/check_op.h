// What every op must keep: it writes each element of its output and nothing else, slices of an
// elementwise op give the bits of the whole, and its gradient agrees with finite differences.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "tests/engine/ops/step.h"

namespace tpulab::test {

using Build = std::function<Tensor(std::span<const Tensor>)>;

// Fails the running test where `build` breaks one of the rules above. Inputs that are s32 or pred
// must get no gradient, all others must. Values near a kink (0 for relu) are the caller's care.
void check_op(const std::vector<Array>& inputs, const Build& build);
void check_evaluation(const std::vector<Array>& inputs, const Build& build);
void check_gradient(const std::vector<Array>& inputs, const Build& build);

// One backward loop: the gradient of every node that `seed` at `output` reaches.
std::map<NodeId, Tensor> backward(Tensor output, Tensor seed);

// The work of the node behind `tensor`; throws std::bad_variant_access if it is of another kind.
template <class Kind>
Kind work_of(Tensor tensor) {
  const Node& node = tensor.graph->node(tensor.id);
  std::vector<Type> types;
  for (const NodeId input : node.inputs) types.push_back(tensor.graph->node(input).type);
  return std::get<Kind>(node.op->work(types, node.type));
}

// How the result of `tensor`'s op is held if its inputs are held so.
Stack stack_of(Tensor tensor, std::vector<Stack> inputs);

// The values of `build` on these inputs.
std::vector<float> values_of(const std::vector<Array>& inputs, const Build& build,
                             const EvaluateContext& context = {});

// What the Error thrown by `action` says; empty if none is thrown.
std::string error_of(const std::function<void()>& action);

// The numbers pushed away from zero by `gap`, where kinks are.
Array away_from_zero(Array array, float gap = 0.1f);

}  // namespace tpulab::test
