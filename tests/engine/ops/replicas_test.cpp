// A whole training step of a small perceptron on four cores, traced by hand: it must stack without
// a gap, and stacked evaluation must give what separate replicas and a sum over cores give.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/engine/ops/check_op.h"

namespace tpulab::test {
namespace {

constexpr int cores = 4;
constexpr std::int64_t batch = 6;

using Cores = std::vector<Array>;  // one value per core

class Replicas {
 public:
  Graph graph;

  Tensor shared(Array value, std::string label = {}) {
    return leaf(Cores(cores, std::move(value)), Placement::shared, std::move(label));
  }
  Tensor per_core(Cores values) { return leaf(std::move(values), Placement::per_core, {}); }

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
          inputs.push_back(node.op->traits().collective ? sum(from) : from[core]);
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

Cores images() {
  Cores values;
  for (std::uint32_t core = 0; core < cores; ++core) values.push_back(numbers({batch, 5}, core));
  return values;
}

Cores targets() {
  Cores values;
  for (int core = 0; core < cores; ++core) {
    std::vector<float> classes;
    for (int row = 0; row < batch; ++row) classes.push_back(static_cast<float>((core + row) % 3));
    values.push_back(labels(std::move(classes)));
  }
  return values;
}

struct Layer {
  Tensor weight;
  Tensor bias;
};

Tensor dense(Tensor x, const Layer& layer) {
  const MatmulOptions options{.precision = MatmulPrecision::highest};
  return add(matmul(x, layer.weight, options), layer.bias);
}

Tensor sgd_with_momentum(Replicas& replicas, Tensor weight, Tensor gradient) {
  Graph& graph = replicas.graph;
  const Tensor velocity = replicas.shared(numbers(weight.shape(), 50));
  const Tensor moved = add(multiply(velocity, scalar(graph, 0.9)), gradient);
  return subtract(weight, multiply(moved, scalar(graph, 0.1)));
}

Tensor adam(Replicas& replicas, Tensor weight, Tensor gradient) {
  Graph& graph = replicas.graph;
  const Tensor first = replicas.shared(numbers(weight.shape(), 60));
  const Tensor second = replicas.shared(Array(weight.shape()));
  const Tensor mean =
      add(multiply(first, scalar(graph, 0.9)), multiply(gradient, scalar(graph, 0.1)));
  const Tensor square = add(multiply(second, scalar(graph, 0.999)),
                            multiply(multiply(gradient, gradient), scalar(graph, 0.001)));
  const Tensor size = add(square_root(square), scalar(graph, 1e-2));
  return subtract(weight, divide(multiply(mean, scalar(graph, 0.01)), size));
}

// Traces the step: loss, its all-reduced mean, accuracy, and two kinds of updates.
void trace_step(Replicas& replicas) {
  Graph& graph = replicas.graph;
  const Tensor x = replicas.per_core(images());
  const Tensor classes = replicas.per_core(targets());
  const Layer hidden{replicas.shared(numbers({5, 7}, 11)), replicas.shared(numbers({7}, 12))};
  const Layer output{replicas.shared(numbers({7, 3}, 13)), replicas.shared(numbers({3}, 14))};
  const Tensor class_weights = replicas.shared(Array(Shape{3}, {1, 2, 0.5f}));

  const Tensor logits = dense(relu(dense(x, hidden)), output);
  const Tensor losses =
      multiply(softmax_cross_entropy(logits, classes), gather(class_weights, classes));
  const Tensor loss = mean(losses);
  all_reduce(loss, cores, true);
  all_reduce(mean(correct_rows(logits, classes)), cores, true);
  const auto gradients = backward(loss, scalar(graph, 1));
  for (const Tensor weight : {hidden.weight, hidden.bias, output.weight, output.bias}) {
    const Tensor gradient = all_reduce(gradients.at(weight.id), cores, true);
    sgd_with_momentum(replicas, weight, gradient);
    adam(replicas, weight, gradient);
  }
}

// The largest difference, as a share of the largest value.
double distance(const Array& a, const Array& b) {
  EXPECT_EQ(a.shape(), b.shape());
  double worst = 0;
  double size = 1e-6;
  for (std::int64_t i = 0; i < a.elements(); ++i) {
    worst = std::max(worst, static_cast<double>(std::abs(a[i] - b[i])));
    size = std::max(size, static_cast<double>(std::abs(b[i])));
  }
  return worst / size;
}

TEST(Replicas, a_training_step_stacks_without_a_gap) {
  Replicas replicas;
  trace_step(replicas);
  const std::vector<Stack> held = replicas.stacks();
  const std::string text = listing(replicas.graph);
  for (std::size_t id = 0; id < held.size(); ++id) {
    EXPECT_NE(held[id], Stack::none) << "%" << id << " in\n" << text;
    const bool shared = held[id] == Stack::shared;
    const Type& type = replicas.graph.node(static_cast<NodeId>(id)).type;
    EXPECT_EQ(shared, type.placement == Placement::shared) << "%" << id << " in\n" << text;
  }
}

TEST(Replicas, stacked_evaluation_equals_separate_replicas_and_their_sum) {
  Replicas replicas;
  trace_step(replicas);
  const std::vector<Stack> held = replicas.stacks();
  const std::vector<Cores> separate = replicas.separate();
  const std::vector<Array> merged = replicas.merged();
  for (std::size_t id = 0; id < held.size(); ++id) {
    Array wanted = separate[id][0];
    if (held[id] == Stack::rows) wanted = stacked(separate[id]);
    if (held[id] == Stack::partial) wanted = Replicas::sum(separate[id]);
    EXPECT_LT(distance(merged[id], wanted), 1e-5) << "%" << id;
  }
}

}  // namespace
}  // namespace tpulab::test
