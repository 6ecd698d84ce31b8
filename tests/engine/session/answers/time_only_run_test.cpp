#include "engine/session/answers/time_only_run.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/session/answers/estimate.h"
#include "engine/session/answers/speed_ups.h"
#include "engine/session/run/telling_records.h"

namespace tpulab::time_only_run_test {
namespace {

using Keeps = TimeOnlyRun::Keeps;

Settings resnet() {
  Settings settings;
  settings.model = "resnet50";
  settings.max_epochs = -1;
  settings.max_steps = 700;
  return settings;
}

struct Case {
  std::int64_t log = 50;
  std::int64_t item = 0;
  bool bar = false;
  std::int64_t accumulate = 1;
  double row_us = 0;
};

class AlikeSteps : public testing::TestWithParam<Case> {};

TEST_P(AlikeSteps, counted_at_once_take_the_time_of_each) {
  Settings settings = resnet();
  settings.log_every_n_steps = GetParam().log;
  settings.item_every_n_steps = GetParam().item;
  settings.progress_bar = GetParam().bar;
  settings.progress_bar_every = 7;
  settings.accumulate_grad_batches = GetParam().accumulate;
  if (GetParam().row_us > 0) settings.loader_row_us = GetParam().row_us;
  TimeOnlyRun some(settings);
  TimeOnlyRun all(settings, Keeps::steps);
  some.run({});
  all.run({});
  ASSERT_TRUE(some.whole() && all.whole());
  EXPECT_EQ(some.whole()->steps, 700);
  EXPECT_NEAR(in_seconds(some.whole()->time), in_seconds(all.whole()->time), 1e-9);
  EXPECT_EQ(some.meter().samples(), all.meter().samples());
  EXPECT_EQ(some.meter().steady().step_time(), all.meter().steady().step_time());
  EXPECT_EQ(some.compiles().compiled, all.compiles().compiled);
  const auto newest = telling_records(some.steps().records());
  const auto others = telling_records(all.steps().records());
  ASSERT_EQ(newest.size(), others.size());
  const auto what = [](const StepRecord& record) {
    return std::pair(record.step, record.events->size());
  };
  EXPECT_TRUE(std::ranges::equal(newest, others, {}, what, what));
}

INSTANTIATE_TEST_SUITE_P(TimeOnlyRun, AlikeSteps,
                         testing::Values(Case{}, Case{.log = 0}, Case{.log = 7, .item = 5},
                                         Case{.bar = true}, Case{.bar = true, .accumulate = 3},
                                         Case{.accumulate = 3}, Case{.row_us = 3000},
                                         Case{.log = 600, .row_us = 900}));

// 5,005 steps an epoch: the last one ends where no read of an earlier one was.
TEST(TimeOnlyRun, that_ends_inside_an_epoch_walks_a_few_of_them) {
  Settings settings = resnet();
  settings.max_steps = 1000 * 5005 + 100;
  TimeOnlyRun run(settings);
  run.run({});
  ASSERT_TRUE(run.whole());
  EXPECT_EQ(run.whole()->steps, settings.max_steps);
  EXPECT_EQ(run.whole()->evaluations.count, 1001);
  EXPECT_LT(run.steps().records().size(), 5 * 5005u);
  settings.max_steps = 1000 * 5005;
  TimeOnlyRun whole(settings);
  whole.run({});
  EXPECT_NEAR(in_seconds(run.whole()->time) / in_seconds(whole.whole()->time), 1, 1e-4);
}

TEST(TimeOnlyRun, whose_steps_all_compile_tells_one_that_would_follow) {
  Settings settings = resnet();
  settings.max_steps = 2;
  TimeOnlyRun all_compile(settings);
  all_compile.run({});
  EXPECT_TRUE(all_compile.settled_behind());
  EXPECT_GT(all_compile.meter().steady().step_time().count(), 0);
  settings.max_steps = 20;
  TimeOnlyRun most_do_not(settings);
  most_do_not.run({});
  EXPECT_FALSE(most_do_not.settled_behind());
}

// No device goes on before each host has the program.
TEST(TimeOnlyRun, compiles_as_long_as_its_slowest_host) {
  Settings settings = resnet();
  settings.slice = "v3-32";
  settings.max_steps = 20;
  TimeOnlyRun alike(settings);
  alike.run({});
  settings.straggler = "host:0:4";
  TimeOnlyRun slow(settings);
  slow.run({});
  EXPECT_NEAR(in_seconds(slow.compiles().total), 4 * in_seconds(alike.compiles().total), 1e-6);
  EXPECT_LT(slow.compiles().total, slow.whole()->time);
}

// A short batch at the end of the first epoch may be steady before any whole one is.
TEST(TimeOnlyRun, tells_a_step_of_a_whole_batch_where_a_short_one_came_first) {
  Settings settings;
  settings.batch = 128;
  settings.max_epochs = 3;
  TimeOnlyRun few(settings);
  few.run({});
  EXPECT_EQ(few.steady_step().samples, 128 * 8);
}

// It validates later than the others, who wait for it in the step behind: that is no part of one.
TEST(TimeOnlyRun, of_a_straggler_leaves_out_the_wait_for_its_validation) {
  Settings settings = resnet();
  settings.straggler = "core:3:1.4";
  settings.limit_train_batches = {.count = 5};
  settings.max_epochs = 2;
  const Estimate told = estimate(settings);
  const auto step_with = [&settings](const Assignment& change) {
    Settings changed = settings;
    change_all(changed, std::vector<Assignment>{change});
    return in_seconds(estimate(changed).step);
  };
  const double step = in_seconds(told.step);
  EXPECT_NEAR(step_with({"limit_val_batches", "0"}) / step, 1, 0.04);
  const std::vector<SpeedUp> all = speed_ups(settings, 2);
  const auto without = std::ranges::find(all, "no straggler", &SpeedUp::resource);
  ASSERT_NE(without, all.end());
  EXPECT_NEAR(step_with({"straggler", "none"}) / step, without->ratio, 0.01);
  // All cores do the same operations in that step: the slow one waits for nobody meanwhile.
  ASSERT_EQ(told.alike.size(), 2U);
  EXPECT_NEAR(told.alike[0].utilisation / told.alike[1].utilisation, 1, 0.01);
  EXPECT_GT(told.alike[1].duty_cycle, 0.95);
}

// However often a read keeps the host back, it traces the same in each step.
TEST(TimeOnlyRun, tells_of_the_same_steps_what_they_wait_for_and_what_goes_on_beside_them) {
  const auto tracing = [](std::int64_t reads) {
    Settings settings;
    settings.model = "bert-base";
    settings.batch = 16;
    settings.max_steps = 41;
    settings.item_every_n_steps = reads;
    const Estimate told = estimate(settings);
    double sum = 0;
    for (const Phases* phases : {&told.terms, &told.hidden}) {
      for (const PhaseTime& one : *phases) {
        if (one.name == "host tracing") sum += in_seconds(one.time);
      }
    }
    return sum;
  };
  const double each_step = tracing(1);
  EXPECT_NEAR(tracing(2) / each_step, 1, 0.01);
  EXPECT_NEAR(tracing(20) / each_step, 1, 0.01);
}

}  // namespace
}  // namespace tpulab::time_only_run_test
