// Training steps of a language model and of a convolutional network, traced by hand on four cores:
// stacked evaluation must give what separate replicas and a sum over cores give.
#include <gtest/gtest.h>

#include "tests/engine/ops/replicas.h"

namespace tpulab::test::stacking_test {
namespace {

constexpr auto exact = MatmulPrecision::highest;

Cores inputs_of(const Shape& shape) {
  Cores values;
  for (std::uint32_t core = 0; core < cores; ++core) values.push_back(numbers(shape, core));
  return values;
}

Cores ids_of(const Shape& shape, std::int64_t count) {
  Cores values;
  for (std::int64_t core = 0; core < cores; ++core) {
    Array array(shape, DType::s32);
    for (std::int64_t i = 0; i < array.elements(); ++i) {
      array[i] = static_cast<float>((core * 5 + i * 3) % count);
    }
    values.push_back(std::move(array));
  }
  return values;
}

class Weights {
 public:
  explicit Weights(Replicas& replicas) : replicas_(replicas) {}

  Tensor operator()(const Shape& shape) {
    all_.push_back(replicas_.shared(numbers(shape, 20 + static_cast<std::uint32_t>(all_.size()))));
    return all_.back();
  }
  const std::vector<Tensor>& all() const { return all_; }

 private:
  Replicas& replicas_;
  std::vector<Tensor> all_;
};

void reduce_gradients(Tensor loss, const Weights& weights) {
  const auto gradients = backward(loss, scalar(*loss.graph, 1));
  for (const Tensor weight : weights.all()) {
    ASSERT_TRUE(gradients.contains(weight.id));
    all_reduce(gradients.at(weight.id), cores, true);
  }
}

// Two sentences of five words a core; a block with shared keys, two norms, a gelu and a silu gate.
void trace_language_model(Replicas& replicas) {
  constexpr std::int64_t width = 8;
  constexpr std::int64_t words = 11;
  Weights weights(replicas);
  const Tensor ids = replicas.per_core(ids_of({2, 5}, words));
  const Tensor next = replicas.per_core(ids_of({10}, words));
  Tensor x = add(embedding(weights({words, width}), ids), weights({5, width}));

  const Tensor normed = layer_norm(x, weights({width}), weights({width}));
  const auto heads = [&](std::int64_t count) {
    const Tensor columns = batch_matmul(normed, weights({width, count * 2}), {.precision = exact});
    return split_heads(columns, count);
  };
  const Tensor q = rotary_embedding(heads(4));
  const Tensor k = rotary_embedding(heads(2));
  const Tensor attended = attention(q, k, heads(2), {.causal = true, .precision = exact});
  x = add(x, matmul(merge_heads(attended), weights({width, width}), {.precision = exact}));

  const Tensor hidden =
      add(matmul(rms_norm(x, weights({width})), weights({width, 12}), {.precision = exact}),
          weights({12}));
  const Tensor gated = multiply(gelu(slice(hidden, 2, 0, 6)), silu(slice(hidden, 2, 6, 6)));
  x = add(x, matmul(gated, weights({6, width}), {.precision = exact}));
  const Tensor logits = matmul(x, weights({width, words}), {.precision = exact});
  const Tensor loss = mean(softmax_cross_entropy(reshape(logits, {10, words}), next));
  all_reduce(loss, cores, true);
  reduce_gradients(loss, weights);
}

void trace_convolutional_network(Replicas& replicas) {
  Weights weights(replicas);
  const Tensor images = replicas.per_core(inputs_of({2, 8, 8, 2}));
  const Tensor classes = replicas.per_core(ids_of({2}, 3));
  Tensor x = conv2d(images, weights({3, 3, 2, 4}), {.stride = 2, .precision = exact});
  x = max_pool2d(relu(add(x, weights({4}))), {.window = 3, .stride = 1, .padding = Padding::by(1)});
  x = conv2d(x, weights({3, 3, 1, 4}), {.groups = 4});
  x = concatenate({hyperbolic_tangent(x), sigmoid(x)}, 3);
  x = average_pool2d(x);
  const Tensor pooled = global_average_pool(x);
  const Tensor logits = matmul(pooled, weights({8, 3}), {.precision = exact});
  const Tensor loss = mean(softmax_cross_entropy(logits, classes));
  all_reduce(loss, cores, true);
  reduce_gradients(loss, weights);
}

void expect_stacks(const Replicas& replicas) {
  const std::vector<Stack> held = replicas.stacks();
  for (std::size_t id = 0; id < held.size(); ++id) {
    ASSERT_NE(held[id], Stack::none) << replicas.words(id);
  }
  const std::vector<Cores> separate = replicas.separate();
  const std::vector<Array> merged = replicas.merged();
  for (std::size_t id = 0; id < held.size(); ++id) {
    Array wanted = separate[id][0];
    if (held[id] == Stack::rows) wanted = stacked(separate[id]);
    if (held[id] == Stack::partial) wanted = Replicas::sum(separate[id]);
    ASSERT_EQ(merged[id].shape(), wanted.shape()) << replicas.words(id);
    EXPECT_LT(distance(merged[id], wanted), 1e-5) << replicas.words(id);
  }
}

TEST(Stacking, of_a_language_model_gives_what_separate_replicas_give) {
  Replicas replicas;
  trace_language_model(replicas);
  expect_stacks(replicas);
}

TEST(Stacking, of_a_convolutional_network_gives_what_separate_replicas_give) {
  Replicas replicas;
  trace_convolutional_network(replicas);
  expect_stacks(replicas);
}

}  // namespace
}  // namespace tpulab::test::stacking_test
