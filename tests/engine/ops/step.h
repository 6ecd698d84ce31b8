// Small tools of the op tests: a graph whose leaves have values, evaluated node by node.
#pragma once

#include <map>
#include <vector>

#include "engine/ops/ops.h"

namespace tpulab::test {

// Evaluates nodes in index order, as an executor would: every value rounded to its dtype.
class Step {
 public:
  Graph graph;

  Tensor input(Array value, Placement placement = Placement::shared, std::string label = {}) {
    const BufferId buffer = static_cast<BufferId>(values_.size());
    const Type type{value.shape(), value.dtype(), placement};
    const Tensor tensor = graph.leaf(buffer, type, std::move(label));
    values_[tensor.id] = std::move(value);
    return tensor;
  }

  // Sets the value of a leaf; everything that was computed is forgotten.
  void set(Tensor leaf, Array value) {
    std::erase_if(values_, [&](const auto& entry) { return !graph.node(entry.first).leaf(); });
    values_[leaf.id] = std::move(value);
  }
  const Array& value(Tensor tensor) {
    for (NodeId id = 0; id <= tensor.id; ++id) {
      if (!values_.contains(id)) values_[id] = computed(id);
    }
    return values_.at(tensor.id);
  }

  EvaluateContext context;

 private:
  Array computed(NodeId id) {
    const Node& node = graph.node(id);
    if (node.scalar) return Array::scalar(*node.scalar);
    std::vector<ArrayView> views;
    for (const NodeId input : node.inputs) views.push_back(values_.at(input).view());
    Array out(node.type.shape, node.type.dtype);
    node.op->evaluate(views, out.span(), context);
    round_to(out.dtype(), out.values());
    return out;
  }

  std::map<NodeId, Array> values_;
};

// A fixed sequence of numbers in [-1, 1), different for each seed.
inline Array numbers(const Shape& shape, std::uint32_t seed, DType dtype = DType::f32) {
  Array array(shape, dtype);
  std::uint32_t state = seed * 2654435761u + 12345u;
  for (float& value : array.values()) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<float>(state >> 8) / 8388608.0f - 1.0f;
  }
  round_to(dtype, array.values());
  return array;
}

inline Array labels(std::vector<float> values) {
  const auto count = static_cast<std::int64_t>(values.size());
  return Array(Shape{count}, std::move(values), DType::s32);
}

// One array of all cores' values below each other.
inline Array stacked(const std::vector<Array>& cores) {
  Shape shape = cores[0].shape();
  shape[0] *= static_cast<std::int64_t>(cores.size());
  std::vector<float> values;
  for (const Array& core : cores) {
    values.insert(values.end(), core.values().begin(), core.values().end());
  }
  return Array(shape, std::move(values), cores[0].dtype());
}

}  // namespace tpulab::test
