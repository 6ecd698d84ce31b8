// Replicas: a traced step on four cores, evaluated one core after the other and as stacked arrays.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/engine/ops/check_op.h"

namespace tpulab::test {

inline constexpr int cores = 4;

using Cores = std::vector<Array>;  // one value per core

class Replicas {
 public:
  Graph graph;

  Tensor shared(Array value, std::string label = {}) {
    return leaf(Cores(cores, std::move(value)), Placement::shared, std::move(label));
  }
  Tensor per_core(Cores values) { return leaf(std::move(values), Placement::per_core, {}); }

  // "%3 dot"; an input has no name.
  std::string words(std::size_t id) const {
    const Node& node = graph.node(static_cast<NodeId>(id));
    return fmt::format("%{} {}", id, node.leaf() ? "" : node.op->name());
  }

  // How each node is held; leaves are shared or rows.
  std::vector<Stack> stacks() const {
    std::vector<Stack> held;
    for (NodeId id = 0; id < graph.size(); ++id) {
      const Node& node = graph.node(id);
      if (node.leaf()) {
        held.push_back(node.type.placement == Placement::per_core ? Stack::rows : Stack::shared);
        continue;
      }
      std::vector<Stack> inputs;
      std::vector<Type> types;
      for (const NodeId input : node.inputs) {
        inputs.push_back(held[static_cast<std::size_t>(input)]);
        types.push_back(graph.node(input).type);
      }
      held.push_back(node.op->stack(inputs, types));
    }
    return held;
  }

  // Every node's value on every core; a collective gets the sum over the cores.
  std::vector<Cores> separate() const {
    std::vector<Cores> values;
    for (NodeId id = 0; id < graph.size(); ++id) {
      const Node& node = graph.node(id);
      Cores results;
      for (std::size_t core = 0; core < cores; ++core) {
        if (node.leaf()) {
          results.push_back(leaf_value(node, core));
          continue;
        }
        std::vector<Array> inputs;
        for (const NodeId input : node.inputs) {
          const Cores& from = values[static_cast<std::size_t>(input)];
          inputs.push_back(node.traits.collective ? sum(from) : from[core]);
        }
        results.push_back(evaluated(node, inputs, node.type.shape, 1));
      }
      values.push_back(std::move(results));
    }
    return values;
  }

  // Every node's one array of all cores, as `stacks` says it is held.
  std::vector<Array> merged() const {
    const std::vector<Stack> held = stacks();
    std::vector<Array> values;
    for (NodeId id = 0; id < graph.size(); ++id) {
      const Node& node = graph.node(id);
      const bool rows = held[static_cast<std::size_t>(id)] == Stack::rows;
      if (node.leaf()) {
        values.push_back(rows ? stacked(all(node)) : leaf_value(node, 0));
        continue;
      }
      std::vector<Array> inputs;
      for (const NodeId input : node.inputs) {
        inputs.push_back(values[static_cast<std::size_t>(input)]);
      }
      Shape shape = node.type.shape;
      if (rows) shape[0] *= cores;
      values.push_back(evaluated(node, inputs, shape, cores));
    }
    return values;
  }

  static Array sum(const Cores& values) {
    Array total = values[0];
    for (std::size_t core = 1; core < values.size(); ++core) {
      for (std::int64_t i = 0; i < total.elements(); ++i) total[i] += values[core][i];
    }
    return total;
  }

 private:
  Tensor leaf(Cores values, Placement placement, std::string label) {
    const Type type{values[0].shape(), values[0].dtype(), placement};
    buffers_.push_back(std::move(values));
    return graph.leaf(static_cast<BufferId>(buffers_.size() - 1), type, std::move(label));
  }
  const Cores& all(const Node& node) const {
    return buffers_[static_cast<std::size_t>(node.buffer)];
  }
  Array leaf_value(const Node& node, std::size_t core) const {
    return node.scalar ? Array::scalar(*node.scalar) : all(node)[core];
  }
  static Array evaluated(const Node& node, const std::vector<Array>& inputs, const Shape& shape,
                         int stacked_cores) {
    std::vector<ArrayView> views;
    for (const Array& input : inputs) views.push_back(input.view());
    Array out(shape, node.type.dtype);
    node.op->evaluate(views, out.span(), {.stacked = stacked_cores});
    round_to(out.dtype(), out.values());
    return out;
  }

  std::vector<Cores> buffers_;
};

// The largest difference, as a share of the largest value.
inline double distance(const Array& a, const Array& b) {
  double worst = 0;
  double size = 1e-6;
  for (std::int64_t i = 0; i < a.elements(); ++i) {
    worst = std::max(worst, static_cast<double>(std::abs(a[i] - b[i])));
    size = std::max(size, static_cast<double>(std::abs(b[i])));
  }
  return worst / size;
}

}  // namespace tpulab::test
