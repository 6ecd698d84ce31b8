// Functions whose slopes are made in the forward pass: the same values and gradients.
#include "engine/ops/by_parts.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/engine/ops/check_op.h"

namespace tpulab::test::by_parts_test {
namespace {

constexpr double epsilon = 0.125;  // large enough to matter

struct Twin {
  const char* name;
  Build whole;
  Build by_parts;
};

// `build` in a layer whose backward pass finds slopes.
Build in_layer(const Build& build) {
  return [build](std::span<const Tensor> in) {
    Graph& graph = *in[0].graph;
    const Region before = graph.enter_layer(1, Region::Finds::slopes);
    const Tensor made = build(in);
    graph.enter(before);
    return made;
  };
}

std::vector<Twin> twins() {
  std::vector<Twin> all{
      {"silu", [](std::span<const Tensor> in) { return silu(in[0]); }, {}},
      {"gelu", [](std::span<const Tensor> in) { return gelu(in[0]); }, {}},
      {"rms", [](std::span<const Tensor> in) { return rms_norm(in[0], in[1], epsilon); }, {}},
      {"layer norm",
       [](std::span<const Tensor> in) { return layer_norm(in[0], in[1], in[2], epsilon); },
       {}}};
  for (Twin& one : all) one.by_parts = in_layer(one.whole);
  return all;
}

std::vector<Array> inputs_of(const std::string& name) {
  std::vector<Array> inputs{Array(Shape{2, 3}, {0.5f, -1, 2, 1.5f, 0.25f, -3})};
  if (name == "rms" || name == "layer norm")
    inputs.emplace_back(Shape{3}, std::vector<float>{1, 2, -1});
  if (name == "layer norm") inputs.emplace_back(Shape{3}, std::vector<float>{0, 5, 1});
  return inputs;
}

TEST(ByParts, gives_the_same_values_and_gradients_by_differences) {
  for (const Twin& twin : twins()) {
    SCOPED_TRACE(twin.name);
    const std::vector<Array> inputs = inputs_of(twin.name);
    const std::vector<float> whole = values_of(inputs, twin.whole);
    const std::vector<float> parts = values_of(inputs, twin.by_parts);
    ASSERT_EQ(whole.size(), parts.size());
    for (std::size_t i = 0; i < whole.size(); ++i) EXPECT_NEAR(whole[i], parts[i], 1e-6) << i;
    check_gradient(inputs, twin.by_parts);
  }
}

// What a loop of lax.scan keeps for the layer behind, of its size [JAX 0.10]: of silu x, s and
// s (1 - s); of gelu x, 3 x^2, t, 1 - t and (1 + t) / 2.
TEST(ByParts, keeps_what_loops_of_jax_keep) {
  const auto kept = [](const Build& build) {
    Step step;
    const Tensor x = step.input(Array(Shape{2, 3}, {0.5f, -1, 2, 1.5f, 0.25f, -3}));
    const Tensor y = in_layer(build)(std::vector<Tensor>{x});
    const NodeId last = y.id;
    backward(y, constant(*x.graph, 1, y.shape(), DType::f32));
    std::set<NodeId> read;
    for (NodeId id = last + 1; id < x.graph->size(); ++id) {
      for (const NodeId input : x.graph->node(id).inputs) {
        if (input <= last && x.graph->node(input).type.shape == x.shape()) read.insert(input);
      }
    }
    return read.size();
  };
  EXPECT_EQ(kept([](std::span<const Tensor> in) { return silu(in[0]); }), 3u);
  EXPECT_EQ(kept([](std::span<const Tensor> in) { return gelu(in[0]); }), 5u);
}

}  // namespace
}  // namespace tpulab::test::by_parts_test
