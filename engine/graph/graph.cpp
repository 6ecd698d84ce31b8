#include "engine/graph/graph.h"

#include "engine/base/error.h"

namespace tpulab {

Tensor Graph::apply(std::shared_ptr<const Op> op, std::span<const Tensor> inputs) {
  Node node;
  std::vector<Type> types;
  types.reserve(inputs.size());
  for (const Tensor& input : inputs) {
    expects(input.graph == this, "inputs belong to the graph they are applied in");
    node.inputs.push_back(input.id);
    types.push_back(input.type());
  }
  node.traits = op->traits();
  if (node.traits.on_host) {
    expects(static_cast<bool>(run_on_host), "a host op needs a runtime");
    return run_on_host(op, inputs);
  }
  node.type = op->infer(types);
  node.op = std::move(op);
  node.label = label_;
  if (!node.traits.casts) traced_ops_ += static_cast<int>(region_.runs);
  return append(std::move(node));
}

Tensor Graph::leaf(BufferId buffer, const Type& type, std::string label) {
  Node node;
  node.type = type;
  node.buffer = buffer;
  node.label = std::move(label);
  return append(std::move(node));
}

Tensor Graph::scalar_leaf(float value, std::string label) {
  const auto [place, fresh] = scalars_.try_emplace(std::bit_cast<std::uint32_t>(value), size());
  if (!fresh) return {this, place->second};
  Node node;
  node.scalar = value;
  node.label = std::move(label);
  return append(std::move(node));
}

void Graph::reset() {
  nodes_.clear();
  scalars_.clear();
  traced_ops_ = 0;
  region_ = {};
  layers_ = 0;
  label_.clear();
}

Tensor Graph::append(Node node) {
  // A scalar is one input, whoever asks for it.
  if (!node.scalar) node.region = region_;
  nodes_.push_back(std::move(node));
  return {this, size() - 1};
}

}  // namespace tpulab
