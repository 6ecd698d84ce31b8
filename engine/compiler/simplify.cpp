// Merges nodes that compute the same thing and removes those that nobody reads. Inputs stay, all of
// them: their numbers are part of the program's interface.
#include <fmt/format.h>

#include <map>

#include "engine/compiler/compile.h"

namespace tpulab {

namespace {

std::string expression(const Node& node) {
  std::string text =
      fmt::format("{}|{}|{}|", node.region.layer, node.op->name(), node.op->attributes());
  for (const NodeId input : node.inputs) text += fmt::format("{},", input);
  return text + text_of(node.type.dtype, node.type.shape);
}

// For each node, the first one that computes the same.
std::vector<NodeId> representatives(Program& program) {
  std::map<std::string, NodeId> known;
  std::vector<NodeId> representative;
  for (NodeId id = 0; id < static_cast<NodeId>(program.nodes.size()); ++id) {
    Node& node = program.nodes[static_cast<std::size_t>(id)];
    for (NodeId& input : node.inputs) input = representative[static_cast<std::size_t>(input)];
    NodeId same = id;
    if (!node.leaf() && !node.op->traits().collective) {
      same = known.try_emplace(expression(node), id).first->second;
    }
    representative.push_back(same);
  }
  return representative;
}

}  // namespace

void simplify(Program& program) {
  const std::vector<NodeId> representative = representatives(program);
  for (NodeId& output : program.outputs) output = representative[static_cast<std::size_t>(output)];

  std::vector<char> needed(program.nodes.size(), 0);
  for (const NodeId output : program.outputs) needed[static_cast<std::size_t>(output)] = 1;
  for (std::size_t id = program.nodes.size(); id-- > 0;) {
    if (!needed[id]) continue;
    for (const NodeId input : program.nodes[id].inputs) needed[static_cast<std::size_t>(input)] = 1;
  }

  std::vector<NodeId> position(program.nodes.size(), -1);
  std::vector<Node> kept;
  program.inputs.clear();
  for (std::size_t id = 0; id < program.nodes.size(); ++id) {
    Node& node = program.nodes[id];
    if (!needed[id] && !node.leaf()) continue;
    position[id] = static_cast<NodeId>(kept.size());
    for (NodeId& input : node.inputs) input = position[static_cast<std::size_t>(input)];
    if (node.leaf()) program.inputs.push_back(position[id]);
    kept.push_back(std::move(node));
  }
  for (NodeId& output : program.outputs) output = position[static_cast<std::size_t>(output)];
  program.nodes = std::move(kept);
}

}  // namespace tpulab
