#include "engine/ops/elementwise.h"

#include <gtest/gtest.h>

#include "engine/base/workers.h"
#include "tests/engine/ops/check_op.h"

namespace tpulab::test::elementwise_test {
namespace {

DType dtype_of_sum(const Shape& left_shape, DType left, const Shape& right_shape, DType right) {
  Step step;
  return add(step.input(Array(left_shape, left)), step.input(Array(right_shape, right)))
      .type()
      .dtype;
}

TEST(Elementwise, promotes_dtypes_as_pytorch_does) {
  EXPECT_EQ(dtype_of_sum({2}, DType::bf16, {}, DType::f32), DType::bf16);
  EXPECT_EQ(dtype_of_sum({}, DType::f32, {2}, DType::bf16), DType::bf16);
  EXPECT_EQ(dtype_of_sum({2}, DType::bf16, {2}, DType::f32), DType::f32);
  EXPECT_EQ(dtype_of_sum({2}, DType::s32, {}, DType::f32), DType::f32);
  EXPECT_EQ(dtype_of_sum({2}, DType::s32, {2}, DType::bf16), DType::bf16);
  EXPECT_EQ(dtype_of_sum({2}, DType::pred, {2}, DType::s32), DType::s32);
  EXPECT_EQ(dtype_of_sum({2}, DType::s32, {}, DType::s32), DType::s32);
}

TEST(Elementwise, is_per_core_if_an_input_is) {
  Step step;
  const Tensor shared = step.input(Array(Shape{2}));
  const Tensor own = step.input(Array(Shape{2}), Placement::per_core);
  EXPECT_EQ(add(shared, shared).type().placement, Placement::shared);
  EXPECT_EQ(add(shared, own).type().placement, Placement::per_core);
}

TEST(Elementwise, stacks_rows_beside_shared_scalars_and_biases_only) {
  Step step;
  const Tensor matrix = step.input(Array(Shape{4, 3}));
  const Tensor bias = step.input(Array(Shape{3}));
  const Tensor one = scalar(step.graph, 1);
  EXPECT_EQ(stack_of(add(matrix, matrix), {Stack::rows, Stack::rows}), Stack::rows);
  EXPECT_EQ(stack_of(add(matrix, bias), {Stack::rows, Stack::shared}), Stack::rows);
  EXPECT_EQ(stack_of(add(matrix, one), {Stack::rows, Stack::shared}), Stack::rows);
  EXPECT_EQ(stack_of(add(one, matrix), {Stack::shared, Stack::rows}), Stack::rows);
  EXPECT_EQ(stack_of(add(matrix, matrix), {Stack::shared, Stack::shared}), Stack::shared);
  // A shared matrix would have to be repeated, and rows of biases belong to one core each.
  EXPECT_EQ(stack_of(add(matrix, matrix), {Stack::rows, Stack::shared}), Stack::none);
  EXPECT_EQ(stack_of(add(matrix, bias), {Stack::rows, Stack::rows}), Stack::none);
  EXPECT_EQ(stack_of(add(matrix, bias), {Stack::shared, Stack::rows}), Stack::none);
  EXPECT_EQ(stack_of(add(matrix, matrix), {Stack::rows, Stack::none}), Stack::none);
}

// A position added to each sentence, and a bias to each of its words.
TEST(Elementwise, repeats_what_has_the_last_extents) {
  const Array x(Shape{2, 2, 2}, {0, 0, 10, 10, 20, 20, 30, 30});
  const Build sum = [](std::span<const Tensor> in) { return add(in[0], in[1]); };
  EXPECT_EQ(values_of({x, Array(Shape{2, 2}, {1, 2, 3, 4})}, sum),
            (std::vector<float>{1, 2, 13, 14, 21, 22, 33, 34}));
  EXPECT_EQ(values_of({x, Array(Shape{2}, {1, 2})}, sum),
            (std::vector<float>{1, 2, 11, 12, 21, 22, 31, 32}));
  for (const Shape& bias : {Shape{2, 4}, Shape{4}, Shape{}}) {
    check_op({numbers({3, 2, 4}, 1), numbers(bias, 2)}, sum);
    check_op({numbers({3, 2, 4}, 1), numbers(bias, 2)},
             [](std::span<const Tensor> in) { return multiply(in[0], in[1]); });
  }
  Step step;
  EXPECT_NE(error_of([&] { add(step.input(x), step.input(Array(Shape{3, 2}))); }), "");
}

TEST(Elementwise, has_the_same_bits_for_any_number_of_workers) {
  const std::vector<std::vector<Array>> pairs{{numbers({300, 401}, 1), numbers({300, 401}, 2)},
                                              {numbers({300, 401}, 1), numbers({401}, 2)},
                                              {numbers({300, 401}, 1), numbers({}, 2)},
                                              {numbers({}, 1), numbers({300, 401}, 2)}};
  const Build build = [](std::span<const Tensor> in) { return divide(in[0], in[1]); };
  WorkerPool pool(4);
  for (const std::vector<Array>& pair : pairs) {
    EXPECT_EQ(values_of(pair, build), values_of(pair, build, {.workers = &pool}));
  }
}

TEST(Elementwise, of_no_elements_is_no_work) {
  EXPECT_TRUE(values_of({Array(Shape{0, 3}), Array(Shape{3})}, [](std::span<const Tensor> in) {
                return add(in[0], in[1]);
              }).empty());
  EXPECT_TRUE(values_of({Array(Shape{2, 0}), Array(Shape{0})}, [](std::span<const Tensor> in) {
                return add(in[0], in[1]);
              }).empty());
}

}  // namespace
}  // namespace tpulab::test::elementwise_test
