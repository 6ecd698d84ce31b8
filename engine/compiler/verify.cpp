// What must hold of every program, whatever was traced.
#include <algorithm>

#include "engine/base/error.h"
#include "engine/compiler/compile.h"
#include "engine/compiler/stored.h"

namespace tpulab {

namespace {

void verify_order(const Program& program) {
  for (std::size_t id = 0; id < program.nodes.size(); ++id) {
    for (const NodeId input : program.nodes[id].inputs) {
      expects(input >= 0 && input < static_cast<NodeId>(id), "a node reads only earlier nodes");
    }
  }
}

// Per node the kernel that it is known after: its own, of folded ones the last of what they are
// made of. -1: before all of them.
std::vector<int> known_after(const Program& program) {
  constexpr int nowhere = -2;
  std::vector<int> after(program.nodes.size(), nowhere);
  for (std::size_t k = 0; k < program.kernels.size(); ++k) {
    for (const NodeId id : program.kernels[k].nodes) {
      int& own = after[static_cast<std::size_t>(id)];
      expects(own == nowhere && stored(program, id), "a node runs in one kernel only");
      own = static_cast<int>(k);
    }
  }
  for (std::size_t id = 0; id < program.nodes.size(); ++id) {
    const Node& node = program.nodes[id];
    if (after[id] != nowhere) continue;
    expects(node.leaf() || !stored(program, static_cast<NodeId>(id)), "every node has a kernel");
    after[id] = -1;
    for (const NodeId input : value_inputs(node)) {
      after[id] = std::max(after[id], after[static_cast<std::size_t>(input)]);
    }
  }
  return after;
}

// Every node that is stored runs once, after all that it reads.
void verify_kernels(const Program& program) {
  const std::vector<int> after = known_after(program);
  for (std::size_t k = 0; k < program.kernels.size(); ++k) {
    const std::vector<NodeId>& nodes = program.kernels[k].nodes;
    expects(!nodes.empty() && std::ranges::is_sorted(nodes), "a kernel has nodes, in run order");
    for (const NodeId id : nodes) {
      for (const NodeId input : value_inputs(program.node(id))) {
        expects(after[static_cast<std::size_t>(input)] <= static_cast<int>(k),
                "a kernel runs after what it reads");
      }
    }
  }
}

}  // namespace

void verify(const Program& program) {
  verify_order(program);
  expects(program.folded.size() == program.nodes.size(), "each node is folded or stored");
  verify_kernels(program);
  expects(program.outputs.size() == program.donated.size(), "each output says what it overwrites");
  expects(program.stacks.size() == program.nodes.size(), "each node says how it is held");
}

}  // namespace tpulab
