#include <gtest/gtest.h>

#include "tests/engine/ops/check_op.h"

namespace tpulab::test::multiply_test {
namespace {

const Build product = [](std::span<const Tensor> in) { return multiply(in[0], in[1]); };
const Build quotient = [](std::span<const Tensor> in) { return divide(in[0], in[1]); };

Array matrix() { return Array(Shape{2, 3}, {1, 2, 3, 4, 5, 6}); }
Array bias() { return Array(Shape{3}, {2, 4, 8}); }

TEST(Multiply, multiplies_elements_scalars_and_biases) {
  EXPECT_EQ(values_of({matrix(), matrix()}, product), (std::vector<float>{1, 4, 9, 16, 25, 36}));
  EXPECT_EQ(values_of({matrix(), bias()}, product), (std::vector<float>{2, 8, 24, 8, 20, 48}));
  EXPECT_EQ(values_of({Array::scalar(2), bias()}, product), (std::vector<float>{4, 8, 16}));
}

TEST(Divide, divides_elements_scalars_and_biases) {
  EXPECT_EQ(values_of({matrix(), bias()}, quotient),
            (std::vector<float>{0.5f, 0.5f, 0.375f, 2, 1.25f, 0.75f}));
  EXPECT_EQ(values_of({Array::scalar(1), bias()}, quotient),
            (std::vector<float>{0.5f, 0.25f, 0.125f}));
}

TEST(Multiply, has_the_gradient_of_finite_differences) {
  for (const Build& build : {product, quotient}) {
    check_op({numbers({2, 3}, 1), away_from_zero(numbers({2, 3}, 2), 1)}, build);
    check_op({numbers({4, 3}, 1), away_from_zero(numbers({3}, 2), 1)}, build);
    check_op({numbers({4, 3}, 1), Array::scalar(-1.5f)}, build);
    check_op({numbers({}, 1), away_from_zero(numbers({4, 3}, 2), 1)}, build);
  }
}

TEST(Multiply, sends_no_gradient_into_a_scalar_of_the_program) {
  Step step;
  const Tensor x = step.input(matrix());
  const Tensor rate = scalar(step.graph, 0.5);
  const Tensor one = scalar(step.graph, 1);
  const auto gradients = backward(multiply(multiply(x, rate), one), step.input(matrix()));
  EXPECT_TRUE(gradients.contains(x.id));
  EXPECT_FALSE(gradients.contains(rate.id));
  EXPECT_FALSE(gradients.contains(one.id));
}

TEST(Multiply, costs_one_cheap_and_divide_one_medium_operation) {
  Step step;
  const Tensor x = step.input(matrix());
  EXPECT_EQ(work_of<VectorWork>(multiply(x, x)).cheap, 1);
  EXPECT_EQ(work_of<VectorWork>(multiply(x, x)).medium, 0);
  EXPECT_EQ(work_of<VectorWork>(divide(x, x)).medium, 1);
  EXPECT_EQ(work_of<VectorWork>(divide(x, x)).cheap, 0);
}

TEST(Multiply, of_a_sum_is_a_sum_if_the_other_side_is_shared) {
  Step step;
  const Tensor x = step.input(matrix());
  EXPECT_EQ(stack_of(multiply(x, x), {Stack::partial, Stack::shared}), Stack::partial);
  EXPECT_EQ(stack_of(multiply(x, x), {Stack::shared, Stack::partial}), Stack::partial);
  EXPECT_EQ(stack_of(multiply(x, x), {Stack::partial, Stack::partial}), Stack::none);
  EXPECT_EQ(stack_of(divide(x, x), {Stack::partial, Stack::shared}), Stack::partial);
  EXPECT_EQ(stack_of(divide(x, x), {Stack::shared, Stack::partial}), Stack::none);
}

TEST(Multiply, refuses_shapes_that_do_not_fit) {
  Step step;
  const Tensor x = step.input(matrix());
  const Tensor y = step.input(Array(Shape{3, 2}));
  EXPECT_NE(error_of([&] { multiply(x, y); }).find("multiply: the shapes f32[2,3] f32[3,2]"),
            std::string::npos);
  EXPECT_NE(error_of([&] { divide(x, y); }).find("divide: "), std::string::npos);
}

}  // namespace
}  // namespace tpulab::test::multiply_test
