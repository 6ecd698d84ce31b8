#include <gtest/gtest.h>

#include "tests/engine/ops/check_op.h"

namespace tpulab::test {
namespace {

const Build sorted = [](std::span<const Tensor> in) { return sort(in[0]); };
const Build largest = [](std::span<const Tensor> in) { return argmax(in[0]); };

TEST(Sort, orders_each_row) {
  const Array x(Shape{2, 4}, {3, 1, 2, 1, -1, -3, 0, 9});
  EXPECT_EQ(values_of({x}, sorted), (std::vector<float>{1, 1, 2, 3, -3, -1, 0, 9}));
}

TEST(Sort, has_the_gradient_of_finite_differences) {
  // No two values of a row are closer than a step of the differences.
  check_op({Array(Shape{2, 4}, {3, 1, 2, 0, -1, -3, 0, 9})}, sorted);
  check_op({Array(Shape{5}, {0.5f, 0.1f, 0.9f, 0.3f, 0.7f})}, sorted);
}

TEST(ArgMax, answers_the_first_of_the_largest) {
  Step step;
  const Tensor out = argmax(step.input(Array(Shape{2, 3}, {1, 5, 5, 7, 2, 0})));
  EXPECT_EQ(out.type().dtype, DType::s32);
  EXPECT_EQ(values_of({Array(Shape{2, 3}, {1, 5, 5, 7, 2, 0})}, largest),
            (std::vector<float>{1, 0}));
}

TEST(ArgMax, lets_no_gradient_through) {
  Step step;
  const Tensor x = step.input(Array(Shape{2, 3}));
  EXPECT_FALSE(backward(argmax(x), step.input(Array(Shape{2}))).contains(x.id));
}

// 1,000 elements need a network for 1,024: 10 * 11 / 2 = 55 stages, compare and select in each.
TEST(Sort, costs_the_stages_of_a_bitonic_network) {
  Step step;
  EXPECT_EQ(work_of<VectorWork>(sort(step.input(Array(Shape{2, 1000})))).cheap, 110);
  EXPECT_EQ(work_of<VectorWork>(sort(step.input(Array(Shape{2, 1})))).cheap, 0);
  const VectorWork work = work_of<VectorWork>(argmax(step.input(Array(Shape{2, 9}))));
  EXPECT_EQ(work.cheap, 3);
  EXPECT_EQ(work.reduced_axis, 1);
}

TEST(Sort, stacks_rows_but_not_the_sorted_axis) {
  Step step;
  const Tensor matrix = step.input(Array(Shape{2, 3}));
  const Tensor vector = step.input(Array(Shape{3}));
  EXPECT_EQ(stack_of(sort(matrix), {Stack::rows}), Stack::rows);
  EXPECT_EQ(stack_of(argmax(matrix), {Stack::rows}), Stack::rows);
  EXPECT_EQ(stack_of(sort(vector), {Stack::rows}), Stack::none);
  EXPECT_EQ(stack_of(sort(matrix), {Stack::partial}), Stack::none);
}

TEST(Sort, refuses_what_has_no_order) {
  Step step;
  EXPECT_EQ(error_of([&] { sort(step.input(Array(Shape{}))); }),
            "sort: a scalar has no axis; give a vector");
  EXPECT_NE(error_of([&] { argmax(step.input(Array(Shape{2, 0}))); }), "");
}

}  // namespace
}  // namespace tpulab::test
