#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/engine/ops/check_op.h"

namespace tpulab::test::reduce_axes_test {
namespace {

Build sum_over(std::vector<int> axes) {
  return [axes](std::span<const Tensor> in) { return reduce_sum(in[0], axes); };
}
Build mean_over(std::vector<int> axes) {
  return [axes](std::span<const Tensor> in) { return reduce_mean(in[0], axes); };
}
Build max_over(std::vector<int> axes) {
  return [axes](std::span<const Tensor> in) { return reduce_max(in[0], axes); };
}

// [2,2,3]: 1 to 12.
Array cube() { return Array(Shape{2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}); }

TEST(ReduceAxes, folds_any_axes_and_keeps_the_others) {
  EXPECT_EQ(values_of({cube()}, sum_over({0, 2})), (std::vector<float>{30, 48}));
  EXPECT_EQ(values_of({cube()}, sum_over({1, 2})), (std::vector<float>{21, 57}));
  EXPECT_EQ(values_of({cube()}, sum_over({2, 1, 0})), (std::vector<float>{78}));
  EXPECT_EQ(values_of({cube()}, mean_over({0, 1})), (std::vector<float>{5.5f, 6.5f, 7.5f}));
  EXPECT_EQ(values_of({cube()}, mean_over({-1})), (std::vector<float>{2, 5, 8, 11}));
  EXPECT_EQ(values_of({cube()}, max_over({0, 2})), (std::vector<float>{9, 12}));
}

TEST(ReduceAxes, has_the_gradients_of_finite_differences) {
  for (const std::vector<int>& axes : {std::vector{0}, {1}, {2}, {0, 2}, {1, 2}, {0, 1, 2}}) {
    check_op({numbers({2, 3, 4}, 1)}, sum_over(axes));
    check_op({numbers({2, 3, 4}, 1)}, mean_over(axes));
    check_op({numbers({2, 3, 4}, 1)}, max_over(axes));
  }
}

TEST(ReduceMax, shares_the_gradient_among_ties) {
  Step step;
  const Tensor x = step.input(Array(Shape{1, 4}, {5, 1, 5, 5}));
  const auto gradients = backward(reduce_max(x, {1}), step.input(Array(Shape{1}, {6})));
  const Array& gradient = step.value(gradients.at(x.id));
  EXPECT_EQ(std::vector<float>(gradient.values().begin(), gradient.values().end()),
            (std::vector<float>{2, 0, 2, 2}));
}

TEST(ReduceMax, lets_nan_win) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(values_of({Array(Shape{3}, {1, nan, 2})}, max_over({0}))[0]));
}

// Folding lanes and others together adds the others first, which leaves few lanes to fold.
TEST(ReduceAxes, costs_one_operation_per_element_of_its_input) {
  Step step;
  const Tensor x = step.input(Array(Shape{2, 3, 4}));
  for (const Tensor out : {reduce_sum(x, {0, 2}), reduce_mean(x, {0, 2}), reduce_max(x, {0, 2})}) {
    EXPECT_EQ(work_of<VectorWork>(out).shape, (Shape{2, 3, 4}));
    EXPECT_EQ(work_of<VectorWork>(out).cheap, 1);
    EXPECT_EQ(work_of<VectorWork>(out).reduced_axis, 0);
  }
  EXPECT_EQ(work_of<VectorWork>(reduce_max(x, {-1})).reduced_axis, 2);
}

TEST(ReduceAxes, of_no_axes_is_no_node) {
  Step step;
  const Tensor x = step.input(Array(Shape{2, 3}));
  EXPECT_EQ(reduce_sum(x, std::vector<int>{}).id, x.id);
  EXPECT_EQ(reduce_max(x, {}).id, x.id);
}

TEST(ReduceAxes, sums_over_cores_where_axis_0_is_folded) {
  Step step;
  const Tensor x = step.input(Array(Shape{2, 3, 4}));
  using enum Stack;
  EXPECT_EQ(stack_of(reduce_sum(x, {0, 2}), {rows}), partial);
  EXPECT_EQ(stack_of(reduce_mean(x, {0, 1}), {rows}), partial);
  EXPECT_EQ(stack_of(reduce_mean(x, {1, 2}), {rows}), rows);
  EXPECT_EQ(stack_of(reduce_max(x, {1, 2}), {rows}), rows);
  EXPECT_EQ(stack_of(reduce_max(x, {0, 2}), {rows}), none);
  EXPECT_EQ(stack_of(reduce_max(x, {1, 2}), {partial}), none);
}

TEST(ReduceAxes, refuses_axes_that_are_not_there_and_empty_ones) {
  Step step;
  const Tensor x = step.input(Array(Shape{2, 3}));
  EXPECT_EQ(error_of([&] {
              reduce_sum(x, {0, 2});
            }),
            "reduce_sum: f32[2,3] does not have the axes 0,2; it has 2, counted from 0, and each "
            "may stand once");
  EXPECT_NE(error_of([&] { reduce_mean(x, {1, 1}); }), "");
  EXPECT_NE(error_of([&] { reduce_max(x, {-3}); }), "");
  const Tensor empty = step.input(Array(Shape{2, 0}));
  EXPECT_NE(error_of([&] { reduce_max(empty, {1}); }), "");
  EXPECT_NE(error_of([&] { reduce_mean(empty, {1}); }), "");
}

}  // namespace
}  // namespace tpulab::test::reduce_axes_test
