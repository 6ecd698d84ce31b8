// What is made again where it is read, because that moves fewer bytes than to store it.
#include <gtest/gtest.h>

#include "engine/compiler/compile.h"
#include "engine/ops/ops.h"
#include "engine/training/gradient.h"

namespace tpulab::recompute_test {
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
  EXPECT_TRUE(tight->squeezed);
  EXPECT_FALSE(roomy->squeezed);
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

// What is written of 64 x 64 scores, and how wide, by attention of 2 x 2 heads and its gradients.
std::vector<DType> scores_written(SoftmaxAgain softmax, bool wide, bool narrow = false) {
  Graph graph;
  std::vector<Tensor> heads;
  for (BufferId i = 0; i < 3; ++i) {
    heads.push_back(graph.leaf(i, {{2, 2, 64, 128}, DType::bf16, Placement::per_core}));
  }
  const Tensor mixed = attention(heads[0], heads[1], heads[2], {.wide_softmax = wide});
  std::vector<NodeId> outputs;
  for (const Tensor& one : gradient(reduce_mean(mixed, {0, 1, 2, 3}), heads)) {
    outputs.push_back(one.id);
  }
  const auto program =
      compile(make_cut(graph, outputs, std::vector<BufferId>(outputs.size(), -1), "test", 1),
              {.again = {.narrow = narrow, .softmax = softmax}});
  std::vector<DType> written;
  for (const Kernel& kernel : program->kernels) {
    for (const Operand& made : kernel.work->writes) {
      if (made.shape == Shape{2, 2, 64, 64}) written.push_back(made.dtype);
    }
  }
  return written;
}

// [TPU: v3, v5e and v6e keep the scores alone, and v4 in bf16 what its products multiply; v3 keeps
// wide scores in bf16, too.] The gradient of the shares is written in any case, that of wide scores
// where it is rounded.
TEST(Recompute, softmax_is_made_again_of_the_scores) {
  using enum DType;
  using All = std::vector<DType>;
  EXPECT_EQ(scores_written(SoftmaxAgain::nowhere, false), (All{bf16, bf16, bf16}));
  EXPECT_EQ(scores_written(SoftmaxAgain::in_products_too, false), (All{bf16, bf16}));
  EXPECT_EQ(scores_written(SoftmaxAgain::in_loops, false), (All{bf16, bf16, bf16}));
  EXPECT_EQ(scores_written(SoftmaxAgain::in_products_too, true), (All{f32, bf16, bf16}));
  EXPECT_EQ(scores_written(SoftmaxAgain::in_loops, true), (All{f32, bf16, bf16, bf16}));
  EXPECT_EQ(scores_written(SoftmaxAgain::in_products_too, true, true), (All{bf16, bf16, bf16}));
}

TEST(Recompute, a_bias_is_rounded_before_the_product_that_adds_it) {
  Graph graph;
  const Tensor x = graph.leaf(0, {{256, 128}, DType::bf16, Placement::per_core});
  const Tensor weight = convert(graph.leaf(1, shared({128, 64})), DType::bf16);
  const Tensor bias = convert(graph.leaf(2, shared({64})), DType::bf16);
  const auto program = compiled(graph, {add(matmul(x, weight), bias)});
  ASSERT_EQ(program->kernels.size(), 2u);  // the weight is rounded as the product reads it
  EXPECT_EQ(program->kernels[0].name, "convert");
  EXPECT_EQ(writes_of(*program, {64}), 1);
}

}  // namespace
}  // namespace tpulab::recompute_test
