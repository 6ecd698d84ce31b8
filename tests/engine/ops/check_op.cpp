#include "tests/engine/ops/check_op.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tpulab::test {

namespace {

std::vector<Tensor> leaves_of(Step& step, const std::vector<Array>& inputs) {
  std::vector<Tensor> leaves;
  for (const Array& input : inputs) leaves.push_back(step.input(input));
  return leaves;
}

std::vector<ArrayView> views_of(Step& step, Tensor tensor) {
  std::vector<ArrayView> views;
  for (const NodeId input : tensor.graph->node(tensor.id).inputs) {
    views.push_back(step.value({tensor.graph, input}).view());
  }
  return views;
}

// Evaluates between two guards of NaN.
void check_writes(const Op& op, std::span<const ArrayView> views, const Array& expected) {
  constexpr std::size_t guard = 32;
  const auto count = static_cast<std::size_t>(expected.elements());
  std::vector<float> room(count + 2 * guard, std::numeric_limits<float>::quiet_NaN());
  op.evaluate(views, {room.data() + guard, expected.shape(), expected.dtype()}, {});
  for (std::size_t i = 0; i < room.size(); ++i) {
    const bool inside = i >= guard && i < guard + count;
    EXPECT_EQ(std::isnan(room[i]), !inside) << op.name() << " at " << i;
  }
}

void check_slices(const Op& op, std::span<const ArrayView> views, const Array& expected) {
  const std::int64_t count = expected.elements();
  std::vector<float> values(static_cast<std::size_t>(count));
  for (const auto& [first, size] :
       {std::pair{std::int64_t{0}, count / 3}, std::pair{count / 3, count - count / 3}}) {
    if (size == 0) continue;
    std::vector<ArrayView> slices;
    for (const ArrayView& view : views) {
      const bool whole = view.shape.scalar();
      slices.push_back(
          {view.data + (whole ? 0 : first), whole ? Shape{} : Shape{size}, view.dtype});
    }
    op.evaluate(slices, {values.data() + first, Shape{size}, expected.dtype()}, {});
  }
  round_to(expected.dtype(), values);
  EXPECT_TRUE(std::ranges::equal(values, expected.values())) << op.name() << " on slices";
}

double weighted_sum(const Array& values, const Array& weights) {
  double sum = 0;
  for (std::int64_t i = 0; i < values.elements(); ++i) {
    sum += static_cast<double>(values[i]) * static_cast<double>(weights[i]);
  }
  return sum;
}

// Central differences with a step that is exact in f32.
double difference(Step& step, Tensor output, Tensor leaf, const Array& at, std::int64_t i,
                  const Array& weights) {
  constexpr float h = 1.0f / 128;
  Array above = at;
  Array below = at;
  above[i] += h;
  below[i] -= h;
  step.set(leaf, above);
  const double upper = weighted_sum(step.value(output), weights);
  step.set(leaf, below);
  const double lower = weighted_sum(step.value(output), weights);
  step.set(leaf, at);
  return (upper - lower) / static_cast<double>(above[i] - below[i]);
}

}  // namespace

void check_evaluation(const std::vector<Array>& inputs, const Build& build) {
  Step step;
  const Tensor output = build(leaves_of(step, inputs));
  const Array expected = step.value(output);
  const std::vector<ArrayView> views = views_of(step, output);
  const Op& op = *step.graph.node(output.id).op;
  check_writes(op, views, expected);
  const bool whole = std::ranges::all_of(views, [&](const ArrayView& view) {
    return view.shape.scalar() || view.shape == expected.shape();
  });
  if (op.traits().elementwise && whole) check_slices(op, views, expected);
}

void check_gradient(const std::vector<Array>& inputs, const Build& build) {
  Step step;
  const std::vector<Tensor> leaves = leaves_of(step, inputs);
  const Tensor output = build(leaves);
  const Array weights = numbers(output.shape(), 99);
  const std::map<NodeId, Tensor> gradients = backward(output, step.input(weights));
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    const Array& at = inputs[index];
    const bool flows = at.dtype() == DType::f32;
    ASSERT_EQ(gradients.contains(leaves[index].id), flows) << "input " << index;
    if (!flows) continue;
    const Array gradient = step.value(gradients.at(leaves[index].id));
    ASSERT_EQ(gradient.shape(), at.shape()) << "input " << index;
    for (std::int64_t i = 0; i < at.elements(); ++i) {
      const double wanted = difference(step, output, leaves[index], at, i, weights);
      const double tolerance = 1e-3 * std::max(1.0, std::abs(wanted));
      EXPECT_NEAR(static_cast<double>(gradient[i]), wanted, tolerance)
          << "input " << index << ", element " << i;
    }
  }
}

void check_op(const std::vector<Array>& inputs, const Build& build) {
  check_evaluation(inputs, build);
  check_gradient(inputs, build);
}

std::map<NodeId, Tensor> backward(Tensor output, Tensor seed) {
  Graph& graph = *output.graph;
  std::map<NodeId, Tensor> gradients{{output.id, seed}};
  for (NodeId id = output.id; id >= 0; --id) {
    const Node& node = graph.node(id);
    if (!gradients.contains(id) || node.leaf()) continue;
    std::vector<Tensor> inputs;
    for (const NodeId input : node.inputs) inputs.push_back({&graph, input});
    const std::vector<Tensor> found = node.op->gradient(inputs, {&graph, id}, gradients.at(id));
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!found[i]) continue;
      const auto [entry, fresh] = gradients.try_emplace(inputs[i].id, found[i]);
      if (!fresh) entry->second = add(entry->second, found[i]);
    }
  }
  return gradients;
}

Stack stack_of(Tensor tensor, std::vector<Stack> inputs) {
  const Node& node = tensor.graph->node(tensor.id);
  std::vector<Type> types;
  for (const NodeId input : node.inputs) types.push_back(tensor.graph->node(input).type);
  return node.op->stack(inputs, types);
}

std::vector<float> values_of(const std::vector<Array>& inputs, const Build& build,
                             const EvaluateContext& context) {
  Step step;
  step.context = context;
  const Array& result = step.value(build(leaves_of(step, inputs)));
  return {result.values().begin(), result.values().end()};
}

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

Array away_from_zero(Array array, float gap) {
  for (float& value : array.values()) value += value < 0 ? -gap : gap;
  return array;
}

}  // namespace tpulab::test
