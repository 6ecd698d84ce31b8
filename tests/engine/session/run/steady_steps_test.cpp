#include "engine/session/run/steady_steps.h"

#include <gtest/gtest.h>

namespace tpulab::steady_steps_test {
namespace {

constexpr Picoseconds operator""_ms(unsigned long long count) {
  return std::chrono::milliseconds(count);
}

// 100 rows that loaders needed `batch` for, of which the devices waited for `input`.
StepTimeline step(Picoseconds duration, Picoseconds batch, Picoseconds input = {}) {
  StepTimeline made;
  made.samples = 100;
  made.end = duration;
  made.shares[index_of(Share::input)] = input;
  made.shares[index_of(Share::compute)] = duration - input;
  made.batches = batch;
  return made;
}

StepTimeline compiled(Picoseconds duration) {
  StepTimeline made = step(duration, 0_ms);
  made.compiled = true;
  return made;
}

TEST(SteadySteps, leave_out_those_that_live_on_batches_made_while_a_program_compiled) {
  SteadySteps steps;
  steps.add(compiled(900_ms));
  for (int i = 0; i < 4; ++i) steps.add(step(10_ms, 100_ms));
  EXPECT_TRUE(steps.left_out());
  EXPECT_EQ(steps.rate(), 0);
  EXPECT_EQ(steps.step_time(), 0_ms);
  for (int i = 0; i < 3; ++i) steps.add(step(100_ms, 100_ms, 90_ms));
  EXPECT_DOUBLE_EQ(steps.rate(), 1000);  // 100 rows in 0.1 s
  EXPECT_EQ(steps.step_time(), 100_ms);
}

TEST(SteadySteps, keep_those_of_before_and_know_each_new_lead) {
  SteadySteps steps;
  steps.add(step(100_ms, 100_ms, 90_ms));
  for (int compiles = 0; compiles < 2; ++compiles) {
    steps.add(compiled(900_ms));
    steps.add(step(10_ms, 100_ms), 5);
    steps.add(step(100_ms, 100_ms, 90_ms));
  }
  EXPECT_EQ(steps.step_time(), 100_ms);
}

// Every other step reads a value and is longer; in the mean the loaders are faster.
TEST(SteadySteps, keep_short_steps_among_longer_ones) {
  SteadySteps steps;
  steps.add(compiled(900_ms));
  for (int i = 0; i < 8; ++i) {
    steps.add(step(30_ms, 21_ms));
    steps.add(step(20_ms, 21_ms));
  }
  EXPECT_EQ(steps.step_time(), 25_ms);
}

// One core validates for 100 ms, the rest for 70, which then wait for it in the first of two steps.
TEST(SteadySteps, leave_out_the_wait_for_a_core_that_validates_longer) {
  Picoseconds rest{};
  Picoseconds slow{};
  const auto next = [&](StepKind kind, Picoseconds of_rest, Picoseconds of_slow, Picoseconds wait) {
    StepTimeline made = step(of_rest, 0_ms);
    made.kind = kind;
    made.begin = rest;
    made.end = rest += of_rest;
    made.shares[index_of(Share::collective_wait)] = wait;
    made.shares[index_of(Share::compute)] -= wait;
    made.others.push_back({.begin = slow, .end = slow + of_slow, .host = {}, .device = {}});
    slow += of_slow;
    return made;
  };
  SteadySteps steps;
  steps.add(next(StepKind::train, 20_ms, 20_ms, 6_ms));
  steps.add(next(StepKind::evaluate, 70_ms, 100_ms, 0_ms));
  steps.add(next(StepKind::train, 50_ms, 20_ms, 36_ms));
  steps.add(next(StepKind::train, 20_ms, 20_ms, 6_ms));
  EXPECT_EQ(steps.step_time(), 20_ms);
  EXPECT_EQ(steps.wait(0), 6_ms);
}

}  // namespace
}  // namespace tpulab::steady_steps_test
