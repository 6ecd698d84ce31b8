// What is made again where it is read, because that moves fewer bytes than to store it.
#include <gtest/gtest.h>

#include "engine/compiler/compile.h"
#include "engine/ops/ops.h"

namespace tpulab {
namespace {

Type rows(Shape shape) { return {shape, DType::f32, Placement::per_core}; }
Type shared(Shape shape) { return {shape, DType::f32, Placement::shared}; }

std::shared_ptr<const Program> compiled(const Graph& graph, const std::vector<Tensor>& outputs,
                                        Bytes hbm = {}) {
  std::vector<NodeId> ids;
  for (const Tensor& output : outputs) ids.push_back(output.id);
  return compile(make_cut(graph, ids, std::vector<BufferId>(ids.size(), -1), "test", 1),
                 {.hbm = hbm});
}

// Kernels that write an array of `shape`.
int writes_of(const Program& program, const Shape& shape) {
  int count = 0;
  for (const Kernel& kernel : program.kernels) {
    for (const Operand& made : kernel.work->writes) count += made.shape == shape ? 1 : 0;
  }
  return count;
}

// relu(batch_norm(conv)) is made of one array: the first convolution writes its raw result.
TEST(Recompute, a_normalisation_runs_inside_the_convolution_that_reads_it) {
  Graph graph;
  const Tensor x = graph.leaf(0, rows({128, 8, 8, 128}));
  const Tensor first = conv2d(x, graph.leaf(1, shared({3, 3, 128, 128})));
  const Tensor normal =
      batch_norm(first, graph.leaf(2, shared({128})), graph.leaf(3, shared({128}))).output;
  const Tensor y = conv2d(relu(normal), graph.leaf(4, shared({3, 3, 128, 128})));
  const auto program = compiled(graph, {y});
  EXPECT_EQ(program->kernels.size(), 2u);
  EXPECT_EQ(writes_of(*program, {8, 8, 128, 128}), 2);
}

// x + y, read by so many products, in f32 throughout.
std::shared_ptr<const Program> sum_for(int readers, Bytes hbm = {}) {
  Graph graph;
  const Tensor sum = add(graph.leaf(0, rows({256, 128})), graph.leaf(1, rows({256, 128})));
  std::vector<Tensor> outputs;
  for (int i = 0; i < readers; ++i) {
    const Tensor weight = graph.leaf(2 + i, shared({128, 64}));
    outputs.push_back(matmul(sum, weight, {.precision = MatmulPrecision::highest}));
  }
  return compiled(graph, outputs, hbm);
}

// Six reads against two, a write and three.
TEST(Recompute, a_sum_of_two_arrays_that_many_read_is_stored) {
  EXPECT_EQ(writes_of(*sum_for(3), {256, 128}), 1);
}

// Six against as many: the same traffic, and one array less.
TEST(Recompute, it_is_not_stored_where_memory_is_short) {
  const auto roomy = sum_for(3);
  const Bytes less = roomy->peak_bytes - Bytes{1};
  const auto tight = sum_for(3, less);
  EXPECT_EQ(writes_of(*tight, {256, 128}), 0);
  EXPECT_LE(tight->peak_bytes, less);
}

TEST(Recompute, a_sum_of_two_arrays_for_two_readers_is_made_in_both) {
  const auto program = sum_for(2);
  EXPECT_EQ(writes_of(*program, {256, 128}), 0);
  EXPECT_EQ(program->kernels.size(), 2u);
}

TEST(Recompute, what_takes_long_is_done_once) {
  Graph graph;
  const MatmulOptions exact{.precision = MatmulPrecision::highest};
  const Tensor x = exponential(graph.leaf(0, rows({256, 128})));
  const Tensor left = matmul(x, graph.leaf(1, shared({128, 64})), exact);
  const Tensor right = matmul(x, graph.leaf(2, shared({128, 64})), exact);
  EXPECT_EQ(writes_of(*compiled(graph, {left, right}), {256, 128}), 1);
}

}  // namespace
}  // namespace tpulab
