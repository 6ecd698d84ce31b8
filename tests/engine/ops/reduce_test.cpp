#include <gtest/gtest.h>

#include <algorithm>

#include "engine/base/workers.h"
#include "engine/ops/ops.h"
#include "tests/engine/ops/check_op.h"

namespace tpulab::test::reduce_test {
namespace {

Build sum_over(int axis) {
  return [axis](std::span<const Tensor> in) { return reduce_sum(in[0], axis); };
}
const Build average = [](std::span<const Tensor> in) { return mean(in[0]); };

TEST(ReduceSum, keeps_the_axis_away_from_the_result) {
  const Array x(Shape{2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(values_of({x}, sum_over(0)), (std::vector<float>{5, 7, 9}));
  EXPECT_EQ(values_of({x}, sum_over(1)), (std::vector<float>{6, 15}));
  EXPECT_EQ(values_of({Array(Shape{3}, {1, 2, 3})}, sum_over(0)), (std::vector<float>{6}));
  const Array cube(Shape{2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(values_of({cube}, sum_over(1)), (std::vector<float>{4, 6, 12, 14}));
}

TEST(ReduceSum, has_the_gradient_of_finite_differences) {
  for (const int axis : {0, 1}) check_op({numbers({4, 3}, 1)}, sum_over(axis));
  check_op({numbers({20}, 1)}, sum_over(0));
  check_op({numbers({2, 3, 4}, 1)}, sum_over(1));
}

TEST(ReduceSum, has_the_same_bits_for_any_number_of_workers) {
  WorkerPool pool(3);
  for (const int axis : {0, 1}) {
    const Array x = numbers({700, 501}, 3);
    EXPECT_EQ(values_of({x}, sum_over(axis)), values_of({x}, sum_over(axis), {.workers = &pool}));
  }
}

// 2^24 ones: a plain f32 sum of ones stops growing at 2^24, one more would be lost.
TEST(ReduceSum, loses_nothing_in_a_long_vector) {
  Array x(Shape{(1 << 24) + 2});
  std::ranges::fill(x.values(), 1.0f);
  EXPECT_EQ(values_of({x}, sum_over(0))[0], 16777218.0f);
}

TEST(Mean, divides_by_the_number_of_rows) {
  EXPECT_EQ(values_of({Array(Shape{4}, {1, 2, 3, 6})}, average), (std::vector<float>{3}));
}

TEST(Mean, has_the_gradient_of_finite_differences) { check_op({numbers({7}, 1)}, average); }

// Two cores with rows {1, 3} and {5, 9}: means 2 and 7, their sum is 9.
TEST(Mean, of_stacked_rows_is_the_sum_of_the_cores_means) {
  Step step;
  const Tensor out = mean(step.input(Array(Shape{2}), Placement::per_core));
  EXPECT_EQ(stack_of(out, {Stack::rows}), Stack::partial);
  const Array rows(Shape{4}, {1, 3, 5, 9});
  const ArrayView view = rows.view();
  Array result(Shape{});
  step.graph.node(out.id).op->evaluate({&view, 1}, result.span(), {.stacked = 2});
  EXPECT_EQ(result[0], 9);
}

TEST(RepeatLike, has_the_gradient_of_finite_differences_and_ignores_the_values_of_like) {
  for (const int axis : {0, 1}) {
    const Array x = numbers(Shape{axis == 0 ? 3 : 4}, 1);
    const Array like = numbers({4, 3}, 2);
    const Build build = [&](std::span<const Tensor> in) {
      return repeat_like(in[0], constant(*in[0].graph, 0, Shape{4, 3}, DType::f32), axis, 2);
    };
    check_op({x}, build);
    EXPECT_EQ(values_of({x}, build), values_of({x, like}, [&](std::span<const Tensor> in) {
                return repeat_like(in[0], in[1], axis, 2);
              }));
  }
}

TEST(RepeatLike, gives_every_core_the_shared_value_or_its_own_rows) {
  Step step;
  const Tensor matrix = step.input(Array(Shape{4, 3}));
  const Tensor down = repeat_like(step.input(Array(Shape{3})), matrix, 0, 1);
  const Tensor across = repeat_like(step.input(Array(Shape{4})), matrix, 1, 1);
  EXPECT_EQ(stack_of(down, {Stack::shared, Stack::rows}), Stack::rows);
  EXPECT_EQ(stack_of(down, {Stack::rows, Stack::rows}), Stack::none);
  EXPECT_EQ(stack_of(across, {Stack::rows, Stack::rows}), Stack::rows);
  EXPECT_EQ(stack_of(across, {Stack::shared, Stack::rows}), Stack::none);
  EXPECT_EQ(stack_of(across, {Stack::shared, Stack::shared}), Stack::shared);
  EXPECT_EQ(stack_of(across, {Stack::partial, Stack::shared}), Stack::partial);
}

TEST(ReduceSum, costs_one_addition_per_element_of_its_input) {
  Step step;
  const Tensor x = step.input(Array(Shape{4, 3}));
  const VectorWork work = work_of<VectorWork>(reduce_sum(x, 1));
  EXPECT_EQ(work.shape, (Shape{4, 3}));
  EXPECT_EQ(work.cheap, 1);
  EXPECT_EQ(work.reduced_axis, 1);
  const VectorWork of_mean = work_of<VectorWork>(mean(step.input(Array(Shape{5}))));
  EXPECT_EQ(of_mean.shape, (Shape{5}));
  EXPECT_EQ(of_mean.cheap, 1);
  EXPECT_EQ(of_mean.reduced_axis, 0);
  EXPECT_EQ(work_of<VectorWork>(repeat_like(reduce_sum(x, 0), x, 0, 1)).shape, (Shape{4, 3}));
}

TEST(ReduceSum, turns_rows_into_a_sum_over_the_cores_along_axis_0_only) {
  Step step;
  const Tensor x = step.input(Array(Shape{4, 3}));
  EXPECT_EQ(stack_of(reduce_sum(x, 0), {Stack::rows}), Stack::partial);
  EXPECT_EQ(stack_of(reduce_sum(x, 1), {Stack::rows}), Stack::rows);
  EXPECT_EQ(stack_of(reduce_sum(x, 0), {Stack::partial}), Stack::partial);
  EXPECT_EQ(stack_of(reduce_sum(x, 0), {Stack::shared}), Stack::shared);
}

TEST(ReduceSum, refuses_an_axis_that_is_not_there_and_mean_a_matrix) {
  Step step;
  const Tensor x = step.input(Array(Shape{4, 3}));
  EXPECT_EQ(error_of([&] { reduce_sum(x, 2); }), "reduce_sum: f32[4,3] has no axis 2; give 0 to 1");
  EXPECT_EQ(error_of([&] { mean(x); }),
            "mean: f32[4,3] is not a vector of rows; reduce it to one value per row");
}

}  // namespace
}  // namespace tpulab::test::reduce_test
