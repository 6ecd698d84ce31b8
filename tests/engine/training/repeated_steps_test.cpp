// Steps without numbers are told from the record of one that did the same; with numbers every step
// is traced. Both must do the same things at the same time and count the same.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/engine/training/training_session.h"

namespace tpulab::repeated_steps_test {
namespace {

TrainerOptions small_options() {
  TrainerOptions options;
  options.model = perceptron({16});
  options.max_epochs = -1;
  return options;
}

void expect_alike(const TrainerOptions& options, const std::vector<int>& devices, int steps,
                  std::int64_t skipped = 0) {
  test::Session traced({.devices = devices, .options = options});
  test::Session told({.devices = devices, .options = options, .execution = {.numbers = false}});
  for (test::Session* session : {&traced, &told}) {
    session->trainer.advance();
    session->trainer.skip(skipped);
    for (int step = 0; step < steps; ++step) session->trainer.advance();
  }
  EXPECT_EQ(told.trainer.now(), traced.trainer.now());
  EXPECT_EQ(told.trainer.loop().step(), traced.trainer.loop().step());
  EXPECT_EQ(told.trainer.loop().epoch(), traced.trainer.loop().epoch());
  EXPECT_EQ(told.metrics.copy().counters, traced.metrics.copy().counters);
  const auto same = [](const StepRecord& a, const StepRecord& b) {
    return a.kind == b.kind && a.step == b.step && a.samples == b.samples &&
           std::ranges::equal(*a.events, *b.events, [](const Event& x, const Event& y) {
             return x.kind == y.kind && x.count == y.count && x.sent == y.sent && x.name == y.name;
           });
  };
  EXPECT_TRUE(std::ranges::equal(told.trainer.records(), traced.trainer.records(), same));
}

TEST(RepeatedSteps, do_what_traced_ones_do) {
  expect_alike(small_options(), {0, 1, 2, 3, 4, 5, 6, 7}, 300);
  expect_alike(small_options(), {0}, 300);
  TrainerOptions options = small_options();
  options.habits.item_every_n_steps = 7;
  options.habits.progress_bar = true;
  expect_alike(options, {0, 1, 2, 3, 4, 5, 6, 7}, 100);
  options.drop_last = true;
  options.class_weights = true;
  expect_alike(options, {0}, 100);
}

TEST(RepeatedSteps, know_a_rate_that_rises_over_special_values_and_over_another_scalar) {
  TrainerOptions options = small_options();
  options.optimizer = {
      .kind = OptimizerKind::sgd, .learning_rate = 1, .momentum = 0.5, .warmup_steps = 20};
  expect_alike(options, {0}, 100);  // 0 at first, 0.5 as the momentum in between, 1 at last
}

TEST(RepeatedSteps, send_a_seed_of_their_own_where_numbers_are_drawn) {
  TrainerOptions options = small_options();
  options.model = test::dropping_perceptron();
  expect_alike(options, {0, 1, 2, 3, 4, 5, 6, 7}, 60);
  options.optimizer.kind = OptimizerKind::lamb;
  expect_alike(options, {0}, 60);
}

TEST(RepeatedSteps, know_when_the_corrections_of_adam_no_longer_change) {
  expect_alike(small_options(), {0}, 200, 16'600);  // as f32
  expect_alike(small_options(), {0}, 200, 37'300);  // as a constant of the program
}

TEST(RepeatedSteps, begin_anew_when_options_change) {
  TrainerOptions options = small_options();
  test::Session told({.options = options, .execution = {.numbers = false}});
  for (int step = 0; step < 20; ++step) told.trainer.advance();
  options.precision = MatmulPrecision::highest;
  told.trainer.change(options);
  EXPECT_TRUE(told.trainer.advance().timeline.compiled);
}

}  // namespace
}  // namespace tpulab::repeated_steps_test
