#include "engine/session/run/meter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/session/engine.h"
#include "tests/engine/session/run_to_end.h"

namespace tpulab::meter_test {
namespace {

constexpr Picoseconds operator""_ms(unsigned long long count) {
  return std::chrono::milliseconds(count);
}

StepReport report(Picoseconds tracing, Picoseconds compute, bool compiled = false) {
  static Picoseconds clock{};
  StepReport made;
  made.timeline.samples = 100;
  made.timeline.compiled = compiled;
  made.timeline.begin = clock;
  clock += tracing + compute;
  made.timeline.end = clock;
  made.timeline.shares[index_of(Share::host_tracing)] = tracing;
  made.timeline.shares[index_of(Share::compute)] = compute;
  made.loss = 1.0f;
  return made;
}

TEST(Meter, counts_the_time_in_programs_as_duty) {
  Meter meter;
  meter.add(report(900_ms, 100_ms, true));
  meter.add(report(94_ms, 6_ms));
  EXPECT_NEAR(meter.steady().duty_cycle(), 0.06, 1e-9);
}

TEST(Meter, keeps_compiling_steps_out_of_the_steady_rate) {
  Meter meter;
  meter.add(report(900_ms, 100_ms, true));
  EXPECT_EQ(meter.steady().rate(), 0);
  meter.add(report(90_ms, 10_ms));
  EXPECT_NEAR(meter.steady().rate(), 1000, 1e-6);  // 100 rows in 0.1 s
  EXPECT_NEAR(meter.rate_with_compile(1100_ms), 200 / 1.1, 1e-6);
}

TEST(Meter, begins_steady_figures_anew_after_a_change) {
  Meter meter;
  meter.add(report(90_ms, 10_ms));
  meter.set_steady({});
  meter.add(report(80_ms, 10_ms));
  EXPECT_EQ(meter.steady().rate(), 0);
  meter.add(report(40_ms, 10_ms));
  EXPECT_NEAR(meter.steady().rate(), 2000, 1e-6);  // 100 rows in 0.05 s
  EXPECT_EQ(meter.steady().step_time(), 50_ms);
}

// The first fills pipelines.
TEST(Meter, takes_the_mean_of_all_steady_steps) {
  Meter meter;
  for (const auto time : {900_ms, 10_ms, 50_ms, 30_ms}) meter.add(report(0_ms, time));
  EXPECT_EQ(meter.steady().step_time(), 30_ms);
}

TEST(Meter, counts_what_came_since_a_moment_again) {
  Meter once;
  Meter all;
  once.add(report(300_ms, 100_ms));
  all.add(report(300_ms, 100_ms));
  const Meter::Totals before = once.totals();
  once.add(report(90_ms, 10_ms));
  once.add_again(before, 3);
  for (int step = 0; step < 4; ++step) all.add(report(90_ms, 10_ms));
  EXPECT_EQ(once.samples(), all.samples());
  EXPECT_EQ(once.steady().rate(), all.steady().rate());
  EXPECT_EQ(once.steady().duty_cycle(), all.steady().duty_cycle());
}

TEST(Meter, counts_a_step_that_comes_many_times_as_each_of_them) {
  Meter once;
  Meter all;
  for (Meter* meter : {&once, &all}) {
    for (const auto time : {90_ms, 90_ms, 30_ms}) meter->add(report(10_ms, time));
  }
  const StepReport newest = report(20_ms, 30_ms);
  once.add_again(newest.timeline, 20);
  for (int step = 0; step < 20; ++step) all.add(newest);
  EXPECT_EQ(once.samples(), all.samples());
  EXPECT_EQ(once.steady().rate(), all.steady().rate());
  EXPECT_EQ(once.steady().shares(), all.steady().shares());
  EXPECT_EQ(once.steady().step_time(), all.steady().step_time());
}

TEST(Meter, says_what_each_group_waits_for_the_others_in_a_steady_step) {
  Meter meter;
  for (int step = 0; step < 20; ++step) {
    StepReport one = report(0_ms, 10_ms, step == 0);
    one.timeline.shares[index_of(Share::compute)] = 7_ms;
    one.timeline.shares[index_of(Share::collective_wait)] = 3_ms;
    LaneTimeline& slow = one.timeline.others.emplace_back();
    slow.begin = one.timeline.begin;
    slow.end = one.timeline.end;
    slow.shares[index_of(Share::compute)] = 10_ms;
    meter.add(one);
    const bool known = meter.steady().wait(0) > 0_ms;
    EXPECT_EQ(known, step > 0);  // the first step compiled
  }
  EXPECT_EQ(meter.recent_steps(), 16);
  EXPECT_NEAR(in_seconds(meter.steady().wait(0)), 0.003, 1e-9);
  EXPECT_EQ(meter.steady().wait(1), 0_ms);
}

TEST(Meter, thins_long_histories_evenly) {
  Meter meter;
  for (int step = 0; step < 10'000; ++step) {
    StepReport one = report(1_ms, 1_ms);
    one.timeline.step = step;
    meter.add(one);
  }
  const std::vector<LossPoint>& losses = meter.losses();
  EXPECT_LE(losses.size(), 2048u);
  EXPECT_GE(losses.size(), 1024u);
  const float distance = losses[1].step - losses[0].step;
  for (std::size_t i = 1; i < losses.size(); ++i) {
    ASSERT_EQ(losses[i].step - losses[i - 1].step, distance) << i;
  }
}

// A step's graph compiles with and without the optimizer's state: that is no recompile.
// What is validated behind a preemption has lost the step whose loss came last.
TEST(Meter, knows_no_loss_behind_a_preemption) {
  Meter meter;
  meter.add(report(0_ms, 1_ms));
  EXPECT_EQ(meter.newest_loss(), 1);
  StepReport back = report(1_ms, 0_ms);
  back.loss.reset();
  back.timeline.kind = StepKind::restart;
  meter.add(back);
  EXPECT_TRUE(std::isnan(meter.newest_loss()));
  meter.add(report(0_ms, 1_ms));
  EXPECT_EQ(meter.newest_loss(), 1);
}

TEST(Meter, tells_first_compiles_from_those_that_come_again) {
  Meter meter;
  EXPECT_EQ(meter.compiles().which(), "");
  using Differences = std::vector<std::string>;
  const auto compile = [&](std::int64_t step, const char* program, const Differences& differences,
                           bool from_disk = false) {
    const Event event{.kind = EventKind::compile,
                      .name = program,
                      .differences = std::make_shared<const Differences>(differences),
                      .from_disk = from_disk};
    StepReport made = report(1_ms, 1_ms, true);
    made.timeline.step = step;
    made.timeline.events = {{.event = &event}};
    meter.add(made);
  };
  const std::string state = "new input 2: f32[64,10] weight.moment1";
  const std::string shape = "input 0: f32[32,64] -> f32[13,64]";
  compile(1, "train step", {});
  compile(2, "train step", {state});
  compile(12, "evaluation", {});
  EXPECT_EQ(meter.compiles().which(), "first 3");
  compile(2, "train step", {shape, state});
  compile(12, "evaluation", {shape});
  compile(13, "train step", {shape}, true);  // loaded: none was compiled
  EXPECT_EQ(meter.compiles().which(), "2 after the first");
  EXPECT_EQ(meter.compiles().compiled, 5);
  EXPECT_EQ(meter.compiles().events[2].again, false);
  EXPECT_EQ(meter.compiles().events[3].again, true);
}

TEST(Meter, counts_both_graphs_of_a_name_that_one_step_needs_among_the_first) {
  Engine engine;
  Settings settings;  // asks all processes how long their loader is, twice
  settings.devices = "1";
  settings.max_steps = 3;
  test::run_to_end(engine, settings);
  const CompileView& compiles = engine.latest()->compiles;
  EXPECT_EQ(compiles.which(), "first 4");
  EXPECT_EQ(std::ranges::count(compiles.events, "length of a loader", &CompileEvent::graph), 2);
}

// As of a run that finds its programs compiled, loses its slice and compiles them again.
TEST(Meter, tells_no_first_compile_of_a_program_that_ran_before) {
  Meter meter;
  const Event run{.kind = EventKind::dispatch, .name = "train step"};
  const Event compile{.kind = EventKind::compile, .name = "train step"};
  for (const Event* event : {&run, &compile}) {
    StepReport made = report(1_ms, 1_ms, event == &compile);
    made.timeline.events = {{.event = event}};
    meter.add(made);
  }
  EXPECT_EQ(meter.compiles().which(), "1 after the first");
}

}  // namespace
}  // namespace tpulab::meter_test
