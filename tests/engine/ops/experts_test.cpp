#include <gtest/gtest.h>

#include "tests/engine/ops/check_op.h"

namespace tpulab::test::experts_test {
namespace {

constexpr MatmulOptions exact{.precision = MatmulPrecision::highest};

Array integers(const Shape& shape, std::vector<float> values) {
  return Array(shape, std::move(values), DType::s32);
}

Build largest_of(std::int64_t count) {
  return [count](std::span<const Tensor> in) { return largest(in[0], count); };
}
const Build pick = [](std::span<const Tensor> in) { return picked(in[0], in[1]); };
const Build by_rows = [](std::span<const Tensor> in) { return multiply_rows(in[0], in[1]); };
const Build copies = [](std::span<const Tensor> in) { return dispatched(in[0], 3); };
Build through_experts(bool transposed) {
  return [transposed](std::span<const Tensor> in) {
    return expert_matmul(in[0], in[1], in[2],
                         {.transpose_right = transposed, .precision = exact.precision});
  };
}

TEST(Largest, finds_the_places_of_the_largest_and_of_equals_the_first) {
  EXPECT_EQ(values_of({Array(Shape{2, 4}, {1, 4, 3, 4, 0, 0, 0, -1})}, largest_of(3)),
            (std::vector<float>{1, 3, 2, 0, 1, 2}));
}

TEST(Largest, of_many_sorts_all_with_their_places) {
  Step step;
  const Tensor x = step.input(Array(Shape{1, 1024}));
  EXPECT_EQ(work_of<VectorWork>(largest(x, 8)).cheap, 3 * 8);
  // A bitonic network of ten steps has 55 stages, each compares and moves two arrays.
  EXPECT_EQ(work_of<VectorWork>(largest(x, 500)).cheap, 2 * 10 * 11);
}

TEST(Largest, refuses_more_than_a_row_has) {
  EXPECT_EQ(error_of([] {
              values_of({Array(Shape{2, 4})}, largest_of(5));
            }),
            "top-k: f32[2,4] has no 5 largest a row; give [m,n] and 1 to n of them");
}

TEST(Picked, takes_of_each_row_what_lies_at_its_places) {
  const Array x(Shape{2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(values_of({x, integers({2, 2}, {2, 0, 1, 1})}, pick), (std::vector<float>{3, 1, 5, 5}));
  EXPECT_EQ(error_of([&] {
              values_of({x, integers({2, 1}, {3, 0})}, pick);
            }),
            "gather: index 3 is outside 0 to 2; check the labels or the number of classes");
}

TEST(MultiplyRows, has_one_factor_a_row) {
  EXPECT_EQ(values_of({Array(Shape{2, 2}, {1, 2, 3, 4}), Array(Shape{2}, {10, -1})}, by_rows),
            (std::vector<float>{10, 20, -3, -4}));
}

// Rows 1, 2 and 3 times the matrices (1 0; 0 1) and (2 0; 0 0), as they choose.
TEST(ExpertMatmul, multiplies_each_row_by_the_matrix_that_it_chose) {
  const Array rows(Shape{2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  const Array matrices(Shape{2, 2, 2}, {1, 0, 0, 1, 2, 0, 0, 0});
  EXPECT_EQ(values_of({rows, matrices, integers({2, 2}, {0, 1, 1, 1})}, through_experts(false)),
            (std::vector<float>{1, 2, 6, 0, 10, 0, 14, 0}));
}

TEST(ExpertMatmul, has_the_gradient_of_finite_differences) {
  const Array chosen = integers({3, 2}, {0, 2, 2, 0, 2, 2});  // nobody chooses 1
  check_op({numbers({3, 2, 4}, 1), numbers({3, 4, 5}, 2), chosen}, through_experts(false));
  check_op({numbers({3, 2, 4}, 1), numbers({3, 5, 4}, 2), chosen}, through_experts(true));
  check_op({numbers({3, 4}, 1), integers({3, 2}, {0, 3, 1, 1, 2, 0})}, pick);
  check_op({numbers({3, 2, 4}, 1), numbers({3, 2}, 2)}, by_rows);
  check_op({numbers({3, 4}, 1)}, copies);
}

TEST(ExpertMatmul, refuses_shapes_that_do_not_fit) {
  EXPECT_EQ(error_of([] {
              values_of({Array(Shape{3, 2, 4}), Array(Shape{3, 5, 6}), integers({3, 1}, {0, 0, 0})},
                        through_experts(false));
            }),
            "experts: rows f32[3,2,4], matrices f32[3,5,6] and choices s32[3,1] do not fit; give "
            "[m,k,c], [e,c,n] and integers [m,k]");
}

// 10 rows of two choices over 8 experts: three each, rounded up; of one row two experts are busy.
TEST(ExpertMatmul, counts_rows_as_spread_evenly) {
  Step step;
  const auto work = [&](std::int64_t rows) {
    const Tensor chosen = step.input(Array(Shape{rows, 2}, DType::s32));
    return work_of<MatrixWork>(expert_matmul(step.input(Array(Shape{rows, 2, 4})),
                                             step.input(Array(Shape{8, 4, 6})), chosen));
  };
  EXPECT_EQ(work(10).batch, 8);
  EXPECT_EQ(work(10).m, 3);
  EXPECT_EQ(work(10).k, 4);
  EXPECT_EQ(work(10).n, 6);
  EXPECT_EQ(work(1).batch, 2);
  EXPECT_EQ(work(1).m, 1);
}

TEST(ExpertMatmul, stacks_rows_over_shared_matrices) {
  Step step;
  const Tensor chosen = step.input(Array(Shape{3, 2}, DType::s32));
  const Tensor made =
      expert_matmul(step.input(Array(Shape{3, 2, 4})), step.input(Array(Shape{8, 4, 6})), chosen);
  EXPECT_EQ(stack_of(made, {Stack::rows, Stack::shared, Stack::rows}), Stack::rows);
  EXPECT_EQ(stack_of(made, {Stack::rows, Stack::rows, Stack::rows}), Stack::none);
  EXPECT_EQ(stack_of(made, {Stack::shared, Stack::shared, Stack::rows}), Stack::none);
}

}  // namespace
}  // namespace tpulab::test::experts_test
