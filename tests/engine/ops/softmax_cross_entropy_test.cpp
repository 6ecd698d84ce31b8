#include <gtest/gtest.h>

#include <cmath>

#include "tests/engine/ops/check_op.h"

namespace tpulab::test::softmax_cross_entropy_test {
namespace {

const Build loss = [](std::span<const Tensor> in) { return softmax_cross_entropy(in[0], in[1]); };
const Build hits = [](std::span<const Tensor> in) { return correct_rows(in[0], in[1]); };

TEST(SoftmaxCrossEntropy, equals_the_formula_in_double_precision) {
  const Array logits = numbers({5, 10}, 1);
  const Array classes = labels({0, 9, 3, 3, 7});
  const std::vector<float> out = values_of({logits, classes}, loss);
  for (std::int64_t row = 0; row < 5; ++row) {
    double sum = 0;
    for (std::int64_t i = 0; i < 10; ++i)
      sum += std::exp(static_cast<double>(logits[row * 10 + i]));
    const auto label = static_cast<std::int64_t>(classes[row]);
    const double wanted = std::log(sum) - static_cast<double>(logits[row * 10 + label]);
    EXPECT_NEAR(static_cast<double>(out[static_cast<std::size_t>(row)]), wanted, 1e-6 * wanted);
  }
}

// Equal logits over n classes: log n.
TEST(SoftmaxCrossEntropy, of_equal_logits_is_the_logarithm_of_the_classes) {
  EXPECT_NEAR(values_of({Array(Shape{1, 10}), labels({4})}, loss)[0], 2.302585f, 1e-6f);
}

TEST(SoftmaxCrossEntropy, survives_logits_whose_exponential_overflows) {
  const Array logits(Shape{3, 2}, {1000, 0, 1000, 0, -1000, -1000});
  const std::vector<float> out = values_of({logits, labels({0, 1, 0})}, loss);
  EXPECT_EQ(out[0], 0);
  EXPECT_EQ(out[1], 1000);
  EXPECT_NEAR(out[2], 0.693147f, 1e-6f);
}

TEST(SoftmaxCrossEntropy, has_the_gradient_of_finite_differences) {
  check_op({numbers({4, 6}, 1), labels({0, 5, 2, 2})}, loss);
}

// Softmax of equal logits is 1/2 each: (1/2 - 1) u and 1/2 u.
TEST(SoftmaxCrossEntropy, gradient_is_softmax_minus_one_hot_times_upstream) {
  Step step;
  const Tensor logits = step.input(Array(Shape{1, 2}));
  const Tensor out = softmax_cross_entropy(logits, step.input(labels({1})));
  const auto gradients = backward(out, step.input(Array(Shape{1}, {4})));
  EXPECT_EQ(step.value(gradients.at(logits.id))[0], 2);
  EXPECT_EQ(step.value(gradients.at(logits.id))[1], -2);
}

TEST(SoftmaxCrossEntropy, counts_exp_max_subtract_and_add_per_logit) {
  Step step;
  const Tensor logits = step.input(Array(Shape{4, 10}));
  const Tensor out = softmax_cross_entropy(logits, step.input(labels({0, 1, 2, 3})));
  const VectorWork work = work_of<VectorWork>(out);
  EXPECT_EQ(work.shape, (Shape{4, 10}));
  EXPECT_EQ(work.cheap, 3);
  EXPECT_EQ(work.transcendental, 1);
  EXPECT_EQ(work.reduced_axis, 1);
  const auto gradients = backward(out, step.input(Array(Shape{4})));
  const VectorWork back = work_of<VectorWork>(gradients.at(logits.id));
  EXPECT_EQ(back.cheap, 5);
  EXPECT_EQ(back.medium, 1);
  EXPECT_EQ(back.transcendental, 1);
}

TEST(SoftmaxCrossEntropy, stacks_rows_with_rows) {
  Step step;
  const Tensor out = softmax_cross_entropy(step.input(Array(Shape{1, 2})), step.input(labels({1})));
  EXPECT_EQ(stack_of(out, {Stack::rows, Stack::rows}), Stack::rows);
  EXPECT_EQ(stack_of(out, {Stack::shared, Stack::shared}), Stack::shared);
  EXPECT_EQ(stack_of(out, {Stack::shared, Stack::rows}), Stack::none);
  EXPECT_EQ(stack_of(out, {Stack::partial, Stack::partial}), Stack::none);
}

TEST(SoftmaxCrossEntropy, refuses_labels_outside_the_classes) {
  for (const float label : {-1.0f, 3.0f, std::nanf("")}) {
    for (const Build& build : {loss, hits}) {
      EXPECT_NE(error_of([&] {
                  values_of({Array(Shape{1, 3}), labels({label})}, build);
                }).find("is outside 0 to 2"),
                std::string::npos);
    }
  }
}

TEST(SoftmaxCrossEntropy, refuses_shapes_that_do_not_fit) {
  Step step;
  const Tensor logits = step.input(Array(Shape{4, 10}));
  const Tensor three = step.input(labels({0, 1, 2}));
  EXPECT_EQ(error_of([&] { softmax_cross_entropy(logits, three); }),
            "softmax-cross-entropy: logits f32[4,10] and labels s32[3] do not fit; give [m,n] and "
            "integers [m]");
  EXPECT_NE(error_of([&] { softmax_cross_entropy(logits, step.input(Array(Shape{4}))); }), "");
  EXPECT_NE(error_of([&] { correct_rows(three, three); }), "");
}

TEST(CorrectRows, is_one_where_the_largest_logit_is_the_labels) {
  const Array logits(Shape{3, 2}, {1, 2, 3, 1, 4, 4});
  EXPECT_EQ(values_of({logits, labels({1, 1, 0})}, hits), (std::vector<float>{1, 0, 1}));
  check_evaluation({numbers({9, 4}, 1), labels({0, 1, 2, 3, 0, 1, 2, 3, 0})}, hits);
}

TEST(CorrectRows, lets_no_gradient_through_and_costs_two_operations_per_logit) {
  Step step;
  const Tensor logits = step.input(Array(Shape{2, 3}));
  const Tensor out = correct_rows(logits, step.input(labels({0, 1})));
  EXPECT_EQ(out.type().dtype, DType::f32);
  EXPECT_FALSE(backward(out, out).contains(logits.id));
  EXPECT_EQ(work_of<VectorWork>(out).cheap, 2);
  EXPECT_EQ(work_of<VectorWork>(out).reduced_axis, 1);
  EXPECT_EQ(stack_of(out, {Stack::rows, Stack::rows}), Stack::rows);
}

}  // namespace
}  // namespace tpulab::test::softmax_cross_entropy_test
