#include <gtest/gtest.h>

#include "tests/engine/ops/check_op.h"

namespace tpulab::test::gather_test {
namespace {

const Build look_up = [](std::span<const Tensor> in) { return gather(in[0], in[1]); };
Build add_into(std::int64_t rows) {
  return [rows](std::span<const Tensor> in) { return scatter_add(in[0], in[1], rows); };
}

TEST(Gather, looks_up_values_and_rows) {
  EXPECT_EQ(values_of({Array(Shape{3}, {10, 20, 30}), labels({2, 0, 2, 1})}, look_up),
            (std::vector<float>{30, 10, 30, 20}));
  EXPECT_EQ(values_of({Array(Shape{2, 2}, {1, 2, 3, 4}), labels({1, 0, 1})}, look_up),
            (std::vector<float>{3, 4, 1, 2, 3, 4}));
}

TEST(ScatterAdd, adds_updates_that_meet_in_one_row) {
  EXPECT_EQ(values_of({Array(Shape{4}, {1, 2, 3, 4}), labels({1, 1, 0, 1})}, add_into(3)),
            (std::vector<float>{3, 7, 0}));
  EXPECT_EQ(values_of({Array(Shape{2, 2}, {1, 2, 3, 4}), labels({1, 1})}, add_into(2)),
            (std::vector<float>{0, 0, 4, 6}));
}

TEST(Gather, has_the_gradient_of_finite_differences) {
  check_op({numbers({5}, 1), labels({4, 0, 4})}, look_up);
  check_op({numbers({5, 3}, 1), labels({4, 0, 4, 2})}, look_up);
  check_op({numbers({3}, 1), labels({4, 0, 4})}, add_into(5));
  check_op({numbers({4, 3}, 1), labels({4, 0, 4, 2})}, add_into(5));
}

// Rows 3 to 5 of a longer table.
TEST(Gather, of_a_share_of_a_table_finds_zeros_elsewhere) {
  const Array first(Shape{}, {3}, DType::s32);
  const Build in_share = [](std::span<const Tensor> in) { return gather(in[0], in[1], in[2]); };
  EXPECT_EQ(values_of({Array(Shape{3}, {10, 20, 30}), labels({2, 3, 5, 6, 4}), first}, in_share),
            (std::vector<float>{0, 10, 30, 0, 20}));
  check_op({numbers({3, 2}, 1), labels({2, 3, 5, 3}), first}, in_share);
  const Build into_share = [](std::span<const Tensor> in) {
    return scatter_add(in[0], in[1], 3, in[2]);
  };
  EXPECT_EQ(values_of({Array(Shape{4}, {1, 2, 3, 4}), labels({2, 3, 5, 3}), first}, into_share),
            (std::vector<float>{6, 0, 3}));
  check_op({numbers({4, 2}, 1), labels({2, 3, 5, 3}), first}, into_share);
}

TEST(Gather, costs_one_operation_per_element_it_moves) {
  Step step;
  const Tensor rows = step.input(Array(Shape{4, 3}));
  const Tensor indices = step.input(labels({0, 1, 2, 3}));
  EXPECT_EQ(work_of<VectorWork>(gather(rows, indices)).shape, (Shape{4, 3}));
  EXPECT_EQ(work_of<VectorWork>(gather(rows, indices)).cheap, 1);
  EXPECT_EQ(work_of<VectorWork>(scatter_add(rows, indices, 9)).shape, (Shape{4, 3}));
  EXPECT_EQ(work_of<VectorWork>(scatter_add(rows, indices, 9)).cheap, 1);
}

TEST(Gather, stacks_rows_of_indices_over_a_shared_table) {
  Step step;
  const Tensor rows = step.input(Array(Shape{4, 3}));
  const Tensor indices = step.input(labels({0, 1, 2, 3}));
  EXPECT_EQ(stack_of(gather(rows, indices), {Stack::shared, Stack::rows}), Stack::rows);
  EXPECT_EQ(stack_of(gather(rows, indices), {Stack::shared, Stack::shared}), Stack::shared);
  EXPECT_EQ(stack_of(gather(rows, indices), {Stack::partial, Stack::shared}), Stack::partial);
  EXPECT_EQ(stack_of(gather(rows, indices), {Stack::rows, Stack::rows}), Stack::none);
  const Tensor sum = scatter_add(rows, indices, 9);
  EXPECT_EQ(stack_of(sum, {Stack::rows, Stack::rows}), Stack::partial);
  EXPECT_EQ(stack_of(sum, {Stack::shared, Stack::shared}), Stack::shared);
  EXPECT_EQ(stack_of(sum, {Stack::shared, Stack::rows}), Stack::none);
}

TEST(Gather, refuses_indices_outside_the_table_and_shapes_that_do_not_fit) {
  EXPECT_EQ(error_of([] {
              values_of({Array(Shape{3}), labels({3})}, look_up);
            }),
            "gather: index 3 is outside 0 to 2; check the labels or the number of classes");
  EXPECT_NE(error_of([] { values_of({Array(Shape{1}), labels({-1})}, add_into(3)); }), "");
  Step step;
  const Tensor rows = step.input(Array(Shape{4, 3}));
  EXPECT_NE(error_of([&] { gather(rows, rows); }).find("gather: f32[4,3]"), std::string::npos);
  EXPECT_NE(error_of([&] { scatter_add(rows, step.input(labels({1})), 9); }).find("scatter_add"),
            std::string::npos);
}

}  // namespace
}  // namespace tpulab::test::gather_test
