#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/ops/hyperbolic_tangent.h"
#include "tests/engine/ops/check_op.h"

namespace tpulab::test::activations_test {
namespace {

struct Function {
  const char* name;
  Tensor (*op)(Tensor);
  double (*definition)(double);
  int cheap;
  int medium;
  int transcendental;
};

const std::vector<Function>& functions() {
  static const std::vector<Function> all{
      {"exponential", exponential, [](double x) { return std::exp(x); }, 0, 0, 1},
      {"tanh", hyperbolic_tangent, [](double x) { return std::tanh(x); }, 0, 0, 1},
      {"sigmoid", sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }, 1, 1, 1},
      {"silu", silu, [](double x) { return x / (1 + std::exp(-x)); }, 2, 1, 1},
      {"gelu", gelu,
       [](double x) {
         const double u = std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x);
         return x / 2 * (1 + std::tanh(u));
       },
       7, 0, 1},
  };
  return all;
}

Build of(const Function& function) {
  return [op = function.op](std::span<const Tensor> in) { return op(in[0]); };
}

TEST(Activations, agree_with_their_definitions) {
  Array x(Shape{81});
  for (std::int64_t i = 0; i < 81; ++i) x[i] = static_cast<float>(i - 40) / 4;
  for (const Function& function : functions()) {
    const std::vector<float> found = values_of({x}, of(function));
    for (std::int64_t i = 0; i < 81; ++i) {
      const double wanted = function.definition(static_cast<double>(x[i]));
      EXPECT_NEAR(static_cast<double>(found[static_cast<std::size_t>(i)]), wanted,
                  1e-6 * std::max(1.0, std::abs(wanted)))
          << function.name << " of " << x[i];
    }
  }
}

TEST(Activations, have_the_gradients_of_finite_differences) {
  for (const Function& function : functions()) {
    SCOPED_TRACE(function.name);
    Array x = numbers({4, 5}, 1);
    for (float& value : x.values()) value *= 3;
    // e^3 is steep: the third derivative shows in finite differences.
    if (function.op == static_cast<Tensor (*)(Tensor)>(exponential)) x = numbers({4, 5}, 1);
    check_op({x}, of(function));
  }
}

TEST(Activations, cost_what_their_formulas_count) {
  Step step;
  const Tensor x = step.input(Array(Shape{2, 3}));
  for (const Function& function : functions()) {
    const VectorWork work = work_of<VectorWork>(function.op(x));
    EXPECT_EQ(work.shape, (Shape{2, 3}));
    EXPECT_EQ(work.cheap, function.cheap) << function.name;
    EXPECT_EQ(work.medium, function.medium) << function.name;
    EXPECT_EQ(work.transcendental, function.transcendental) << function.name;
  }
}

TEST(ReciprocalSquareRoot, inverts_the_root) {
  const Build build = [](std::span<const Tensor> in) { return reciprocal_square_root(in[0]); };
  EXPECT_EQ(values_of({Array(Shape{3}, {1, 4, 0.25f})}, build), (std::vector<float>{1, 0.5f, 2}));
  Array x = numbers({6}, 1);
  for (float& value : x.values()) value = value * 0.5f + 2;
  check_op({x}, build);
  Step step;
  const VectorWork work = work_of<VectorWork>(reciprocal_square_root(step.input(x)));
  EXPECT_EQ(work.medium, 1);
  EXPECT_EQ(work.cheap + work.transcendental, 0);
}

// Relative to 4 ulp where the polynomial and the quotient meet, and at the ends.
TEST(HyperbolicTangent, is_exact_to_a_few_units_in_the_last_place) {
  for (float x = -12; x < 12; x += 0.0137f) {
    const double wanted = std::tanh(static_cast<double>(x));
    EXPECT_NEAR(static_cast<double>(tanh_of(x)), wanted, 2.5e-7 * std::abs(wanted) + 1e-12) << x;
  }
  EXPECT_EQ(tanh_of(100), 1.0f);
  EXPECT_EQ(tanh_of(-100), -1.0f);
  EXPECT_EQ(tanh_of(0), 0.0f);
}

TEST(Activations, saturate_without_overflow) {
  EXPECT_EQ(logistic(-200), 0.0f);
  EXPECT_EQ(logistic(200), 1.0f);
}

}  // namespace
}  // namespace tpulab::test::activations_test
