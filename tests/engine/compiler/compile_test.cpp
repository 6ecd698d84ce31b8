#include "engine/compiler/compile.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/machine/price.h"
#include "engine/ops/ops.h"
#include "engine/training/gradient.h"

namespace tpulab::compile_test {
namespace {

std::shared_ptr<const Program> compiled(Graph& graph, std::vector<Tensor> outputs, int world = 1,
                                        std::vector<BufferId> overwrites = {}) {
  std::vector<NodeId> ids;
  for (const Tensor& output : outputs) ids.push_back(output.id);
  overwrites.resize(ids.size(), -1);
  return compile(make_cut(graph, ids, overwrites, "test", world));
}

const Type rows{{32, 64}, DType::f32, Placement::per_core};
const Type weights{{64, 128}, DType::f32, Placement::shared};
const Type biases{{128}, DType::f32, Placement::shared};

TEST(Compile, makes_one_kernel_of_product_bias_and_relu) {
  Graph graph;
  const Tensor y =
      relu(add(matmul(graph.leaf(0, rows), graph.leaf(1, weights)), graph.leaf(2, biases)));
  const auto program = compiled(graph, {y});
  ASSERT_EQ(program->kernels.size(), 1u);
  const KernelWork& work = program->kernels[0].work;
  // Read once: x, w, b. Written once: the result. What lies between never leaves the kernel.
  EXPECT_EQ(work.reads.size(), 3u);
  ASSERT_EQ(work.writes.size(), 1u);
  EXPECT_EQ(work.writes[0].shape, (Shape{32, 128}));
}

TEST(Compile, begins_a_kernel_for_each_product) {
  Graph graph;
  const Tensor h = relu(matmul(graph.leaf(0, rows), graph.leaf(1, weights)));
  const Tensor y = matmul(h, graph.leaf(2, {{128, 10}, DType::f32, Placement::shared}));
  EXPECT_EQ(compiled(graph, {y})->kernels.size(), 2u);
}

TEST(Compile, joins_all_reduces_that_nobody_waits_for_into_one_call) {
  Graph graph;
  const Tensor a = graph.leaf(0, {{10}, DType::f32, Placement::per_core});
  const Tensor b = graph.leaf(1, {{30}, DType::f32, Placement::per_core});
  const Tensor total_a = all_reduce(a, 8, true);
  const Tensor total_b = all_reduce(multiply(b, b), 8, true);
  const Tensor used = add(total_a, total_a);
  const auto program = compiled(graph, {used, total_b}, 8);
  int calls = 0;
  for (const Kernel& kernel : program->kernels) {
    if (!kernel.collective) continue;
    ++calls;
    const auto& work = std::get<CollectiveWork>(kernel.work->items.at(0));
    EXPECT_EQ(work.bytes.value, 4 * (10 + 30));
  }
  EXPECT_EQ(calls, 1);
}

TEST(Compile, begins_a_second_call_once_the_first_is_waited_for) {
  Graph graph;
  const Tensor a = graph.leaf(0, {{10}, DType::f32, Placement::per_core});
  const Tensor mean_a = all_reduce(a, 8, true);
  const Tensor b = all_reduce(multiply(a, mean_a), 8, true);
  const auto program = compiled(graph, {b}, 8);
  const auto calls = std::ranges::count_if(program->kernels, &Kernel::collective);
  EXPECT_EQ(calls, 2);
}

TEST(Compile, computes_equal_expressions_once) {
  Graph graph;
  const Tensor x = graph.leaf(0, biases);
  const Tensor y = add(multiply(x, x), multiply(x, x));
  const auto program = compiled(graph, {y});
  // One input, one product, one sum.
  EXPECT_EQ(program->nodes.size(), 3u);
}

TEST(Compile, keeps_the_peak_of_live_bytes_by_hand) {
  Graph graph;
  // Two products, so that the first result lives in HBM between them.
  const Tensor x = graph.leaf(0, {{32, 128}, DType::f32, Placement::per_core});
  const Tensor v = graph.leaf(1, {{128, 128}, DType::f32, Placement::shared});
  const Tensor w = graph.leaf(2, {{128, 128}, DType::f32, Placement::shared});
  const Tensor y = matmul(matmul(x, v), w);
  const auto program = compiled(graph, {y});
  // Inputs: 32 x 128 x 4 = 16 KiB and twice 64 KiB; both results are alive in the second kernel,
  // the first one, which only a product reads, in bf16: 8 KiB in a block of 16.
  EXPECT_EQ(program->input_bytes.value, (16 + 64 + 64) * 1024);
  EXPECT_EQ(program->peak_bytes.value, (16 + 64 + 64 + 16 + 16) * 1024);
}

TEST(Compile, an_all_reduce_takes_no_memory_beside_its_operands) {
  Graph graph;
  const Tensor x = graph.leaf(0, {{128, 128}, DType::f32, Placement::per_core});
  const auto alone = compiled(graph, {exponential(x)}, 8);
  const auto summed = compiled(graph, {all_reduce(exponential(x), 8, true)}, 8);
  EXPECT_EQ(summed->peak_bytes.value, alone->peak_bytes.value);
}

TEST(Compile, gives_an_output_the_memory_of_the_input_it_takes_over) {
  Graph graph;
  const Tensor w = graph.leaf(7, {{128, 128}, DType::f32, Placement::shared});
  const Tensor next = subtract(w, multiply(w, scalar(graph, 0.5)));
  const auto apart = compiled(graph, {next});
  const auto donated = compiled(graph, {next}, 1, {7});
  EXPECT_EQ(apart->peak_bytes.value - donated->peak_bytes.value, 64 * 1024);
}

TEST(Compile, proves_that_a_linear_layers_replicas_merge) {
  Graph graph;
  const Tensor y = matmul(graph.leaf(0, rows), graph.leaf(1, weights));
  const auto program = compiled(graph, {y}, 8);
  EXPECT_TRUE(program->merges);
  EXPECT_EQ(program->stacks[static_cast<std::size_t>(program->outputs[0])], Stack::rows);
}

TEST(Compile, lets_no_sum_over_cores_leave_the_program) {
  Graph graph;
  const Tensor sum = reduce_sum(graph.leaf(0, rows), 0);
  EXPECT_FALSE(compiled(graph, {sum}, 8)->merges);
  EXPECT_TRUE(compiled(graph, {all_reduce(sum, 8, false)}, 8)->merges);
}

TEST(Verify, refuses_a_node_that_reads_a_later_one) {
  Graph graph;
  const Tensor x = graph.leaf(0, biases);
  Program broken = *compiled(graph, {relu(add(x, x))});
  broken.nodes[1].inputs[0] = 2;
  EXPECT_THROW(verify(broken), std::logic_error);
}

TEST(Verify, refuses_a_node_without_a_kernel) {
  Graph graph;
  const Tensor x = graph.leaf(0, biases);
  Program broken = *compiled(graph, {relu(x)});
  broken.kernels.clear();
  EXPECT_THROW(verify(broken), std::logic_error);
}

}  // namespace
}  // namespace tpulab::compile_test
