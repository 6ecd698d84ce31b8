// The backward pass of a layer that runs repeatedly makes again what the policy does not keep: the
// layer's forward pass, as far as it is needed, runs once more before it.
#include <algorithm>
#include <map>
#include <optional>
#include <variant>

#include "engine/compiler/compile.h"
#include "engine/compiler/stored.h"

namespace tpulab {

namespace {

// In a pipeline a stage may have one of its layers, which runs for each microbatch.
bool repeats(const Region& region) { return region.layer != 0; }

// Scores and values of attention, of one row and head too.
bool of_heads(const Program& program, const Node& node) {
  constexpr int rank = 4;  // [rows, heads, tokens, width]
  return node.op->name() == "dot" && std::ranges::all_of(node.inputs, [&](NodeId input) {
           return program.node(input).type.shape.rank() >= rank;
         });
}

std::optional<MatrixWork> product_with_weights(const Program& program, const Node& node) {
  if (node.leaf()) return std::nullopt;
  const Work work = node.op->work(types_read(program, node), node.type);
  const auto* product = std::get_if<MatrixWork>(&work);
  if (product == nullptr) return std::nullopt;
  const bool shared = std::ranges::any_of(node.inputs, [&](NodeId input) {
    return program.node(input).type.placement == Placement::shared;
  });
  const bool weights = shared || (product->batch == 1 && !of_heads(program, node));
  return weights ? std::optional(*product) : std::nullopt;
}

enum class Divides : std::uint8_t { nothing, columns, rows };

// What a tensor group divides of a product's weights: columns where all of it read the same, behind
// these the rows until the group adds up.
Divides divided_by_group(const Program& program, const Node& product) {
  Divides divides = Divides::columns;
  for (NodeId id = product.inputs[0];; id = program.node(id).inputs[0]) {
    const Node& node = program.node(id);
    const bool within = !node.leaf() && node.region.layer == product.region.layer;
    if (!within || node.inputs.empty() || node.op->name() == "all-reduce") return Divides::nothing;
    if (node.op->name() == "divided") return divides;
    if (multiplies_weights(program, node)) divides = Divides::rows;
  }
}

// No wider than what it reads, whatever a tensor group leaves a device of either.
bool is_narrow(const Program& program, const Node& node, const MatrixWork& product, int tensor) {
  if (tensor == 1) return product.n <= product.k;
  const Divides divides = divided_by_group(program, node);
  return product.n * (divides == Divides::columns ? tensor : 1) <=
         product.k * (divides == Divides::rows ? tensor : 1);
}

// Such a product, or what a group adds up of it; of `narrow` ones no more than the product reads.
bool is_dense(const Program& program, const Node& node, const Keeping& keeping) {
  if (node.traits.collective) return true;
  const auto product = product_with_weights(program, node);
  return product &&
         (keeping.remat != Remat::narrow || is_narrow(program, node, *product, keeping.tensor));
}

class Rematerialiser {
 public:
  Rematerialiser(Program& program, const Keeping& keeping, bool rounded_once)
      : program_(program),
        keeping_(keeping),
        rounded_once_(rounded_once),
        again_(program.nodes.size(), 0) {
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

  // What is made of weights alone, and gathered for it, is never kept, but for weights that a loop
  // over layers finds rounded [TPU: before the loop].
  bool made_again(const Region& reader, NodeId id) const {
    const Node& node = program_.node(id);
    if (node.leaf() || node.region.layer != reader.layer ||
        node.region.pass != Region::Pass::forward || begins_layer(node) ||
        (rounded_once_ && rounds_weights(program_, node))) {
      return false;
    }
    if (always_made_again(id)) return true;
    if (keeps_products(keeping_.remat)) return !is_dense(program_, node, keeping_);
    return keeping_.remat != Remat::none;
  }

  bool always_made_again(NodeId id) const {
    const Node& node = program_.node(id);
    return fixed_[static_cast<std::size_t>(id)] != 0 ||
           node.region.finds == Region::Finds::nothing || drops(node);
  }

  // Masks of dropout are drawn anew, and what they leave is no other array to keep.
  bool drops(const Node& node) const {
    return node.traits.elementwise && std::ranges::any_of(node.inputs, [&](NodeId input) {
             const Node& mask = program_.node(input);
             return !mask.leaf() && mask.type.placement == Placement::per_core &&
                    fixed_[static_cast<std::size_t>(input)] != 0;
           });
  }

  // The layer's input itself: a look at what the run before has left.
  bool begins_layer(const Node& node) const {
    const OpTraits traits = node.traits;
    return traits.carries ||
           (traits.bitcast && program_.node(node.inputs[0]).region.layer != node.region.layer);
  }

  using Copies = std::map<NodeId, NodeId>;

  // Copies stand before the first backward node that reads them: weights are gathered when their
  // turn comes.
  void rebuild() {
    for (std::size_t id = 0; id < program_.nodes.size(); ++id) {
      const Node& node = program_.nodes[id];
      Copies* const made = backward(node) ? &copies_[node.region.layer] : nullptr;
      if (made != nullptr) {
        for (const NodeId input : node.inputs) make_again(input, node.region, *made);
      }
      position_.push_back(append(rewired(node, made)));
    }
    program_.nodes = std::move(nodes_);
    program_.made_again = made_again_;
    for (NodeId& id : program_.inputs) id = position_[static_cast<std::size_t>(id)];
    for (NodeId& id : program_.outputs) id = position_[static_cast<std::size_t>(id)];
  }

  void make_again(NodeId id, const Region& reader, Copies& made) {
    const Node& original = program_.node(id);
    const bool here = again_[static_cast<std::size_t>(id)] && original.region.layer == reader.layer;
    if (!here || made.contains(id)) return;
    for (const NodeId input : original.inputs) make_again(input, reader, made);
    if (!always_made_again(id)) made_again_ += original.region.runs;
    Node copy = rewired(original, &made);
    copy.region = reader;
    made[id] = append(std::move(copy));
  }

  Node rewired(Node node, const Copies* made) const {
    for (NodeId& input : node.inputs) {
      const bool again = made != nullptr && made->contains(input);
      input = again ? made->at(input) : position_[static_cast<std::size_t>(input)];
    }
    return node;
  }

  NodeId append(Node node) {
    nodes_.push_back(std::move(node));
    return static_cast<NodeId>(nodes_.size()) - 1;
  }

  Program& program_;
  Keeping keeping_;
  bool rounded_once_;
  std::vector<char> again_;
  std::vector<char> fixed_;       // the same for every batch
  std::map<int, Copies> copies_;  // per layer
  std::int64_t made_again_ = 0;
  std::vector<NodeId> position_;  // per node of the program: its new place
  std::vector<Node> nodes_;
};

}  // namespace

bool rounds_weights(const Program& program, const Node& node) {
  if (!node.traits.elementwise || node.inputs.size() != 1) return false;
  const Node& rounded = program.node(node.inputs[0]);
  return rounded.leaf() && rounded.type.placement == Placement::shared;
}

bool multiplies_weights(const Program& program, const Node& node) {
  return product_with_weights(program, node).has_value();
}

void rematerialise(Program& program, const Keeping& keeping, bool rounded_once) {
  const bool any =
      std::ranges::any_of(program.nodes, [](const Node& node) { return repeats(node.region); });
  if (any) Rematerialiser(program, keeping, rounded_once).run();
}

}  // namespace tpulab
