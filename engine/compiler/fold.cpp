// Bitcasts look at their input's memory, and broadcasts are made again in every kernel that reads
// them: neither is a kernel of its own.
#include <algorithm>
#include <functional>
#include <variant>

#include "engine/compiler/compile.h"
#include "engine/compiler/stored.h"

namespace tpulab {

namespace {

// An output needs memory of its own; that of a computed value will do.
bool leaves_without_memory(const Program& program, NodeId id) {
  if (std::ranges::find(program.outputs, id) == program.outputs.end()) return false;
  const NodeId memory = memory_of(program, program.node(id).inputs[0]);
  return !program.node(id).traits.bitcast || program.node(memory).leaf() ||
         !stored(program, memory);
}

// A product reads and writes its operands with their axes in any order: what only changes that
// order between a product and memory moves nothing by itself. Nor does a part of an array, where
// loops read it as it lies (`parts`).
void fold_reordering(Program& program, bool parts) {
  if (std::ranges::none_of(program.nodes, [](const Node& node) { return node.traits.reorders; })) {
    return;
  }
  std::vector<std::vector<NodeId>> readers(program.nodes.size());
  for (NodeId id = 0; id < static_cast<NodeId>(program.nodes.size()); ++id) {
    for (const NodeId input : program.node(id).inputs) {
      readers[static_cast<std::size_t>(input)].push_back(id);
    }
  }
  const auto looks = [&](NodeId id) {
    const Node& node = program.node(id);
    return node.traits.bitcast || node.traits.reorders;
  };
  const auto made_by_product = [&](NodeId id) {
    while (looks(id)) id = program.node(id).inputs[0];
    return multiplies(program, id);
  };
  const std::function<bool(NodeId)> read_by_products = [&](NodeId id) {
    const auto& all = readers[static_cast<std::size_t>(id)];
    return !all.empty() && std::ranges::all_of(all, [&](NodeId reader) {
      return looks(reader) ? read_by_products(reader) : multiplies(program, reader);
    });
  };
  std::vector<NodeId> kept;
  for (const NodeId output : program.outputs) kept.push_back(memory_of(program, output));
  for (NodeId id = 0; id < static_cast<NodeId>(program.nodes.size()); ++id) {
    const Node& node = program.node(id);
    if (!node.traits.reorders) continue;
    const bool output = std::ranges::find(kept, id) != kept.end();
    const bool part =
        parts && node.type.shape.elements() < program.node(node.inputs[0]).type.shape.elements();
    program.folded[static_cast<std::size_t>(id)] =
        !output && (part || made_by_product(id) || read_by_products(id));
  }
}

}  // namespace

bool multiplies(const Program& program, NodeId id) {
  const Node& node = program.node(id);
  if (node.leaf()) return false;
  return std::ranges::any_of(
      node.op->works(types_read(program, node), node.type),
      [](const Work& work) { return std::holds_alternative<MatrixWork>(work); });
}

void fold(Program& program, bool parts) {
  program.folded.assign(program.nodes.size(), 0);
  for (std::size_t id = 0; id < program.nodes.size(); ++id) {
    const Node& node = program.nodes[id];
    if (node.leaf()) continue;
    const OpTraits traits = node.traits;
    program.folded[id] = (traits.bitcast || traits.repeats) &&
                         !leaves_without_memory(program, static_cast<NodeId>(id));
  }
  fold_reordering(program, parts);
  // What travels between cores, or to the host, lies in memory.
  for (const Node& node : program.nodes) {
    if (!node.traits.collective && !node.traits.host_link) continue;
    for (const NodeId input : node.inputs) {
      const Node& sent = program.node(input);
      if (sent.traits.repeats || sent.traits.reorders) {
        program.folded[static_cast<std::size_t>(input)] = 0;
      }
    }
  }
}

}  // namespace tpulab
