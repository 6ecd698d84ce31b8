// What must hold of every program, whatever was traced.
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

// Every node that is stored runs once, after all that it reads.
void verify_kernels(const Program& program) {
  std::vector<char> ready(program.nodes.size(), 0);
  for (std::size_t id = 0; id < program.nodes.size(); ++id) {
    ready[id] = program.nodes[id].leaf() || !stored(program, static_cast<NodeId>(id));
  }
  const Wiring wiring(program);
  for (const Kernel& kernel : program.kernels) {
    expects(!kernel.nodes.empty(), "a kernel has nodes");
    for (const NodeId id : kernel.nodes) {
      expects(!ready[static_cast<std::size_t>(id)], "a node runs in one kernel only");
      for (const NodeId input : wiring.inputs(id)) {
        expects(ready[static_cast<std::size_t>(input)], "a kernel runs after what it reads");
      }
      ready[static_cast<std::size_t>(id)] = 1;
    }
  }
  for (std::size_t id = 0; id < program.nodes.size(); ++id) {
    expects(ready[id], "every node has a kernel");
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
