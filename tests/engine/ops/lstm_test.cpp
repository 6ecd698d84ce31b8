#include <gtest/gtest.h>

#include <cmath>

#include "tests/engine/ops/check_op.h"

namespace tpulab::test::lstm_test {
namespace {

const Build cell = [](std::span<const Tensor> in) { return lstm(in[0], in[1]); };

double sigmoid_of(double x) { return 1 / (1 + std::exp(-x)); }

TEST(Lstm, keeps_what_it_does_not_forget_and_hands_on_what_its_gate_lets_out) {
  const std::vector<float> made =
      values_of({Array(Shape{1, 4}, {0.5f, -1, 2, 0.25f}), Array(Shape{1, 2}, {3, 9})}, cell);
  const double next = 3 * sigmoid_of(2) + sigmoid_of(0.5) * std::tanh(-1.0);
  EXPECT_NEAR(made.at(0), next, 1e-6);
  EXPECT_NEAR(made.at(1), std::tanh(next) * sigmoid_of(0.25), 1e-6);
}

TEST(Lstm, has_the_gradient_of_finite_differences) {
  // What was handed on before is no part of the cell: its gradient is zeros.
  check_op({numbers({3, 8}, 1), numbers({3, 4}, 2)}, cell);
}

TEST(Lstm, costs_five_functions_an_element) {
  Step step;
  const VectorWork work =
      work_of<VectorWork>(lstm(step.input(Array(Shape{2, 12})), step.input(Array(Shape{2, 6}))));
  EXPECT_EQ(work.shape, (Shape{2, 3}));
  EXPECT_EQ(work.transcendental, 5);
}

TEST(Lstm, stacks_rows_of_replicas) {
  Step step;
  const Tensor made = lstm(step.input(Array(Shape{2, 12})), step.input(Array(Shape{2, 6})));
  EXPECT_EQ(stack_of(made, {Stack::rows, Stack::rows}), Stack::rows);
  EXPECT_EQ(stack_of(made, {Stack::rows, Stack::shared}), Stack::none);
}

TEST(Lstm, says_what_does_not_fit) {
  EXPECT_EQ(error_of([] {
              values_of({Array(Shape{2, 8}), Array(Shape{2, 3})}, cell);
            }),
            "lstm: gates f32[2,8] and state f32[2,3] do not fit; give [b,4c] and [b,2c]");
}

}  // namespace
}  // namespace tpulab::test::lstm_test
