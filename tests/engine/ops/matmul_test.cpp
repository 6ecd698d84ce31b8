#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/base/workers.h"
#include "tests/engine/ops/check_op.h"

namespace tpulab::test::matmul_test {
namespace {

struct Case {
  std::int64_t m, k, n;
  bool transpose_left, transpose_right;
};

// Rows of the last two are 4 KiB apart: their factors are copied.
constexpr Case cases[] = {{3, 5, 4, false, false},      {3, 5, 4, true, false},
                          {3, 5, 4, false, true},       {3, 5, 4, true, true},
                          {1, 1, 1, false, false},      {300, 70, 520, false, false},
                          {300, 700, 520, true, false}, {257, 129, 10, false, true},
                          {1024, 9, 1024, true, false}, {300, 9, 1024, false, false}};

Array left_of(const Case& c, DType dtype = DType::f32) {
  return numbers(c.transpose_left ? Shape{c.k, c.m} : Shape{c.m, c.k}, 1, dtype);
}
Array right_of(const Case& c, DType dtype = DType::f32) {
  return numbers(c.transpose_right ? Shape{c.n, c.k} : Shape{c.k, c.n}, 2, dtype);
}

Array product(const Array& left, const Array& right, const Case& c, MatmulPrecision precision,
              const EvaluateContext& context = {}) {
  Step step;
  step.context = context;
  const Tensor out =
      matmul(step.input(left), step.input(right), {c.transpose_left, c.transpose_right, precision});
  return step.value(out);
}

// The largest difference to a double-precision product, as a share of sum |a||b|.
double error_against_naive(const Array& out, const Array& left, const Array& right, const Case& c) {
  double worst = 0;
  for (std::int64_t i = 0; i < c.m; ++i) {
    for (std::int64_t j = 0; j < c.n; ++j) {
      double sum = 0;
      double size = 0;
      for (std::int64_t t = 0; t < c.k; ++t) {
        const double a = left[c.transpose_left ? t * c.m + i : i * c.k + t];
        const double b = right[c.transpose_right ? j * c.k + t : t * c.n + j];
        sum += a * b;
        size += std::abs(a * b);
      }
      worst = std::max(worst, std::abs(sum - static_cast<double>(out[i * c.n + j])) / size);
    }
  }
  return worst;
}

Array in_bf16(Array array) {
  for (float& value : array.values()) value = rounded_to_bf16(value);
  return array;
}

TEST(Matmul, equals_a_naive_product_at_highest_precision) {
  for (const Case& c : cases) {
    const Array out = product(left_of(c), right_of(c), c, MatmulPrecision::highest);
    ASSERT_EQ(out.shape(), (Shape{c.m, c.n}));
    EXPECT_LT(error_against_naive(out, left_of(c), right_of(c), c), 1e-6) << c.m << " " << c.k;
  }
}

TEST(Matmul, rounds_f32_operands_to_bf16_by_default) {
  for (const Case& c : cases) {
    const Array out = product(left_of(c), right_of(c), c, MatmulPrecision::default_);
    EXPECT_LT(error_against_naive(out, in_bf16(left_of(c)), in_bf16(right_of(c)), c), 1e-6);
    EXPECT_EQ(std::vector(out.values().begin(), out.values().end()), [&] {
      const Array exact =
          product(in_bf16(left_of(c)), in_bf16(right_of(c)), c, MatmulPrecision::highest);
      return std::vector(exact.values().begin(), exact.values().end());
    }());
  }
}

// Two bf16 parts carry 16 bits of mantissa; what is lost is low x low, 2^-16 of each term.
TEST(Matmul, keeps_sixteen_bits_in_three_passes) {
  const Case c{64, 32, 48, false, false};
  const Array high = product(left_of(c), right_of(c), c, MatmulPrecision::high);
  const Array plain = product(left_of(c), right_of(c), c, MatmulPrecision::default_);
  EXPECT_LT(error_against_naive(high, left_of(c), right_of(c), c), 1.0 / 65536);
  EXPECT_GT(error_against_naive(plain, left_of(c), right_of(c), c), 1.0 / 4096);
}

TEST(Matmul, has_the_same_bits_for_one_two_and_four_workers) {
  for (const Case& c : {Case{300, 700, 1030, false, false}, Case{1024, 70, 1024, true, false}}) {
    for (const bool reference : {false, true}) {
      const Array alone =
          product(left_of(c), right_of(c), c, MatmulPrecision::default_, {.reference = reference});
      for (const int workers : {1, 2, 4}) {
        WorkerPool pool(workers);
        const Array shared = product(left_of(c), right_of(c), c, MatmulPrecision::default_,
                                     {.workers = &pool, .reference = reference});
        EXPECT_TRUE(std::ranges::equal(alone.values(), shared.values())) << c.m << workers;
      }
    }
  }
}

TEST(Matmul, reference_backend_sums_k_in_order_in_f32) {
  const Case c{7, 300, 9, true, true};
  const Array left = left_of(c);
  const Array right = right_of(c);
  const Array out = product(left, right, c, MatmulPrecision::highest, {.reference = true});
  for (std::int64_t i = 0; i < c.m; ++i) {
    for (std::int64_t j = 0; j < c.n; ++j) {
      volatile float sum = 0;  // volatile: no contraction, no reordering
      for (std::int64_t t = 0; t < c.k; ++t) {
        volatile float term = left[t * c.m + i] * right[j * c.k + t];
        sum = sum + term;
      }
      EXPECT_EQ(out[i * c.n + j], sum);
    }
  }
}

TEST(Matmul, multiplies_bf16_operands_as_they_are_and_answers_bf16) {
  const Case c{5, 40, 6, false, false};
  const Array left = left_of(c, DType::bf16);
  const Array right = right_of(c, DType::bf16);
  const Array out = product(left, right, c, MatmulPrecision::default_);
  EXPECT_EQ(out.dtype(), DType::bf16);
  const Array wide = product(Array(left.shape(), {left.values().begin(), left.values().end()}),
                             Array(right.shape(), {right.values().begin(), right.values().end()}),
                             c, MatmulPrecision::highest);
  for (std::int64_t i = 0; i < out.elements(); ++i) EXPECT_EQ(out[i], rounded_to_bf16(wide[i]));
}

TEST(Matmul, of_nothing_to_sum_is_zero) {
  const Case c{2, 0, 3, false, false};
  const Array out = product(left_of(c), right_of(c), c, MatmulPrecision::default_);
  EXPECT_TRUE(std::ranges::all_of(out.values(), [](float value) { return value == 0; }));
}

TEST(Matmul, has_the_gradient_of_finite_differences_read_either_way) {
  for (const bool transpose_left : {false, true}) {
    for (const bool transpose_right : {false, true}) {
      const Case c{3, 4, 5, transpose_left, transpose_right};
      check_op({left_of(c), right_of(c)}, [&](std::span<const Tensor> in) {
        return matmul(in[0], in[1], {transpose_left, transpose_right, MatmulPrecision::highest});
      });
    }
  }
}

TEST(Matmul, has_a_gradient_of_its_own_precision) {
  Step step;
  const Tensor left = step.input(Array(Shape{3, 4}));
  const Tensor out =
      matmul(left, step.input(Array(Shape{4, 5})), {false, false, MatmulPrecision::high});
  const auto gradients = backward(out, step.input(Array(Shape{3, 5})));
  EXPECT_EQ(work_of<MatrixWork>(gradients.at(left.id)).passes, 3);
}

// 2 m k n = 2 * 3 * 4 * 5 = 120; the gradients are [3,5] x [5,4] and [4,3] x [3,5].
TEST(Matmul, counts_m_k_n_and_passes) {
  Step step;
  const Tensor left = step.input(Array(Shape{4, 3}));
  const Tensor right = step.input(Array(Shape{5, 4}));
  const Tensor out = matmul(left, right, {true, true, MatmulPrecision::highest});
  const MatrixWork work = work_of<MatrixWork>(out);
  EXPECT_EQ(work.flops().value, 120);
  EXPECT_EQ(work.m, 3);
  EXPECT_EQ(work.k, 4);
  EXPECT_EQ(work.n, 5);
  EXPECT_EQ(work.passes, 6);
  EXPECT_EQ(work.operand, DType::bf16);
  const auto gradients = backward(out, step.input(Array(Shape{3, 5})));
  EXPECT_EQ(work_of<MatrixWork>(gradients.at(left.id)).k, 5);
  EXPECT_EQ(work_of<MatrixWork>(gradients.at(right.id)).k, 3);
  EXPECT_EQ(work_of<MatrixWork>(matmul(left, right, {true, true})).passes, 1);
}

TEST(Matmul, needs_one_pass_for_bf16_operands_at_any_precision) {
  Step step;
  const Tensor x = step.input(Array(Shape{4, 4}, DType::bf16));
  EXPECT_EQ(work_of<MatrixWork>(matmul(x, x, {.precision = MatmulPrecision::highest})).passes, 1);
}

TEST(Matmul, names_what_changes_the_program) {
  Step step;
  const Tensor x = step.input(Array(Shape{4, 4}));
  const auto attributes = [&](MatmulOptions options) {
    return step.graph.node(matmul(x, x, options).id).op->attributes();
  };
  EXPECT_EQ(attributes({}), "lhs_contracting=1 rhs_contracting=0 passes=1");
  EXPECT_EQ(attributes({true, true, MatmulPrecision::highest}),
            "lhs_contracting=0 rhs_contracting=1 passes=6");
}

TEST(Matmul, stacks_streamed_rows_and_sums_the_weight_gradient) {
  Step step;
  const Tensor x = step.input(Array(Shape{4, 4}));
  const Tensor plain = matmul(x, x);
  const Tensor weight_gradient = matmul(x, x, {.transpose_left = true});
  EXPECT_EQ(stack_of(plain, {Stack::rows, Stack::shared}), Stack::rows);
  EXPECT_EQ(stack_of(plain, {Stack::shared, Stack::shared}), Stack::shared);
  EXPECT_EQ(stack_of(plain, {Stack::partial, Stack::shared}), Stack::partial);
  EXPECT_EQ(stack_of(plain, {Stack::rows, Stack::rows}), Stack::none);
  EXPECT_EQ(stack_of(plain, {Stack::shared, Stack::rows}), Stack::none);
  EXPECT_EQ(stack_of(weight_gradient, {Stack::rows, Stack::rows}), Stack::partial);
  EXPECT_EQ(stack_of(weight_gradient, {Stack::rows, Stack::shared}), Stack::none);
}

TEST(Matmul, refuses_shapes_that_do_not_fit) {
  Step step;
  const Tensor x = step.input(Array(Shape{3, 4}));
  EXPECT_EQ(error_of([&] { matmul(x, x); }),
            "matmul: f32[3,4] and f32[3,4] do not fit; the inner extents must be equal "
            "(lhs_contracting=1 rhs_contracting=0 passes=1)");
  EXPECT_NE(error_of([&] { matmul(x, step.input(Array(Shape{4}))); }), "");
}

}  // namespace
}  // namespace tpulab::test::matmul_test
