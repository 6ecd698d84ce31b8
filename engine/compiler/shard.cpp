// Decides how one merged execution can stand for all replicas: which values are equal everywhere,
// which lie one below the other, which are only known as a sum. Where the ops cannot prove it,
// replicas run one by one.
#include <algorithm>

#include "engine/compiler/compile.h"

namespace tpulab {

namespace {

Stack stack_of_leaf(const Node& node) {
  if (node.scalar || node.type.placement == Placement::shared) return Stack::shared;
  return node.type.shape.rank() > 0 ? Stack::rows : Stack::none;
}

Stack stack_of(const Program& program, const Node& node) {
  if (node.leaf()) return stack_of_leaf(node);
  thread_local std::vector<Stack> stacks;
  thread_local std::vector<Type> types;
  stacks.clear();
  types.clear();
  for (const NodeId input : node.inputs) {
    stacks.push_back(program.stacks[static_cast<std::size_t>(input)]);
    types.push_back(program.node(input).type);
  }
  if (std::ranges::find(stacks, Stack::none) != stacks.end()) return Stack::none;
  return node.op->stack(stacks, types);
}

}  // namespace

void shard(Program& program) {
  program.stacks.clear();
  for (const Node& node : program.nodes) program.stacks.push_back(stack_of(program, node));
  // A sum over cores is no core's value: it may not leave the program.
  const bool sums_leave = std::ranges::any_of(program.outputs, [&](NodeId output) {
    return program.stacks[static_cast<std::size_t>(output)] == Stack::partial;
  });
  const bool all_proven = std::ranges::find(program.stacks, Stack::none) == program.stacks.end();
  program.merges = program.world == 1 || (all_proven && !sums_leave);
}

}  // namespace tpulab
