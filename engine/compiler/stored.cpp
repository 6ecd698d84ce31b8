#include "engine/compiler/stored.h"

#include <algorithm>

namespace tpulab {

namespace {

// `passed`: folded nodes with several inputs, each of which is opened once.
void collect(const Program& program, NodeId id, std::vector<NodeId>& found,
             std::vector<NodeId>& passed) {
  // Long chains of one input are followed in a loop.
  while (!stored(program, id) && value_inputs(program.node(id)).size() == 1) {
    id = value_inputs(program.node(id))[0];
  }
  if (stored(program, id)) {
    if (std::ranges::find(found, id) == found.end()) found.push_back(id);
    return;
  }
  if (std::ranges::find(passed, id) != passed.end()) return;
  passed.push_back(id);
  for (const NodeId input : value_inputs(program.node(id))) collect(program, input, found, passed);
}

}  // namespace

bool stored(const Program& program, NodeId id) {
  const Node& node = program.node(id);
  if (node.leaf()) return true;
  return !program.folded[static_cast<std::size_t>(id)] && !node.op->traits().constant;
}

std::vector<NodeId> stored_inputs(const Program& program, const Node& node) {
  std::vector<NodeId> found;
  std::vector<NodeId> passed;
  for (const NodeId input : value_inputs(node)) collect(program, input, found, passed);
  return found;
}

std::span<const NodeId> value_inputs(const Node& node) {
  const std::span<const NodeId> all(node.inputs);
  return !node.leaf() && node.op->traits().repeats ? all.first(1) : all;
}

NodeId memory_of(const Program& program, NodeId id) {
  while (!stored(program, id) && program.node(id).op->traits().bitcast) {
    id = program.node(id).inputs[0];
  }
  return id;
}

}  // namespace tpulab
