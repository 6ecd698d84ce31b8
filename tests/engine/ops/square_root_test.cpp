#include <gtest/gtest.h>

#include "tests/engine/ops/check_op.h"

namespace tpulab::test::square_root_test {
namespace {

const Build root = [](std::span<const Tensor> in) { return square_root(in[0]); };

TEST(SquareRoot, of_squares) {
  EXPECT_EQ(values_of({Array(Shape{3}, {0, 4, 2.25f})}, root), (std::vector<float>{0, 2, 1.5f}));
}

TEST(SquareRoot, has_the_gradient_of_finite_differences) {
  check_op({Array(Shape{2, 2}, {1, 2, 3, 4})}, root);
}

TEST(SquareRoot, costs_one_medium_operation_and_breaks_sums) {
  Step step;
  const Tensor out = square_root(step.input(Array(Shape{5})));
  EXPECT_EQ(work_of<VectorWork>(out).medium, 1);
  EXPECT_EQ(work_of<VectorWork>(out).cheap, 0);
  EXPECT_EQ(stack_of(out, {Stack::partial}), Stack::none);
  EXPECT_EQ(stack_of(out, {Stack::shared}), Stack::shared);
}

TEST(Logarithm, undoes_powers_and_has_the_gradient_of_finite_differences) {
  const Build log = [](std::span<const Tensor> in) { return logarithm(in[0]); };
  const std::vector<float> made = values_of({Array(Shape{2}, {1, 7.389056f})}, log);
  EXPECT_EQ(made.at(0), 0);
  EXPECT_NEAR(made.at(1), 2, 1e-6);
  check_op({Array(Shape{2, 2}, {1, 2, 3, 0.5f})}, log);
}

}  // namespace
}  // namespace tpulab::test::square_root_test
