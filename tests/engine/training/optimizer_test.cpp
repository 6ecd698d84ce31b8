#include "engine/training/optimizer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "engine/base/error.h"
#include "tests/engine/ops/step.h"

namespace tpulab::optimizer_test {
namespace {

double norm_of(const std::vector<double>& values) {
  return std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0));
}

struct LambState {
  std::vector<double> weight, mean, square;
};

// Algorithm 2 of arXiv 1904.00962, step t from 1, in double precision.
void lamb_step(LambState& s, const Array& gradient, int t, double rate) {
  std::vector<double> change;
  for (std::size_t i = 0; i < s.weight.size(); ++i) {
    const double g = gradient.values()[i];
    s.mean[i] = 0.9 * s.mean[i] + 0.1 * g;
    s.square[i] = 0.999 * s.square[i] + 0.001 * g * g;
    const double mean = s.mean[i] / (1 - std::pow(0.9, t));
    const double square = s.square[i] / (1 - std::pow(0.999, t));
    change.push_back(mean / (std::sqrt(square) + 1e-6) + 0.01 * s.weight[i]);
  }
  const double weights = norm_of(s.weight);
  const double ratio = weights > 0 ? weights / norm_of(change) : 1;
  for (std::size_t i = 0; i < s.weight.size(); ++i) s.weight[i] -= rate * ratio * change[i];
}

// Three steps op by op beside the same in double precision.
void expect_lamb(Array weight) {
  const Shape shape = weight.shape();
  const auto count = static_cast<std::size_t>(shape.elements());
  LambState expected{{weight.values().begin(), weight.values().end()},
                     std::vector<double>(count),
                     std::vector<double>(count)};
  const OptimizerOptions options{.kind = OptimizerKind::lamb, .learning_rate = 0.02};
  std::vector<Array> state;
  for (int step = 0; step < 3; ++step) {
    test::Step traced;
    const Array gradient = test::numbers(shape, 7 + static_cast<std::uint32_t>(step));
    std::vector<Tensor> moments;
    for (const Array& one : state) moments.push_back(traced.input(one));
    const Updated next =
        update(options, step, traced.input(weight), traced.input(gradient), moments);
    weight = traced.value(next.parameter);
    state = {traced.value(next.state[0]), traced.value(next.state[1])};
    lamb_step(expected, gradient, step + 1, 0.02);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_NEAR(weight.values()[i], expected.weight[i], 2e-6) << step << " " << i;
    }
  }
}

TEST(Optimizer, lamb_scales_its_step_by_the_norms_of_weights_and_step) {
  expect_lamb(test::numbers({6, 5}, 3));
}

TEST(Optimizer, lamb_takes_adams_step_from_weights_of_zero) { expect_lamb(Array(Shape{9})); }

// Loshchilov and Hutter, arXiv 1711.05101: what decays a weight is no part of its moments.
TEST(Optimizer, adamw_is_adam_of_a_weight_that_was_shrunk) {
  const Array weight = test::numbers({6, 5}, 3);
  const Array gradient = test::numbers({6, 5}, 7);
  Array shrunk = weight;
  for (float& one : shrunk.values()) one *= static_cast<float>(1 - 0.02 * 0.01);
  const auto after_step = [&gradient](OptimizerKind kind, const Array& from) {
    test::Step traced;
    const OptimizerOptions options{.kind = kind, .learning_rate = 0.02};
    return traced.value(
        update(options, 0, traced.input(from), traced.input(gradient), {}).parameter);
  };
  const Array found = after_step(OptimizerKind::adamw, weight);
  const Array expected = after_step(OptimizerKind::adam, shrunk);
  const Array undecayed = after_step(OptimizerKind::adam, weight);
  for (std::size_t i = 0; i < found.values().size(); ++i) {
    EXPECT_NEAR(found.values()[i], expected.values()[i], 1e-7) << i;
  }
  EXPECT_GT(std::abs(found.values()[0] - undecayed.values()[0]), 1e-6);
  EXPECT_EQ(state_count({.kind = OptimizerKind::adamw}), 2);
}

// Three steps of torch.optim 1.13 with lr=0.1, weight_decay=0.2 and momentum=0.9 of SGD, from
// gradients of 1, 2 and 3 times (0.3, -0.1, 0.2).
TEST(Optimizer, weights_decay_as_in_torch) {
  struct Case {
    OptimizerKind kind;
    std::array<double, 3> weights;
  };
  for (const Case& one : {Case{OptimizerKind::sgd, {0.6078800, -1.6854801, 0.2569680}},
                          Case{OptimizerKind::adam, {0.7028409, -1.6995645, 0.2032818}},
                          Case{OptimizerKind::adamw, {0.6547641, -1.5959561, 0.1841680}}}) {
    const OptimizerOptions options{.kind = one.kind, .learning_rate = 0.1, .weight_decay = 0.2};
    Array weight(Shape{3});
    std::ranges::copy(std::array{1.0f, -2.0f, 0.5f}, weight.values().begin());
    std::vector<Array> state;
    for (int step = 0; step < 3; ++step) {
      test::Step traced;
      Array gradient(Shape{3});
      for (std::size_t i = 0; i < 3; ++i) {
        gradient.values()[i] = std::array{0.3f, -0.1f, 0.2f}[i] * static_cast<float>(step + 1);
      }
      std::vector<Tensor> kept;
      for (const Array& part : state) kept.push_back(traced.input(part));
      const Updated next =
          update(options, step, traced.input(weight), traced.input(gradient), kept);
      weight = traced.value(next.parameter);
      state.clear();
      for (const Tensor part : next.state) state.push_back(traced.value(part));
    }
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(weight.values()[i], one.weights[i], 3e-6) << name_of(one.kind) << " " << i;
    }
  }
}

// Adam's corrections are 1 - 0.9^n and the root of 1 - 0.999^n: in f32 the first is 1 after about
// 150 steps, the other after about 16,000, and 1 itself, a constant of the program, after 36,700.
TEST(Optimizer, knows_for_how_many_steps_as_many_scalars_are_sent) {
  const OptimizerOptions adam{.kind = OptimizerKind::adam};
  EXPECT_NEAR(static_cast<double>(steps_sending_alike(adam, 10)), 150, 30);
  EXPECT_GT(steps_sending_alike(adam, 300), 5'000);
  EXPECT_LT(steps_sending_alike(adam, 300), 16'000);
  EXPECT_EQ(steps_sending_alike(adam, 40'000), all_steps);
  EXPECT_EQ(steps_sending_alike({.kind = OptimizerKind::sgd}, 2), all_steps);
}

TEST(Optimizer, has_the_name_it_is_chosen_by) {
  for (const char* name : {"sgd", "adam", "adamw", "lamb"})
    EXPECT_EQ(name_of(optimizer_named(name)), name);
  EXPECT_THROW(optimizer_named("lion"), Error);
}

}  // namespace
}  // namespace tpulab::optimizer_test
