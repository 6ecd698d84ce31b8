#include "engine/training/gradient.h"

#include "engine/base/error.h"
#include "engine/ops/ops.h"

namespace tpulab {

namespace {

// Nodes through which a change of the targets reaches the loss.
std::vector<char> carriers(const Graph& graph, NodeId last, std::span<const Tensor> targets) {
  std::vector<char> carries(static_cast<std::size_t>(last) + 1, 0);
  for (const Tensor& target : targets) {
    if (target.id <= last) carries[static_cast<std::size_t>(target.id)] = 1;
  }
  for (NodeId id = 0; id <= last; ++id) {
    if (graph.node(id).traits.stops) continue;
    for (const NodeId input : graph.node(id).inputs) {
      if (carries[static_cast<std::size_t>(input)]) carries[static_cast<std::size_t>(id)] = 1;
    }
  }
  return carries;
}

}  // namespace

std::vector<Tensor> gradient(Tensor loss, std::span<const Tensor> with_respect_to, double weight) {
  expects(loss.shape().scalar(), "gradients are taken of a scalar");
  Graph& graph = *loss.graph;
  const std::vector<char> carries = carriers(graph, loss.id, with_respect_to);
  std::vector<Tensor> upstream(static_cast<std::size_t>(loss.id) + 1);
  upstream.back() = convert(scalar(graph, weight), loss.type().dtype);
  for (NodeId id = loss.id; id >= 0; --id) {
    const auto at = static_cast<std::size_t>(id);
    // Nodes live in a deque: the reference stays good while the rules append.
    const Node& node = graph.node(id);
    if (node.leaf() || !carries[at] || !upstream[at]) continue;
    const Region before = graph.enter(node.region.in(Region::Pass::backward));
    std::vector<Tensor> inputs;
    for (const NodeId input : node.inputs) inputs.push_back({&graph, input});
    const std::vector<Tensor> flows = node.op->gradient(inputs, {&graph, id}, upstream[at]);
    for (std::size_t i = 0; i < flows.size(); ++i) {
      const auto to = static_cast<std::size_t>(inputs[i].id);
      if (!flows[i] || !carries[to]) continue;
      upstream[to] = upstream[to] ? add(upstream[to], flows[i]) : flows[i];
    }
    graph.enter(before);
  }
  std::vector<Tensor> result;
  for (const Tensor& target : with_respect_to) {
    Tensor own = target.id <= loss.id ? upstream[static_cast<std::size_t>(target.id)] : Tensor{};
    const Type& type = target.type();
    result.push_back(own ? own : constant(graph, 0, type.shape, type.dtype));
  }
  return result;
}

}  // namespace tpulab
