// The backward pass of a layer that runs repeatedly makes again what the policy does not keep: the
// layer's forward pass, as far as it is needed, runs once more before it.
#include <algorithm>
#include <map>
#include <variant>

#include "engine/compiler/compile.h"

namespace tpulab {

namespace {

bool repeats(const Region& region) { return region.layer != 0 && region.runs > 1; }

// A product with weights: one for all rows. What a group adds up of it is kept as well.
bool is_dense(const Program& program, const Node& node) {
  std::vector<Type> types;
  for (const NodeId input : node.inputs) types.push_back(program.node(input).type);
  const Work work = node.op->work(types, node.type);
  const auto* product = std::get_if<MatrixWork>(&work);
  return product != nullptr && product->batch == 1;
}

class Rematerialiser {
 public:
  Rematerialiser(Program& program, Remat remat)
      : program_(program), remat_(remat), again_(program.nodes.size(), 0) {
    for (const Node& node : program.nodes) fixed_.push_back(made_of_parameters(node));
  }

  void run() {
    for (auto id = static_cast<NodeId>(program_.nodes.size()) - 1; id >= 0; --id) mark_inputs(id);
    rebuild();
  }

 private:
  bool backward(const Node& node) const {
    return repeats(node.region) && node.region.pass == Region::Pass::backward;
  }

  bool made_of_parameters(const Node& node) const {
    if (node.leaf()) return node.type.placement == Placement::shared;
    return std::ranges::all_of(
        node.inputs, [&](NodeId input) { return fixed_[static_cast<std::size_t>(input)] != 0; });
  }

  // Nodes that reads of the backward pass, or of what it makes again, have made again.
  void mark_inputs(NodeId id) {
    const Node& node = program_.node(id);
    if (!backward(node) && !again_[static_cast<std::size_t>(id)]) return;
    for (const NodeId input : node.inputs) {
      if (made_again(node.region, input)) again_[static_cast<std::size_t>(input)] = 1;
    }
  }

  // What is made of weights alone, and gathered for it, is never kept.
  bool made_again(const Region& reader, NodeId id) const {
    const Node& node = program_.node(id);
    if (node.leaf() || node.region.layer != reader.layer ||
        node.region.pass != Region::Pass::forward || begins_layer(node)) {
      return false;
    }
    if (fixed_[static_cast<std::size_t>(id)] != 0) return true;
    if (remat_ == Remat::minimal) return !node.op->traits().collective && !is_dense(program_, node);
    return runs_forward_twice(remat_);
  }

  // The layer's input itself: a look at what the run before has left.
  bool begins_layer(const Node& node) const {
    return node.op->traits().bitcast &&
           program_.node(node.inputs[0]).region.layer != node.region.layer;
  }

  // Copies stand before the first backward node of their layer.
  void rebuild() {
    std::vector<NodeId> position(program_.nodes.size());
    std::vector<Node> nodes;
    std::map<int, std::map<NodeId, NodeId>> copies;  // per layer
    const auto rewired = [&](Node node, const std::map<NodeId, NodeId>* made) {
      for (NodeId& input : node.inputs) {
        const bool again = made != nullptr && made->contains(input);
        input = again ? made->at(input) : position[static_cast<std::size_t>(input)];
      }
      return node;
    };
    for (std::size_t id = 0; id < program_.nodes.size(); ++id) {
      const Node& node = program_.nodes[id];
      const std::map<NodeId, NodeId>* made = nullptr;
      if (backward(node)) {
        const auto [place, first] = copies.try_emplace(node.region.layer);
        for (NodeId past = 0; first && past < static_cast<NodeId>(id); ++past) {
          const Node& original = program_.node(past);
          if (!again_[static_cast<std::size_t>(past)]) continue;
          if (original.region.layer != node.region.layer) continue;
          Node copy = rewired(original, &place->second);
          copy.region = node.region;
          nodes.push_back(std::move(copy));
          place->second[past] = static_cast<NodeId>(nodes.size()) - 1;
        }
        made = &place->second;
      }
      nodes.push_back(rewired(node, made));
      position[id] = static_cast<NodeId>(nodes.size()) - 1;
    }
    program_.nodes = std::move(nodes);
    for (NodeId& id : program_.inputs) id = position[static_cast<std::size_t>(id)];
    for (NodeId& id : program_.outputs) id = position[static_cast<std::size_t>(id)];
  }

  Program& program_;
  Remat remat_;
  std::vector<char> again_;
  std::vector<char> fixed_;  // the same for every batch
};

}  // namespace

void rematerialise(Program& program, Remat remat) {
  const bool any =
      std::ranges::any_of(program.nodes, [](const Node& node) { return repeats(node.region); });
  if (any) Rematerialiser(program, remat).run();
}

}  // namespace tpulab
