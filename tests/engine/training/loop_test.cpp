// Lightning's loop: how much of an epoch is seen, what one step sums, when it is validated.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/training/loop_options.h"
#include "tests/engine/training/training_session.h"

namespace tpulab {
namespace {

using test::Session;

// 45 batches of 32 rows on one core, the last of 29.
TrainerOptions options_of(const LoopOptions& loop, std::int64_t epochs = 1) {
  TrainerOptions options;
  options.model = perceptron({24});
  options.max_epochs = epochs;
  options.loop = loop;
  options.precision = MatmulPrecision::highest;
  options.optimizer = {.kind = OptimizerKind::sgd, .learning_rate = 0.1};
  return options;
}

struct Told {
  std::int64_t steps = 0;
  std::vector<std::int64_t> evaluated_after;  // steps
};

Told run(const TrainerOptions& options, std::vector<int> devices = {0}) {
  Session session(
      {.devices = std::move(devices), .options = options, .execution = {.numbers = false}});
  Told told;
  while (!session.trainer.done()) {
    const StepReport report = session.trainer.advance();
    if (report.test_accuracy) told.evaluated_after.push_back(session.trainer.step());
  }
  told.steps = session.trainer.step();
  EXPECT_EQ(told.steps, session.trainer.planned_steps());
  return told;
}

using Steps = std::vector<std::int64_t>;

TEST(Loop, limits_are_a_count_or_a_share) {
  EXPECT_EQ(run(options_of({})).steps, 45);
  EXPECT_EQ(run(options_of({.train_batches = {.count = 10}})).steps, 10);
  EXPECT_EQ(run(options_of({.train_batches = {.count = 100}})).steps, 45);
  EXPECT_EQ(run(options_of({.train_batches = {.share = 0.5}}, 2)).steps, 2 * 22);
}

TEST(Loop, a_share_below_one_batch_is_refused_with_what_would_do) {
  EXPECT_THROW(run(options_of({.train_batches = {.share = 0.01}})), Error);
  EXPECT_THROW(run(options_of({.check_interval = {.count = 46}})), Error);
}

TEST(Loop, evaluates_when_it_is_asked_to) {
  EXPECT_EQ(run(options_of({}, 2)).evaluated_after, (Steps{45, 90}));
  EXPECT_EQ(run(options_of({.val_batches = {.count = 0}}, 2)).evaluated_after, Steps{});
  EXPECT_EQ(run(options_of({.check_interval = {.count = 20}})).evaluated_after, (Steps{20, 40}));
  EXPECT_EQ(run(options_of({.check_interval = {.share = 0.5}})).evaluated_after, (Steps{22, 44}));
  EXPECT_EQ(run(options_of({.check_epochs = 2}, 5)).evaluated_after, (Steps{90, 180}));
}

TEST(Loop, a_step_limit_that_falls_on_an_evaluation_still_evaluates) {
  TrainerOptions options = options_of({.check_interval = {.count = 20}});
  options.max_steps = 20;
  EXPECT_EQ(run(options).evaluated_after, Steps{20});
  options.max_steps = 19;
  EXPECT_EQ(run(options).evaluated_after, Steps{});
}

// Of 45 batches four at a time: eleven steps, and one of the last batch.
TEST(Loop, the_last_batches_of_an_epoch_make_a_step_of_their_own) {
  EXPECT_EQ(run(options_of({.accumulate = 4})).steps, 12);
  EXPECT_EQ(run(options_of({.accumulate = 4}), {0, 1, 2, 3, 4, 5, 6, 7}).steps, 2);
}

std::vector<float> weights_after(const TrainerOptions& options, int steps, bool separate = false,
                                 std::vector<int> devices = {0}) {
  Session session({.devices = std::move(devices),
                   .options = options,
                   .execution = {.separate_replicas = separate}});
  session.train(steps);
  std::vector<float> all;
  for (const Array& one : session.trainer.weights()) {
    all.insert(all.end(), one.values().begin(), one.values().end());
  }
  return all;
}

void expect_near(const std::vector<float>& one, const std::vector<float>& other, double allowed) {
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], other[i], allowed);
}

TEST(Loop, four_batches_of_8_change_the_weights_as_one_of_32) {
  TrainerOptions together = options_of({});
  TrainerOptions apart = options_of({.accumulate = 4});
  apart.batch = 8;
  expect_near(weights_after(apart, 6), weights_after(together, 6), 1e-5);
  const std::vector<int> all{0, 1, 2, 3, 4, 5, 6, 7};
  together.drop_last = apart.drop_last = true;
  expect_near(weights_after(apart, 4, false, all), weights_after(together, 4, false, all), 1e-5);
  expect_near(weights_after(apart, 4, true, all), weights_after(together, 4, true, all), 1e-5);
}

// Two graphs take turns where the loader cuts; else both batches are one graph. [L: D4]
TEST(Loop, eight_cores_cut_between_summed_batches_and_one_core_does_not) {
  for (const bool several : {true, false}) {
    TrainerOptions options = options_of({.accumulate = 2}, -1);
    options.optimizer.kind = OptimizerKind::adam;
    const std::vector<int> devices = several ? std::vector{0, 1, 2, 3, 4, 5, 6, 7} : std::vector{0};
    Session session({.devices = devices, .options = options});
    session.train(2);
    EXPECT_EQ(session.causes("accumulation").size(), several ? 1U : 0U);
    EXPECT_EQ(session.causes("train step").size(), 2U);  // without and with the optimizer's state
  }
}

// Plain SGD: the step is minus the rate times the clipped gradient.
TEST(Loop, gradients_are_clipped_at_their_norm_or_each_for_itself) {
  TrainerOptions options = options_of({});
  options.optimizer = {.kind = OptimizerKind::sgd, .learning_rate = 1, .momentum = 0};
  const std::vector<float> start = [&] {
    Session session({.devices = {0}, .options = options});
    std::vector<float> all;
    for (const Array& one : session.trainer.weights()) {
      all.insert(all.end(), one.values().begin(), one.values().end());
    }
    return all;
  }();
  const auto moved = [&](const LoopOptions& loop) {
    options.loop = loop;
    std::vector<float> after = weights_after(options, 1);
    for (std::size_t i = 0; i < after.size(); ++i) after[i] -= start[i];
    return after;
  };
  const std::vector<float> freely = moved({});
  double square = 0;
  for (const float one : freely) square += static_cast<double>(one) * one;
  const double norm = std::sqrt(square);
  const std::vector<float> by_norm = moved({.clip_at = norm / 2});
  const std::vector<float> loose = moved({.clip_at = norm * 2});
  const std::vector<float> by_value = moved({.clip_at = 0.01, .clip = Clip::value});
  int limited = 0;
  for (std::size_t i = 0; i < freely.size(); ++i) {
    EXPECT_NEAR(by_norm[i], freely[i] / 2, 1e-5);
    EXPECT_NEAR(loose[i], freely[i], 1e-6);
    EXPECT_NEAR(by_value[i], std::clamp(freely[i], -0.01f, 0.01f), 1e-6);
    limited += std::abs(freely[i]) > 0.011f;
  }
  EXPECT_GT(limited, 0);
}

TEST(Loop, few_batches_are_learnt_by_heart) {
  TrainerOptions options =
      options_of({.train_batches = {.count = 2}, .val_batches = {.count = 2}, .in_order = true});
  options.max_epochs = -1;
  Session session({.devices = {0}, .options = options});
  EXPECT_LT(session.train(400).back(), 0.05f);
}

}  // namespace
}  // namespace tpulab
