// Bitcasts look at their input's memory, and broadcasts are made again in every kernel that reads
// them: neither is a kernel of its own.
#include <algorithm>

#include "engine/compiler/compile.h"
#include "engine/compiler/stored.h"

namespace tpulab {

namespace {

// An output needs memory of its own; that of a computed value will do.
bool leaves_without_memory(const Program& program, NodeId id) {
  if (std::ranges::find(program.outputs, id) == program.outputs.end()) return false;
  const NodeId memory = memory_of(program, program.node(id).inputs[0]);
  return !program.node(id).op->traits().bitcast || program.node(memory).leaf() ||
         !stored(program, memory);
}

}  // namespace

void fold(Program& program) {
  program.folded.assign(program.nodes.size(), 0);
  for (std::size_t id = 0; id < program.nodes.size(); ++id) {
    const Node& node = program.nodes[id];
    if (node.leaf()) continue;
    const OpTraits traits = node.op->traits();
    program.folded[id] = (traits.bitcast || traits.repeats) &&
                         !leaves_without_memory(program, static_cast<NodeId>(id));
  }
  // What travels between cores lies in memory.
  for (const Node& node : program.nodes) {
    if (node.leaf() || !node.op->traits().collective) continue;
    for (const NodeId input : node.inputs) {
      const Node& sent = program.node(input);
      if (!sent.leaf() && sent.op->traits().repeats) {
        program.folded[static_cast<std::size_t>(input)] = 0;
      }
    }
  }
}

}  // namespace tpulab
