// How nodes become kernels, on graphs small enough to count by hand.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/compiler/compile.h"
#include "engine/compiler/stored.h"
#include "engine/ops/ops.h"
#include "engine/training/gradient.h"
#include "engine/training/optimizer.h"

namespace tpulab::fuse_test {
namespace {

std::shared_ptr<const Program> compiled(Graph& graph, const std::vector<Tensor>& outputs,
                                        int world = 1, std::vector<BufferId> overwrites = {}) {
  std::vector<NodeId> ids;
  for (const Tensor& output : outputs) ids.push_back(output.id);
  overwrites.resize(ids.size(), -1);
  return compile(make_cut(graph, ids, overwrites, "test", world));
}

Type rows(Shape shape) { return {shape, DType::f32, Placement::per_core}; }
Type shared(Shape shape) { return {shape, DType::f32, Placement::shared}; }

const Kernel& kernel_with(const Program& program, std::string_view op) {
  const auto found = std::ranges::find_if(program.kernels, [&](const Kernel& kernel) {
    return std::ranges::any_of(kernel.nodes,
                               [&](NodeId id) { return program.node(id).op->name() == op; });
  });
  EXPECT_NE(found, program.kernels.end()) << op;
  return *found;
}

int kernels_with(const Program& program, std::string_view op) {
  return static_cast<int>(std::ranges::count_if(program.kernels, [&](const Kernel& kernel) {
    return std::ranges::any_of(kernel.nodes,
                               [&](NodeId id) { return program.node(id).op->name() == op; });
  }));
}

TEST(Fuse, a_reshape_moves_nothing_and_is_no_kernel) {
  Graph graph;
  const Tensor y =
      matmul(reshape(graph.leaf(0, rows({2, 16, 64})), {32, 64}), graph.leaf(1, shared({64, 128})));
  const auto program = compiled(graph, {reshape(y, {2, 16, 128})});
  ASSERT_EQ(program->kernels.size(), 1u);
  EXPECT_EQ(program->kernels[0].work->reads.size(), 2u);
  ASSERT_EQ(program->kernels[0].work->writes.size(), 1u);
  EXPECT_EQ(program->kernels[0].work->writes[0].shape, (Shape{32, 128}));
}

TEST(Fuse, a_loop_goes_on_behind_a_reshape) {
  Graph graph;
  const Tensor x = graph.leaf(0, rows({4, 8, 128}));
  const Tensor y = exponential(reshape(exponential(x), {32, 128}));
  EXPECT_EQ(compiled(graph, {y})->kernels.size(), 1u);
}

TEST(Fuse, a_reshaped_input_that_leaves_is_copied) {
  Graph graph;
  const auto program = compiled(graph, {reshape(graph.leaf(0, rows({4, 8})), {32})});
  ASSERT_EQ(program->kernels.size(), 1u);
  EXPECT_EQ(program->kernels[0].work->writes.size(), 1u);
}

TEST(Fuse, a_broadcast_is_made_again_in_each_kernel_that_reads_it) {
  Graph graph;
  const Tensor scale = graph.leaf(0, shared({128}));
  const Tensor wide = broadcast_to(scale, {32, 128});
  const Tensor a =
      multiply(matmul(graph.leaf(1, rows({32, 64})), graph.leaf(2, shared({64, 128}))), wide);
  const Tensor b = multiply(graph.leaf(3, rows({32, 128})), wide);
  const auto program = compiled(graph, {a, b});
  ASSERT_EQ(program->kernels.size(), 2u);
  // Neither reads 32 x 128 values of it.
  EXPECT_EQ(program->kernels[0].work->reads.size(), 3u);
  for (const Kernel& kernel : program->kernels) {
    EXPECT_EQ(std::ranges::count(kernel.work->reads, Shape{128}, &Operand::shape), 1);
  }
}

TEST(Fuse, loops_that_meet_become_one_kernel_with_several_outputs) {
  Graph graph;
  const Tensor x = graph.leaf(0, rows({32, 128}));
  const Tensor y = graph.leaf(1, rows({32, 128}));
  const Tensor a = multiply(x, x);
  const Tensor b = multiply(y, y);
  const auto program = compiled(graph, {add(a, b), a});
  ASSERT_EQ(program->kernels.size(), 1u);
  EXPECT_EQ(program->kernels[0].work->reads.size(), 2u);
  EXPECT_EQ(program->kernels[0].work->writes.size(), 2u);
}

TEST(Fuse, loops_over_the_same_array_read_it_once) {
  Graph graph;
  const Tensor x = graph.leaf(0, rows({32, 128}));
  const auto program = compiled(graph, {exponential(x), hyperbolic_tangent(x), reduce_sum(x, 0)});
  // The loops are one kernel; the sum, of another extent, stays apart.
  EXPECT_EQ(program->kernels.size(), 2u);
}

TEST(Fuse, no_kernel_waits_for_itself) {
  Graph graph;
  const Tensor x = graph.leaf(0, shared({64, 64}));
  const Tensor y = exponential(x);
  // The sum needs the product between them, and reads y too.
  const Tensor z = add(exponential(matmul(y, x)), y);
  const auto program = compiled(graph, {z});
  EXPECT_EQ(program->kernels.size(), 2u);  // y, and the product with the rest
}

TEST(Fuse, a_product_takes_no_second_product_along) {
  Graph graph;
  const Tensor x = graph.leaf(0, rows({32, 64}));
  const Tensor sum =
      add(matmul(x, graph.leaf(1, shared({64, 128}))), matmul(x, graph.leaf(2, shared({64, 128}))));
  EXPECT_EQ(compiled(graph, {sum})->kernels.size(), 2u);
}

TEST(Fuse, sums_ride_on_the_product_that_makes_their_input) {
  Graph graph;
  const Tensor y = matmul(graph.leaf(0, rows({32, 64})), graph.leaf(1, shared({64, 128})));
  const auto program = compiled(graph, {y, reduce_sum(y, 0), reduce_sum(multiply(y, y), 0)});
  ASSERT_EQ(program->kernels.size(), 1u);
  EXPECT_EQ(program->kernels[0].work->reads.size(), 2u);
  EXPECT_EQ(program->kernels[0].work->writes.size(), 3u);
}

TEST(Fuse, a_loop_that_needs_a_riding_sum_is_a_kernel_behind_it) {
  Graph graph;
  const Tensor y = matmul(graph.leaf(0, rows({32, 64})), graph.leaf(1, shared({64, 128})));
  const Tensor centred = subtract(y, broadcast_to(reduce_sum(y, 0), {32, 128}));
  const auto program = compiled(graph, {centred});
  ASSERT_EQ(program->kernels.size(), 2u);
  EXPECT_EQ(program->kernels[0].work->writes.size(), 2u);
}

TEST(Fuse, batch_norm_reads_its_input_twice) {
  Graph graph;
  const Tensor x = matmul(graph.leaf(0, rows({32, 64})), graph.leaf(1, shared({64, 128})));
  const Tensor y = batch_norm(x, graph.leaf(2, shared({128})), graph.leaf(3, shared({128}))).output;
  // Both sums ride on the product; one loop normalises.
  EXPECT_EQ(compiled(graph, {y})->kernels.size(), 2u);
}

TEST(RoundOperands, a_value_that_only_products_read_is_stored_at_half_the_bytes) {
  Graph graph;
  const Tensor x = matmul(graph.leaf(0, rows({32, 64})), graph.leaf(1, shared({64, 128})));
  const auto program = compiled(graph, {matmul(x, graph.leaf(2, shared({128, 64})))});
  ASSERT_EQ(program->kernels.size(), 2u);
  ASSERT_EQ(program->kernels[0].work->writes.size(), 1u);
  EXPECT_EQ(program->kernels[0].work->writes[0].dtype, DType::bf16);
  // Weights stay as they are, and are rounded where they are read.
  EXPECT_EQ(program->kernels[1].work->reads[1].dtype, DType::f32);
}

TEST(RoundOperands, products_in_full_precision_read_all_bits) {
  Graph graph;
  const MatmulOptions exact{.precision = MatmulPrecision::highest};
  const Tensor x = matmul(graph.leaf(0, rows({32, 64})), graph.leaf(1, shared({64, 128})), exact);
  const auto program = compiled(graph, {matmul(x, graph.leaf(2, shared({128, 64})), exact)});
  EXPECT_EQ(program->kernels[0].work->writes[0].dtype, DType::f32);
}

TEST(Recompute, a_relu_is_made_again_where_what_it_reads_lies_in_memory_anyway) {
  Graph graph;
  const Tensor x = matmul(graph.leaf(0, rows({32, 64})), graph.leaf(1, shared({64, 128})));
  const Tensor y = matmul(relu(x), graph.leaf(2, shared({128, 64})));
  const auto kept = compiled(graph, {y, x});
  EXPECT_EQ(kept->kernels[0].work->writes.size(), 1u);
  // If nobody else reads x, the ReLU is what is written, once.
  const auto alone = compiled(graph, {y});
  ASSERT_EQ(alone->kernels[0].work->writes.size(), 1u);
  EXPECT_EQ(alone->kernels[0].work->writes[0].dtype, DType::bf16);
}

// A step of Adam of one weight matrix, with or without an all-reduce of the gradient.
std::shared_ptr<const Program> adam_step(int world) {
  Graph graph;
  const Tensor x = graph.leaf(0, rows({32, 64}));
  const Tensor dy = graph.leaf(1, rows({32, 128}));
  const Tensor weight = graph.leaf(2, shared({64, 128}));
  const std::vector<Tensor> moments{graph.leaf(3, shared({64, 128})),
                                    graph.leaf(4, shared({64, 128}))};
  const Tensor slope = all_reduce(matmul(x, dy, {.transpose_left = true}), world, true);
  const Updated updated = update({.kind = OptimizerKind::adam}, 0, weight, slope, moments);
  return compiled(graph, {updated.parameter, updated.state[0], updated.state[1]}, world, {2, 3, 4});
}

std::int64_t arrays(const std::vector<Operand>& operands) {
  return std::ranges::count(operands, Shape{64, 128}, &Operand::shape);
}

TEST(Fuse, on_one_device_the_update_is_part_of_the_weight_gradients_product) {
  const auto program = adam_step(1);
  ASSERT_EQ(program->kernels.size(), 1u);
  // The gradient never lies in memory: the weight and both moments in, and out.
  EXPECT_EQ(arrays(program->kernels[0].work->reads), 3);
  EXPECT_EQ(arrays(program->kernels[0].work->writes), 3);
}

TEST(Fuse, behind_an_all_reduce_the_update_is_one_kernel) {
  const auto program = adam_step(8);
  ASSERT_EQ(program->kernels.size(), 3u);
  EXPECT_TRUE(program->kernels[1].collective);
  EXPECT_EQ(arrays(program->kernels[2].work->reads), 4);
  EXPECT_EQ(arrays(program->kernels[2].work->writes), 3);
}

// What traced training steps must hold: the counts of kernels are those of XLA's TPU compiler
// (libtpu 0.0.42.1 with jax 0.10.2, v3) for the same networks in JAX.
struct Step {
  std::vector<std::int64_t> widths{64, 1024, 1024, 10};
  OptimizerKind optimizer = OptimizerKind::adam;
  int world = 1;
};

std::shared_ptr<const Program> training_step(Graph& graph, Tensor loss,
                                             const std::vector<Tensor>& parameters,
                                             const Step& step) {
  std::vector<Tensor> slopes = gradient(loss, parameters);
  for (Tensor& slope : slopes) slope = all_reduce(slope, step.world, true);
  std::vector<Tensor> outputs{all_reduce(loss, step.world, true)};
  std::vector<BufferId> overwrites{-1};
  BufferId buffer = 1000;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    std::vector<Tensor> moments;
    for (int m = 0; m < state_count({.kind = step.optimizer}); ++m) {
      moments.push_back(graph.leaf(buffer++, parameters[i].type()));
    }
    const Updated updated = update({.kind = step.optimizer}, 0, parameters[i], slopes[i], moments);
    outputs.push_back(updated.parameter);
    outputs.insert(outputs.end(), updated.state.begin(), updated.state.end());
  }
  return compiled(graph, outputs, step.world);
}

std::shared_ptr<const Program> mlp_step(const Step& step) {
  Graph graph;
  Tensor x = graph.leaf(0, rows({128, step.widths[0]}));
  const Tensor labels = graph.leaf(1, {{128}, DType::s32, Placement::per_core});
  std::vector<Tensor> parameters;
  for (std::size_t i = 0; i + 1 < step.widths.size(); ++i) {
    const auto buffer = static_cast<BufferId>(10 * (i + 1));
    parameters.push_back(graph.leaf(buffer, shared({step.widths[i], step.widths[i + 1]})));
    parameters.push_back(graph.leaf(buffer + 1, shared({step.widths[i + 1]})));
    if (i > 0) x = relu(x);
    x = add(matmul(x, parameters[2 * i]), parameters[2 * i + 1]);
  }
  return training_step(graph, mean(softmax_cross_entropy(x, labels)), parameters, step);
}

void expect_within_15_percent(std::int64_t ours, std::int64_t xla) {
  EXPECT_NEAR(static_cast<double>(ours), static_cast<double>(xla), 0.15 * static_cast<double>(xla));
}

TEST(Fuse, makes_about_as_many_kernels_of_a_training_step_as_xla) {
  const std::vector<std::int64_t> deep{64, 1024, 1024, 1024, 10};
  expect_within_15_percent(mlp_step({})->launches(), 22);
  expect_within_15_percent(mlp_step({.world = 8})->launches(), 26);
  expect_within_15_percent(mlp_step({.optimizer = OptimizerKind::sgd})->launches(), 21);
  expect_within_15_percent(mlp_step({.optimizer = OptimizerKind::sgd, .world = 8})->launches(), 25);
  expect_within_15_percent(mlp_step({.widths = deep})->launches(), 26);
  expect_within_15_percent(mlp_step({.widths = deep, .world = 8})->launches(), 31);
}

TEST(Fuse, makes_as_many_products_as_xla_and_one_all_reduce) {
  EXPECT_EQ(kernels_with(*mlp_step({}), "dot"), 8);
  EXPECT_EQ(kernels_with(*mlp_step({.world = 8}), "dot"), 8);
  EXPECT_EQ(kernels_with(*mlp_step({.world = 8}), "all-reduce"), 1);
  EXPECT_EQ(kernel_with(*mlp_step({.world = 8}), "all-reduce").nodes.size(), 7u);
}

// Of three gradients of 64 MiB it makes three calls, of seven of 16 and more up to 120 MiB one.
TEST(Fuse, makes_another_all_reduce_where_one_would_send_more_than_xlas) {
  const auto calls = [](std::vector<std::int64_t> widths) {
    return kernels_with(*mlp_step({.widths = std::move(widths), .world = 8}), "all-reduce");
  };
  EXPECT_EQ(calls({64, 4096, 4096, 10}), 1);
  EXPECT_EQ(calls({64, 4096, 4096, 4096, 10}), 2);
  EXPECT_EQ(calls({64, 2048, 2048, 2048, 2048, 2048, 2048, 2048, 2048, 10}), 1);
}

// Two 3x3 convolutions of 32 and 64 channels with max pooling, then 256-10. XLA launches 33, four
// of them copies between layouts, which this compiler does not know.
TEST(Fuse, makes_about_as_many_kernels_of_a_convolutional_step_as_xla) {
  Graph graph;
  Tensor x = graph.leaf(0, rows({32, 28, 28, 1}));
  const Tensor labels = graph.leaf(1, {{32}, DType::s32, Placement::per_core});
  const std::vector<Tensor> parameters{
      graph.leaf(10, shared({3, 3, 1, 32})), graph.leaf(11, shared({3, 3, 32, 64})),
      graph.leaf(12, shared({3136, 256})),   graph.leaf(13, shared({256})),
      graph.leaf(14, shared({256, 10})),     graph.leaf(15, shared({10}))};
  for (std::size_t i = 0; i < 2; ++i) x = max_pool2d(relu(conv2d(x, parameters[i])));
  x = relu(add(matmul(reshape(x, {32, 3136}), parameters[2]), parameters[3]));
  x = add(matmul(x, parameters[4]), parameters[5]);
  const auto program = training_step(graph, mean(softmax_cross_entropy(x, labels)), parameters, {});
  EXPECT_EQ(kernels_with(*program, "convolution") + kernels_with(*program, "dot"), 11);
  expect_within_15_percent(program->launches(), 33 - 4);
}

TEST(Fuse, every_node_is_in_one_kernel_or_folded_and_kernels_run_after_what_they_read) {
  for (const int world : {1, 8}) {
    const auto program = mlp_step({.world = world});
    std::vector<int> times(program->nodes.size(), 0);
    std::vector<int> kernel_of(program->nodes.size(), -1);
    for (std::size_t k = 0; k < program->kernels.size(); ++k) {
      for (const NodeId id : program->kernels[k].nodes) {
        ++times[static_cast<std::size_t>(id)];
        kernel_of[static_cast<std::size_t>(id)] = static_cast<int>(k);
      }
    }
    for (NodeId id = 0; id < static_cast<NodeId>(program->nodes.size()); ++id) {
      const Node& node = program->node(id);
      const bool computed = !node.leaf() && stored(*program, id);
      EXPECT_EQ(times[static_cast<std::size_t>(id)], computed ? 1 : 0) << id;
      if (!computed) continue;
      for (const NodeId input : stored_inputs(*program, node)) {
        EXPECT_LE(kernel_of[static_cast<std::size_t>(input)],
                  kernel_of[static_cast<std::size_t>(id)]);
      }
    }
  }
}

}  // namespace
}  // namespace tpulab::fuse_test
