#include <gtest/gtest.h>

#include "tests/engine/ops/check_op.h"

namespace tpulab::test::batch_matmul_test {
namespace {

MatmulOptions exact(bool left = false, bool right = false) {
  return {left, right, MatmulPrecision::highest};
}
Build product(MatmulOptions options) {
  return [options](std::span<const Tensor> in) { return batch_matmul(in[0], in[1], options); };
}

TEST(BatchMatmul, multiplies_one_pair_per_leading_index) {
  const Array left(Shape{2, 1, 2}, {1, 2, 3, 4});
  const Array right(Shape{2, 2, 1}, {10, 100, 10, 100});
  EXPECT_EQ(values_of({left, right}, product({})), (std::vector<float>{210, 430}));
}

TEST(BatchMatmul, multiplies_all_rows_with_shared_weights) {
  const Array left(Shape{2, 1, 2}, {1, 2, 3, 4});
  const Array right(Shape{2, 2}, {1, 10, 1, 100});
  EXPECT_EQ(values_of({left, right}, product({})), (std::vector<float>{3, 210, 7, 430}));
  EXPECT_EQ(values_of({left, right}, product({.transpose_right = true})),
            (std::vector<float>{21, 201, 43, 403}));
}

TEST(BatchMatmul, is_what_matmul_does_with_more_axes) {
  const std::vector<Array> inputs{numbers({2, 3, 4}, 1), numbers({4, 5}, 2)};
  EXPECT_EQ(values_of(inputs, product({})),
            values_of(inputs, [](std::span<const Tensor> in) { return matmul(in[0], in[1]); }));
}

TEST(BatchMatmul, has_the_gradients_of_finite_differences) {
  for (const bool left : {false, true}) {
    for (const bool right : {false, true}) {
      check_op({numbers(left ? Shape{2, 4, 3} : Shape{2, 3, 4}, 1),
                numbers(right ? Shape{2, 5, 4} : Shape{2, 4, 5}, 2)},
               product(exact(left, right)));
    }
  }
  check_op({numbers({2, 2, 2, 3}, 1), numbers({2, 2, 3, 2}, 2)}, product(exact()));
  check_op({numbers({2, 3, 4}, 1), numbers({4, 5}, 2)}, product(exact()));
  check_op({numbers({2, 3, 4}, 1), numbers({5, 4}, 2)}, product(exact(false, true)));
}

// Six heads of [3,4] x [4,5]: 2 * 6 * 3 * 4 * 5 = 720 operations, and as many in each gradient.
TEST(BatchMatmul, counts_each_pair) {
  Step step;
  const Tensor left = step.input(Array(Shape{2, 3, 3, 4}));
  const Tensor right = step.input(Array(Shape{2, 3, 5, 4}));
  const Tensor out = batch_matmul(left, right, exact(false, true));
  const MatrixWork work = work_of<MatrixWork>(out);
  EXPECT_EQ(work.batch, 6);
  EXPECT_EQ(work.m, 3);
  EXPECT_EQ(work.k, 4);
  EXPECT_EQ(work.n, 5);
  EXPECT_EQ(work.passes, 6);
  const auto gradients = backward(out, step.input(Array(out.shape())));
  EXPECT_EQ(work_of<MatrixWork>(gradients.at(left.id)).flops().value, 720);
  EXPECT_EQ(work_of<MatrixWork>(gradients.at(left.id)).k, 5);
  EXPECT_EQ(work_of<MatrixWork>(gradients.at(right.id)).k, 3);
}

// Shared weights make one product of all 6 rows; their gradient contracts over those.
TEST(BatchMatmul, streams_all_rows_past_shared_weights) {
  Step step;
  const Tensor left = step.input(Array(Shape{2, 3, 4}, DType::bf16));
  const Tensor right = step.input(Array(Shape{4, 5}, DType::bf16));
  const Tensor out = batch_matmul(left, right, exact());
  const MatrixWork work = work_of<MatrixWork>(out);
  EXPECT_EQ(work.batch, 1);
  EXPECT_EQ(work.m, 6);
  EXPECT_EQ(work.k, 4);
  EXPECT_EQ(work.n, 5);
  EXPECT_EQ(work.passes, 1);  // operands are bf16 already
  const auto gradients = backward(out, step.input(Array(out.shape(), DType::bf16)));
  const MatrixWork to_weights = work_of<MatrixWork>(gradients.at(right.id));
  EXPECT_EQ(to_weights.m, 4);
  EXPECT_EQ(to_weights.k, 6);
  EXPECT_EQ(to_weights.n, 5);
}

TEST(BatchMatmul, stacks_rows_and_sums_the_gradient_of_shared_weights) {
  Step step;
  const Tensor left = step.input(Array(Shape{2, 3, 4}));
  const Tensor weights = step.input(Array(Shape{4, 5}));
  const Tensor heads = step.input(Array(Shape{2, 4, 5}));
  using enum Stack;
  EXPECT_EQ(stack_of(batch_matmul(left, weights), {rows, shared}), rows);
  EXPECT_EQ(stack_of(batch_matmul(left, weights), {rows, rows}), none);
  EXPECT_EQ(stack_of(batch_matmul(left, heads), {rows, rows}), rows);
  EXPECT_EQ(stack_of(batch_matmul(left, heads), {rows, shared}), none);
  EXPECT_EQ(stack_of(batch_matmul(left, heads), {partial, partial}), none);
  const Tensor out = batch_matmul(left, weights);
  const auto gradients = backward(out, step.input(Array(out.shape())));
  EXPECT_EQ(stack_of(gradients.at(weights.id), {rows, rows}), partial);
  EXPECT_EQ(stack_of(gradients.at(weights.id), {rows, shared}), none);
}

TEST(BatchMatmul, refuses_shapes_that_do_not_fit) {
  Step step;
  const Tensor x = step.input(Array(Shape{2, 3, 4}));
  EXPECT_EQ(error_of([&] { batch_matmul(x, x); }),
            "batch_matmul: f32[2,3,4] and f32[2,3,4] do not fit; the leading and the inner extents "
            "must be equal (batch=leading transposes=00 passes=1)");
  EXPECT_NE(error_of([&] { batch_matmul(x, step.input(Array(Shape{3, 4, 5}))); }), "");
  EXPECT_NE(error_of([&] { batch_matmul(x, step.input(Array(Shape{3, 5}))); }), "");
  EXPECT_NE(error_of([&] { batch_matmul(x, step.input(Array(Shape{3, 5})), {true}); }), "");
  EXPECT_NE(error_of([&] { batch_matmul(x, step.input(Array(Shape{4}))); }), "");
}

}  // namespace
}  // namespace tpulab::test::batch_matmul_test
