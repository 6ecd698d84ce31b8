#include <gtest/gtest.h>

#include <cmath>

#include "tests/engine/ops/check_op.h"

namespace tpulab::test::softmax_test {
namespace {

const Build shares = [](std::span<const Tensor> in) { return softmax(in[0]); };

// e^0, e^(ln 2), e^(ln 5) = 1, 2, 5: shares of 8.
TEST(Softmax, gives_the_share_of_each_power) {
  const auto ln = [](double x) { return static_cast<float>(std::log(x)); };
  const Array x(Shape{2, 3}, {0, ln(2), ln(5), 7, 7, 7});
  const std::vector<double> wanted{0.125, 0.25, 0.625, 1.0 / 3, 1.0 / 3, 1.0 / 3};
  const std::vector<float> found = values_of({x}, shares);
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 1e-6);
}

TEST(Softmax, neither_overflows_nor_loses_small_shares) {
  const Array x(Shape{1, 2}, {1000, 900});
  EXPECT_EQ(values_of({x}, shares)[0], 1.0f);
}

TEST(Softmax, has_the_gradient_of_finite_differences) {
  check_op({numbers({3, 5}, 1)}, shares);
  check_op({numbers({2, 2, 3}, 1)}, shares);
  check_op({numbers({4}, 1)}, shares);
}

// Three passes: the largest; subtract, power, add; subtract, power, scale.
TEST(Softmax, computes_powers_twice_instead_of_keeping_them) {
  Step step;
  const Tensor out = softmax(step.input(Array(Shape{4, 6})));
  const NodeIds inputs = step.graph.node(out.id).inputs;
  ASSERT_EQ(inputs.size(), 3u);
  const VectorWork largest = work_of<VectorWork>({&step.graph, inputs[1]});
  EXPECT_EQ(largest.cheap, 1);
  EXPECT_EQ(largest.reduced_axis, 1);
  const VectorWork sum = work_of<VectorWork>({&step.graph, inputs[2]});
  EXPECT_EQ(sum.cheap, 2);
  EXPECT_EQ(sum.transcendental, 1);
  EXPECT_EQ(sum.reduced_axis, 1);
  const VectorWork scaled = work_of<VectorWork>(out);
  EXPECT_EQ(scaled.shape, (Shape{4, 6}));
  EXPECT_EQ(scaled.cheap, 2);
  EXPECT_EQ(scaled.transcendental, 1);
  EXPECT_EQ(scaled.reduced_axis, -1);
}

TEST(Softmax, stacks_rows) {
  Step step;
  const Tensor out = softmax(step.input(Array(Shape{4, 6})));
  EXPECT_EQ(stack_of(out, {Stack::rows, Stack::rows, Stack::rows}), Stack::rows);
  EXPECT_EQ(stack_of(out, {Stack::partial, Stack::rows, Stack::rows}), Stack::none);
  // The lanes themselves would be stacked.
  const Tensor vector = softmax(step.input(Array(Shape{6})));
  EXPECT_EQ(stack_of(vector, {Stack::rows, Stack::rows, Stack::rows}), Stack::none);
}

TEST(Softmax, refuses_a_scalar) {
  Step step;
  const Tensor x = step.input(Array(Shape{}));
  EXPECT_EQ(error_of([&] { softmax(x); }),
            "reduce_max: f32[] does not have the axes -1; it has 0, counted from 0, and each may "
            "stand once");
}

}  // namespace
}  // namespace tpulab::test::softmax_test
