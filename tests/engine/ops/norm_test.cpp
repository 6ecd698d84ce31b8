// Layer norm, RMS norm and batch norm.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/engine/ops/check_op.h"

namespace tpulab::test::norm_test {
namespace {

constexpr double epsilon = 0.125;  // large enough to matter

const Build layer = [](std::span<const Tensor> in) {
  return layer_norm(in[0], in[1], in[2], epsilon);
};
const Build rms = [](std::span<const Tensor> in) { return rms_norm(in[0], in[1], epsilon); };
const Build batch = [](std::span<const Tensor> in) {
  return batch_norm(in[0], in[1], in[2], epsilon).output;
};

void expect_near(const std::vector<float>& found, const std::vector<double>& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 1e-6) << i;
}

// {1, 3}: mean 2, variance 1; {0, 4}: mean 2, variance 4.
TEST(LayerNorm, normalises_each_row) {
  const Array x(Shape{2, 2}, {1, 3, 0, 4});
  const double first = 1 / std::sqrt(1 + epsilon);
  const double second = 2 / std::sqrt(4 + epsilon);
  expect_near(values_of({x, Array(Shape{2}, {1, 10}), Array(Shape{2}, {0, 5})}, layer),
              {-first, 10 * first + 5, -second, 10 * second + 5});
}

// {3, 4}: mean square 12.5.
TEST(RmsNorm, divides_by_the_root_of_the_mean_square) {
  const double root = std::sqrt(12.5 + epsilon);
  expect_near(values_of({Array(Shape{1, 2}, {3, 4}), Array(Shape{2}, {1, 10})}, rms),
              {3 / root, 40 / root});
}

// Channel 0 holds {1, 3}, channel 1 {0, 4}.
TEST(BatchNorm, normalises_each_channel_over_all_pixels_and_images) {
  const Array x(Shape{2, 1, 1, 2}, {1, 0, 3, 4});
  const double first = 1 / std::sqrt(1 + epsilon);
  const double second = 2 / std::sqrt(4 + epsilon);
  expect_near(values_of({x, Array(Shape{2}, {1, 10}), Array(Shape{2}, {0, 5})}, batch),
              {-first, -10 * second + 5, first, 10 * second + 5});
}

TEST(BatchNorm, answers_what_the_running_statistics_need) {
  Step step;
  const Tensor x = step.input(Array(Shape{2, 1, 1, 2}, {1, 0, 3, 4}));
  const Tensor ones = step.input(Array(Shape{2}, {1, 1}));
  const BatchNorm result = batch_norm(x, ones, ones);
  EXPECT_TRUE(std::ranges::equal(step.value(result.mean).values(), std::vector<float>{2, 2}));
  EXPECT_TRUE(
      std::ranges::equal(step.value(result.mean_square).values(), std::vector<float>{5, 8}));
}

TEST(Norms, have_the_gradients_of_finite_differences) {
  check_op({numbers({3, 5}, 1), numbers({5}, 2), numbers({5}, 3)}, layer);
  check_op({numbers({2, 2, 4}, 1), numbers({4}, 2), numbers({4}, 3)}, layer);
  check_op({numbers({6}, 1), numbers({6}, 2), numbers({6}, 3)}, layer);
  check_op({numbers({2, 2, 4}, 1), numbers({4}, 2)}, rms);
  check_op({numbers({2, 3, 2, 2}, 1), numbers({2}, 2), numbers({2}, 3)}, batch);
  check_op({numbers({5, 3}, 1), numbers({3}, 2), numbers({3}, 3)}, batch);
}

// All sums of a program's kernels: {sum of cheap, reductions}.
std::pair<int, int> total_of(const Graph& graph, NodeId first) {
  std::pair<int, int> total;
  for (NodeId id = first; id < graph.size(); ++id) {
    const Node& node = graph.node(id);
    if (node.leaf()) continue;
    std::vector<Type> types;
    for (const NodeId input : node.inputs) types.push_back(graph.node(input).type);
    const auto work = std::get<VectorWork>(node.op->work(types, node.type));
    EXPECT_EQ(work.shape, types[0].shape) << node.op->name();
    total.first += work.cheap;
    total.second += work.reduced_axis >= 0 ? 1 : 0;
  }
  return total;
}

// Forward: sum; subtract; square, add; scale by the row, by the column, add the bias = 7.
// Backward: mean of g s: 2, mean of g s x: 3, dx: 5, d scale: 3, d bias: 1 = 14.
TEST(LayerNorm, reads_its_rows_four_times_and_five_times_backward) {
  Step step;
  const Tensor x = step.input(Array(Shape{4, 3}));
  const Tensor vector = step.input(Array(Shape{3}));
  const NodeId forward = step.graph.size();
  const Tensor out = layer_norm(x, vector, vector);
  EXPECT_EQ(total_of(step.graph, forward), (std::pair{7, 2}));
  const Tensor seed = step.input(Array(Shape{4, 3}));
  const NodeId back = step.graph.size();
  out.graph->node(out.id).op->gradient(
      std::vector<Tensor>{{&step.graph, step.graph.node(out.id).inputs[0]},
                          {&step.graph, step.graph.node(out.id).inputs[1]},
                          vector,
                          vector},
      out, seed);
  EXPECT_EQ(total_of(step.graph, back), (std::pair{14, 4}));
}

// Forward: sum; square, add; multiply, add. Rows are folded down the sublanes, not over lanes.
TEST(BatchNorm, reads_the_images_three_times) {
  Step step;
  const Tensor x = step.input(Array(Shape{2, 4, 4, 3}));
  const Tensor vector = step.input(Array(Shape{3}));
  const NodeId forward = step.graph.size();
  const BatchNorm result = batch_norm(x, vector, vector);
  EXPECT_EQ(total_of(step.graph, forward), (std::pair{5, 2}));
  EXPECT_EQ(work_of<VectorWork>(result.mean).reduced_axis, 0);
}

TEST(RmsNorm, reads_its_rows_twice) {
  Step step;
  const Tensor x = step.input(Array(Shape{4, 3}));
  const Tensor vector = step.input(Array(Shape{3}));
  const NodeId forward = step.graph.size();
  rms_norm(x, vector);
  EXPECT_EQ(total_of(step.graph, forward), (std::pair{4, 1}));
}

TEST(Norms, keep_sums_in_f32_and_the_rest_in_the_dtype_of_x) {
  Step step;
  const Tensor x = step.input(Array(Shape{2, 4}, DType::bf16));
  const Tensor vector = step.input(Array(Shape{4}, DType::bf16));
  const Tensor out = layer_norm(x, vector, vector);
  EXPECT_EQ(out.type().dtype, DType::bf16);
  const NodeId variance = step.graph.node(out.id).inputs[1];
  EXPECT_EQ(step.graph.node(variance).type.dtype, DType::f32);
  const auto gradients = backward(out, step.input(Array(Shape{2, 4}, DType::bf16)));
  EXPECT_EQ(gradients.at(x.id).type().dtype, DType::bf16);
  EXPECT_EQ(gradients.at(vector.id).type().dtype, DType::bf16);
}

TEST(Norms, stack_rows_beside_shared_weights_but_no_batch_statistics) {
  Step step;
  const Tensor x = step.input(Array(Shape{4, 3}));
  const Tensor vector = step.input(Array(Shape{3}));
  const Tensor out = layer_norm(x, vector, vector);
  using enum Stack;
  EXPECT_EQ(stack_of(out, {rows, rows, shared, shared}), rows);
  EXPECT_EQ(stack_of(out, {shared, shared, shared, shared}), shared);
  EXPECT_EQ(stack_of(out, {rows, shared, shared, shared}), none);
  EXPECT_EQ(stack_of(out, {rows, rows, rows, shared}), none);
  const BatchNorm result = batch_norm(x, vector, vector);
  EXPECT_EQ(stack_of(result.mean, {rows}), partial);
  EXPECT_EQ(stack_of(result.output, {rows, partial, partial, shared, shared}), none);
}

TEST(Norms, refuse_shapes_that_do_not_fit) {
  Step step;
  const Tensor x = step.input(Array(Shape{4, 3}));
  const Tensor good = step.input(Array(Shape{3}));
  const Tensor bad = step.input(Array(Shape{4}));
  EXPECT_EQ(error_of([&] { layer_norm(x, good, bad); }),
            "layer-norm: the shapes f32[4,3] f32[4] f32[3] f32[4] do not fit; give [..,n] and "
            "vectors [n]");
  EXPECT_NE(error_of([&] { rms_norm(x, bad); }), "");
  EXPECT_NE(error_of([&] { batch_norm(x, bad, good); }), "");
  EXPECT_NE(error_of([&] { rms_norm(step.input(Array(Shape{})), good); }), "");
}

}  // namespace
}  // namespace tpulab::test::norm_test
