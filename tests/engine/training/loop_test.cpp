// Lightning's loop: how much of an epoch is seen, what one step sums, when it is validated.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/training/loop_options.h"
#include "tests/engine/training/training_session.h"

namespace tpulab::loop_test {
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
    if (report.test_accuracy) told.evaluated_after.push_back(session.trainer.loop().step());
  }
  told.steps = session.trainer.loop().step();
  EXPECT_EQ(told.steps, session.trainer.loop().planned_steps());
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

// check_val_every_n_epoch=None: val_check_interval counts on where an epoch ends.
TEST(Loop, evaluates_by_the_batches_of_all_epochs_where_no_epoch_is_named) {
  const auto across = [](std::int64_t interval, std::int64_t epochs, std::int64_t together = 1) {
    LoopOptions loop{.check_interval = {.count = interval}, .check_epochs = 0};
    loop.accumulate = together;
    return run(options_of(loop, epochs)).evaluated_after;
  };
  EXPECT_EQ(across(100, 5), (Steps{100, 200}));
  EXPECT_EQ(across(45, 2), (Steps{45, 90}));
  EXPECT_EQ(across(30, 2), (Steps{30, 60, 90}));
  EXPECT_EQ(across(1000, 3), (Steps{}));
  // An epoch has 15 steps of three batches each.
  EXPECT_EQ(across(60, 4, 3), (Steps{20, 40, 60}));
}

TEST(Loop, trains_nothing_where_no_batch_is_asked_for) {
  const Told told = run(options_of({.train_batches = {.count = 0}}));
  EXPECT_EQ(told.steps, 0);
  EXPECT_EQ(told.evaluated_after, (Steps{}));
  EXPECT_EQ(run(options_of({.train_batches = {.share = 0}}), {0, 1, 2, 3, 4, 5, 6, 7}).steps, 0);
  // The sanity check comes first.
  Loop loop({.training = 100, .validation = 50}, {.options = {.train_batches = {.count = 0}}},
            false);
  EXPECT_FALSE(loop.done());
  loop.sanity_checked();
  EXPECT_TRUE(loop.done());
}

TEST(Loop, refreshes_a_bar_every_so_many_batches_and_at_the_end_of_the_epoch) {
  Loop loop({.training = 45}, {.batch = 10, .max_epochs = 2}, true);
  Steps refreshed;
  while (!loop.done()) {
    if (loop.refreshes_bar(2, loop.rows_of_step())) refreshed.push_back(loop.step());
    loop.stepped(loop.rows_of_step());
  }
  EXPECT_EQ(refreshed, (Steps{1, 3, 4, 6, 8, 9}));
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

TEST(Loop, data_without_end_has_the_epochs_that_are_counted) {
  Loop endless({}, {.max_epochs = 3}, true);
  EXPECT_FALSE(endless.has_epochs());
  EXPECT_EQ(endless.planned_steps(), 0);
  EXPECT_EQ(endless.steps_per_period(), 0);
  const Loop counted(
      {}, {.max_epochs = 3, .options = {.train_batches = {.count = 10}, .accumulate = 4}}, true);
  EXPECT_EQ(counted.planned_steps(), 3 * 3);
}

// What is skipped leaves a loop where its steps would have.
TEST(Loop, skips_steps_as_if_they_had_been_taken) {
  const LoopRows rows{.training = 1000, .validation = 50};
  for (const std::int64_t together : {1, 3}) {
    for (const LoopOptions& checks :
         {LoopOptions{}, LoopOptions{.check_interval = {.share = 0.4}},
          LoopOptions{.check_interval = {.count = 50}, .check_epochs = 0}}) {
      LoopPlan plan{.max_epochs = 3, .max_steps = 90, .options = checks};
      plan.options.accumulate = together;
      Loop walked(rows, plan, true);
      Loop skipping(rows, plan, true);
      const auto next = [](Loop& loop) {
        loop.evaluation_due() ? loop.evaluated() : loop.stepped(loop.rows_of_step());
      };
      while (!skipping.done()) {
        const std::int64_t before = skipping.step();
        if (skipping.whole_steps_left() > 0) {
          skipping.skip(skipping.whole_steps_left());
        } else {
          next(skipping);
        }
        const bool evaluated = skipping.step() == before;
        while (walked.step() < skipping.step()) next(walked);
        if (evaluated) next(walked);
        ASSERT_EQ(walked.step(), skipping.step());
        EXPECT_EQ(walked.epoch(), skipping.epoch());
        EXPECT_EQ(walked.rows_seen(), skipping.rows_seen());
        EXPECT_EQ(walked.evaluation_due(), skipping.evaluation_due());
      }
      EXPECT_TRUE(walked.done());
    }
  }
}

TEST(Loop, an_evaluation_that_is_due_stays_due_when_epochs_are_skipped) {
  LoopPlan plan{.batch = 10, .max_epochs = 20};
  plan.options.check_interval = {.count = 10};
  plan.options.check_epochs = 0;
  Loop loop({.training = 100, .validation = 50}, plan, true);
  for (int i = 0; i < 10; ++i) loop.stepped(loop.rows_of_step());
  ASSERT_TRUE(loop.evaluation_due());
  loop.skip(5 * 10);
  EXPECT_TRUE(loop.evaluation_due());
  EXPECT_EQ(loop.epoch(), 5);
}

TEST(Loop, few_batches_are_learnt_by_heart) {
  TrainerOptions options =
      options_of({.train_batches = {.count = 2}, .val_batches = {.count = 2}, .in_order = true});
  options.max_epochs = -1;
  Session session({.devices = {0}, .options = options});
  EXPECT_LT(session.train(400).back(), 0.05f);
}

LoopPlan plan_with(std::int64_t batch, std::int64_t limit = -1) {
  LoopPlan plan{.batch = batch, .max_epochs = 3};
  plan.options.train_batches.count = limit;
  return plan;
}

// 100 rows in batches of 10; after five of them three are all that an epoch has.
TEST(Loop, begins_the_next_epoch_where_a_change_ends_this_one) {
  Loop loop({.training = 100}, plan_with(10), true);
  for (int i = 0; i < 5; ++i) loop.stepped(loop.rows_of_step());
  loop.change(plan_with(10, 3));
  EXPECT_EQ(loop.epoch(), 1);
  EXPECT_EQ(loop.rows_seen(), 0);
  EXPECT_EQ(loop.rows_of_step(), 10);
}

TEST(Loop, refuses_a_change_that_leaves_no_batch_and_goes_on_as_it_was) {
  Loop loop({.training = 100}, plan_with(10), true);
  loop.stepped(10);
  LoopPlan none = plan_with(200);
  none.drop_last = true;
  EXPECT_THROW(loop.change(none), Error);
  LoopPlan often = plan_with(10);
  often.options.check_interval.count = 20;
  EXPECT_THROW(loop.change(often), Error);
  EXPECT_EQ(loop.rows_of_step(), 10);
  EXPECT_EQ(loop.rows_seen(), 10);
}

// A check after 40 rows is not made twice where batches become smaller, nor left out.
TEST(Loop, keeps_what_was_checked_where_the_batch_changes) {
  LoopPlan plan = plan_with(20);
  plan.options.check_interval.count = 2;
  Loop loop({.training = 160, .validation = 20}, plan, true);
  loop.stepped(20);
  loop.stepped(20);
  EXPECT_TRUE(loop.evaluation_due());
  LoopPlan smaller = plan;
  smaller.batch = 10;
  loop.change(smaller);
  EXPECT_TRUE(loop.evaluation_due());
  loop.evaluated();
  EXPECT_FALSE(loop.evaluation_due());
  loop.change(plan);
  EXPECT_FALSE(loop.evaluation_due());
}

// Batches of all epochs count.
LoopPlan checked_every(std::int64_t batches) {
  LoopPlan plan;
  plan.options.check_interval.count = batches;
  plan.options.check_epochs = 0;
  return plan;
}

Loop after_steps(std::int64_t steps, const LoopPlan& plan) {
  Loop loop({1437, 360}, plan, true);
  while (loop.step() < steps) {
    loop.evaluation_due() ? loop.evaluated() : loop.stepped(loop.rows_of_step());
  }
  return loop;
}

TEST(LoopPlace, another_interval_counts_from_where_the_run_goes_on) {
  LoopPlan plan = checked_every(5);
  const LoopPlace place = after_steps(32, plan).place();
  for (const int interval : {2, 20}) {
    plan = checked_every(interval);
    Loop loop({1437, 360}, plan, true);
    loop.go_on_from(place);
    EXPECT_FALSE(loop.evaluation_due());
    while (!loop.evaluation_due()) loop.stepped(loop.rows_of_step());
    EXPECT_EQ(loop.step(), interval == 2 ? 34 : 40);
  }
  Loop by_epochs({1437, 360}, LoopPlan(), true);
  by_epochs.go_on_from(place);
  while (!by_epochs.evaluation_due()) by_epochs.stepped(by_epochs.rows_of_step());
  EXPECT_EQ(by_epochs.step(), 45);
}

TEST(LoopPlace, counts_no_epoch_where_none_is_trained) {
  LoopPlan plan = checked_every(5);
  const LoopPlace place = after_steps(45, plan).place();
  plan.options.train_batches = {.count = 0};
  Loop loop({1437, 360}, plan, true);
  loop.go_on_from(place);
  EXPECT_EQ(loop.epoch(), place.epoch);
  EXPECT_TRUE(loop.done());
}

TEST(LoopPlace, an_evaluation_that_was_due_still_is) {
  const LoopPlan plan = checked_every(5);
  Loop loop = after_steps(35, plan);
  ASSERT_TRUE(loop.evaluation_due());
  Loop again({1437, 360}, plan, true);
  again.go_on_from(loop.place());
  EXPECT_TRUE(again.evaluation_due());
}

}  // namespace
}  // namespace tpulab::loop_test
