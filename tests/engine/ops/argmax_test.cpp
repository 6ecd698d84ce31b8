#include <gtest/gtest.h>

#include "tests/engine/ops/check_op.h"

namespace tpulab::test::argmax_test {
namespace {

const Build largest = [](std::span<const Tensor> in) { return argmax(in[0]); };

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

TEST(ArgMax, compares_and_keeps_the_value_and_its_place) {
  Step step;
  const VectorWork work = work_of<VectorWork>(argmax(step.input(Array(Shape{2, 9}))));
  EXPECT_EQ(work.cheap, 3);
  EXPECT_EQ(work.reduced_axis, 1);
}

TEST(ArgMax, stacks_rows_but_not_the_axis_that_is_searched) {
  Step step;
  const Tensor matrix = step.input(Array(Shape{2, 3}));
  EXPECT_EQ(stack_of(argmax(matrix), {Stack::rows}), Stack::rows);
  EXPECT_EQ(stack_of(argmax(matrix), {Stack::partial}), Stack::none);
  EXPECT_EQ(stack_of(argmax(step.input(Array(Shape{3}))), {Stack::rows}), Stack::none);
}

TEST(ArgMax, refuses_what_has_no_largest) {
  Step step;
  EXPECT_EQ(error_of([&] { argmax(step.input(Array(Shape{}))); }),
            "argmax: a scalar has no axis; give a vector");
  EXPECT_NE(error_of([&] { argmax(step.input(Array(Shape{2, 0}))); }), "");
}

}  // namespace
}  // namespace tpulab::test::argmax_test
