// A whole training step of a small perceptron on four cores, traced by hand: it must stack without
// a gap, and stacked evaluation must give what separate replicas and a sum over cores give.
#include "tests/engine/ops/replicas.h"

#include <gtest/gtest.h>

namespace tpulab::test::replicas_test {
namespace {

constexpr std::int64_t batch = 6;

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

TEST(Replicas, a_training_step_stacks_without_a_gap) {
  Replicas replicas;
  trace_step(replicas);
  const std::vector<Stack> held = replicas.stacks();
  for (std::size_t id = 0; id < held.size(); ++id) {
    EXPECT_NE(held[id], Stack::none) << replicas.words(id);
    const bool shared = held[id] == Stack::shared;
    const Type& type = replicas.graph.node(static_cast<NodeId>(id)).type;
    EXPECT_EQ(shared, type.placement == Placement::shared) << replicas.words(id);
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
    EXPECT_EQ(merged[id].shape(), wanted.shape()) << "%" << id;
    EXPECT_LT(distance(merged[id], wanted), 1e-5) << "%" << id;
  }
}

}  // namespace
}  // namespace tpulab::test::replicas_test
