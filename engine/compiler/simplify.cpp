// Merges nodes that compute the same thing and removes those that nobody reads. Inputs stay, all of
// them: their numbers are part of the program's interface.
#include <bit>
#include <functional>
#include <string_view>
#include <vector>

#include "engine/base/random_bits.h"
#include "engine/compiler/compile.h"

namespace tpulab {

namespace {

std::size_t hash_of(const Node& node) {
  std::size_t hash = std::hash<std::string_view>()(node.op->name());
  for (const NodeId input : node.inputs) hash = hashed(hash, input);
  for (const std::int64_t extent : node.type.shape.extents()) hash = hashed(hash, extent);
  return hash;
}

// Attributes last: they are put in words.
bool compute_the_same(const Node& a, const Node& b) {
  return a.inputs == b.inputs && a.region.layer == b.region.layer && a.type.dtype == b.type.dtype &&
         a.type.shape == b.type.shape &&
         (a.op == b.op ||
          (a.op->name() == b.op->name() && a.op->attributes() == b.op->attributes()));
}

// Nodes by what they compute, in a table that is twice as long as it needs to be.
class Known {
 public:
  explicit Known(const Program& program)
      : program_(program), places_(std::bit_ceil(2 * program.nodes.size() + 1), none) {}

  // The first node that computes the same.
  NodeId first_like(NodeId id) {
    const Node& node = program_.node(id);
    for (std::size_t at = hash_of(node);; ++at) {
      NodeId& place = places_[at & (places_.size() - 1)];
      if (place == none) place = id;
      if (place == id || compute_the_same(program_.node(place), node)) return place;
    }
  }

 private:
  static constexpr NodeId none = -1;
  const Program& program_;
  std::vector<NodeId> places_;
};

// For each node, the first one that computes the same.
std::vector<NodeId> representatives(Program& program) {
  Known known(program);
  std::vector<NodeId> representative;
  representative.reserve(program.nodes.size());
  for (NodeId id = 0; id < static_cast<NodeId>(program.nodes.size()); ++id) {
    Node& node = program.nodes[static_cast<std::size_t>(id)];
    for (NodeId& input : node.inputs) input = representative[static_cast<std::size_t>(input)];
    if (node.traits.is_first_input) {
      representative.push_back(node.inputs[0]);
      continue;
    }
    const bool own = node.leaf() || node.traits.collective;
    representative.push_back(own ? id : known.first_like(id));
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
  kept.reserve(program.nodes.size());
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
