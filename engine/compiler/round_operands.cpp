// Products round their f32 operands to bf16. Here the rounding becomes a node of its own behind the
// operand, so that it happens once, however many products read it, and so that a value that only
// products read is stored at half the bytes.
#include <algorithm>

#include "engine/compiler/compile.h"
#include "engine/compiler/fuse.h"

namespace tpulab {

namespace {

// The conversion that no program wrote: it has no gradient.
class Rounding final : public Op {
 public:
  std::string_view name() const override { return "convert"; }
  std::string attributes() const override { return "to=bf16"; }
  OpTraits traits() const override { return {.elementwise = true}; }
  Type infer(std::span<const Type> inputs) const override {
    return {inputs[0].shape, DType::bf16, inputs[0].placement};
  }
  // Rounding is left to the caller, as for any op.
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext&) const override {
    std::ranges::copy(inputs[0].values(), out.data);
  }
  Work work(std::span<const Type>, const Type& output) const override {
    return VectorWork{.shape = output.shape, .cheap = 1};
  }
  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    return inputs[0];
  }
};

Node rounding_of(const Type& type, NodeId operand, const Region& region) {
  static const auto op = std::make_shared<const Rounding>();
  Node node;
  node.op = op;
  node.traits = op->traits();
  node.inputs = {operand};
  node.type = op->infer({&type, 1});
  node.region = region;
  return node;
}

// Per node: whether a product rounds it.
std::vector<char> rounded_nodes(const Program& program) {
  std::vector<char> rounded(program.nodes.size(), 0);
  for (const Node& node : program.nodes) {
    if (!node.traits.rounds) continue;
    for (const NodeId input : node.inputs) {
      rounded[static_cast<std::size_t>(input)] = program.node(input).type.dtype == DType::f32;
    }
  }
  return rounded;
}

// Per node: a gather that products alone read is rounded before it travels, as XLA does it
// (libtpu 0.0.42.1, sharded steps on v3).
std::vector<char> narrow_gathers(const Program& program, const std::vector<char>& rounded) {
  std::vector<char> narrow(program.nodes.size(), 0);
  for (std::size_t id = 0; id < program.nodes.size(); ++id) {
    if (rounded[id] == 0 || !program.nodes[id].traits.collective) continue;
    const CollectiveWork work = collective_of(program, static_cast<NodeId>(id));
    narrow[id] = work.kind == CollectiveKind::all_gather ? 1 : 0;
  }
  for (const Node& node : program.nodes) {
    if (node.traits.rounds) continue;
    for (const NodeId input : node.inputs) narrow[static_cast<std::size_t>(input)] = 0;
  }
  for (const NodeId output : program.outputs) narrow[static_cast<std::size_t>(output)] = 0;
  return narrow;
}

}  // namespace

void round_operands(Program& program) {
  const std::vector<char> rounded = rounded_nodes(program);
  const std::vector<char> travels_narrow = narrow_gathers(program, rounded);
  std::vector<NodeId> position(program.nodes.size());
  std::vector<NodeId> narrow(program.nodes.size());
  std::vector<Node> nodes;
  nodes.reserve(program.nodes.size() * 3 / 2);
  for (std::size_t id = 0; id < program.nodes.size(); ++id) {
    Node node = std::move(program.nodes[id]);
    const std::vector<NodeId>& wanted = node.traits.rounds ? narrow : position;
    for (NodeId& input : node.inputs) input = wanted[static_cast<std::size_t>(input)];
    if (travels_narrow[id] != 0) {
      const Type part = nodes[static_cast<std::size_t>(node.inputs[0])].type;
      nodes.push_back(rounding_of(part, node.inputs[0], node.region));
      node.inputs[0] = static_cast<NodeId>(nodes.size()) - 1;
      node.type.dtype = DType::bf16;
    }
    position[id] = narrow[id] = static_cast<NodeId>(nodes.size());
    const Type type = node.type;
    const Region region = node.region;
    nodes.push_back(std::move(node));
    if (!rounded[id] || travels_narrow[id] != 0) continue;
    narrow[id] = static_cast<NodeId>(nodes.size());
    nodes.push_back(rounding_of(type, position[id], region));
  }
  program.nodes = std::move(nodes);
  for (NodeId& id : program.inputs) id = position[static_cast<std::size_t>(id)];
  for (NodeId& id : program.outputs) id = position[static_cast<std::size_t>(id)];
}

}  // namespace tpulab
