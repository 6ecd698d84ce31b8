#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/engine/ops/check_op.h"

namespace tpulab::test::maximum_test {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
const Build larger = [](std::span<const Tensor> in) { return maximum(in[0], in[1]); };
const Build rectified = [](std::span<const Tensor> in) { return relu(in[0]); };
const Build rectified_gradient = [](std::span<const Tensor> in) {
  return relu_gradient(in[0], in[1]);
};

TEST(Maximum, takes_the_larger_and_keeps_nan) {
  const Array left(Shape{4}, {1, 5, nan, 2});
  const Array right(Shape{4}, {3, 4, 1, nan});
  const std::vector<float> out = values_of({left, right}, larger);
  EXPECT_EQ(out[0], 3);
  EXPECT_EQ(out[1], 5);
  EXPECT_TRUE(std::isnan(out[2]));
  EXPECT_TRUE(std::isnan(out[3]));
}

TEST(Relu, cuts_negative_numbers_and_keeps_nan) {
  const std::vector<float> out = values_of({Array(Shape{4}, {-1, 0, 2, nan})}, rectified);
  EXPECT_EQ(out[0], 0);
  EXPECT_EQ(out[1], 0);
  EXPECT_EQ(out[2], 2);
  EXPECT_TRUE(std::isnan(out[3]));
}

TEST(Relu, gradient_is_zero_at_zero_and_below) {
  const Array x(Shape{3}, {-1, 0, 2});
  EXPECT_EQ(values_of({x, Array(Shape{3}, {5, 6, 7})}, rectified_gradient),
            (std::vector<float>{0, 0, 7}));
}

TEST(Maximum, has_the_gradient_of_finite_differences) {
  const Array left(Shape{2, 3}, {1, 2, 3, 4, 5, 6});
  check_op({left, Array(Shape{2, 3}, {2, 1, 4, 3, 6, 5})}, larger);
  check_op({left, Array(Shape{3}, {2.5f, 2.5f, 4.5f})}, larger);
  check_op({left, Array::scalar(3.5f)}, larger);
}

// x0 = max(1, 1): the two shares of the upstream 1 are 0 and 1.
TEST(Maximum, a_tie_sends_the_upstream_to_one_side_only) {
  Step step;
  const Tensor left = step.input(Array(Shape{1}, {1}));
  const Tensor right = step.input(Array(Shape{1}, {1}));
  const auto gradients = backward(maximum(left, right), step.input(Array(Shape{1}, {1})));
  EXPECT_EQ(step.value(gradients.at(left.id))[0], 0);
  EXPECT_EQ(step.value(gradients.at(right.id))[0], 1);
}

TEST(Relu, has_the_gradient_of_finite_differences) {
  check_op({away_from_zero(numbers({3, 4}, 1))}, rectified);
}

// relu_gradient is linear in the upstream, and flat in x.
TEST(Relu, gradient_of_the_gradient_flows_into_the_upstream_only) {
  Step step;
  const Tensor x = step.input(Array(Shape{3}, {-1, 1, 2}));
  const Tensor upstream = step.input(Array(Shape{3}, {1, 1, 1}));
  const auto gradients =
      backward(relu_gradient(x, upstream), step.input(Array(Shape{3}, {3, 4, 5})));
  EXPECT_FALSE(gradients.contains(x.id));
  const Array& found = step.value(gradients.at(upstream.id));
  EXPECT_EQ(std::vector(found.values().begin(), found.values().end()),
            (std::vector<float>{0, 4, 5}));
  check_evaluation({away_from_zero(numbers({30}, 1)), numbers({30}, 2)}, rectified_gradient);
}

TEST(Relu, is_one_node_that_differs_from_a_maximum_in_the_fingerprint) {
  Step step;
  const Tensor x = step.input(Array(Shape{3}));
  const Node& node = step.graph.node(relu(x).id);
  EXPECT_EQ(step.graph.traced_ops(), 1);
  EXPECT_EQ(node.op->name(), "maximum");
  EXPECT_EQ(node.op->attributes(), "with=0");
}

TEST(Maximum, costs_one_comparison_and_the_relu_gradient_two_operations) {
  Step step;
  const Tensor x = step.input(Array(Shape{3}));
  EXPECT_EQ(work_of<VectorWork>(maximum(x, x)).cheap, 1);
  EXPECT_EQ(work_of<VectorWork>(relu(x)).cheap, 1);
  EXPECT_EQ(work_of<VectorWork>(relu_gradient(x, x)).cheap, 2);
}

TEST(Maximum, of_sums_is_not_the_sum) {
  Step step;
  const Tensor x = step.input(Array(Shape{3}));
  EXPECT_EQ(stack_of(maximum(x, x), {Stack::partial, Stack::partial}), Stack::none);
  EXPECT_EQ(stack_of(relu(x), {Stack::partial}), Stack::none);
  EXPECT_EQ(stack_of(relu(x), {Stack::rows}), Stack::rows);
  EXPECT_EQ(stack_of(relu_gradient(x, x), {Stack::rows, Stack::rows}), Stack::rows);
}

TEST(Maximum, refuses_shapes_that_do_not_fit) {
  Step step;
  const Tensor x = step.input(Array(Shape{3}));
  const Tensor y = step.input(Array(Shape{4}));
  EXPECT_NE(error_of([&] { maximum(x, y); }).find("maximum: the shapes f32[3] f32[4]"),
            std::string::npos);
  EXPECT_NE(error_of([&] { relu_gradient(x, y); }), "");
}

}  // namespace
}  // namespace tpulab::test::maximum_test
