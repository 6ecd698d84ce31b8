#include "tui/timeline/two_runs.h"

#include <gtest/gtest.h>

#include "engine/session/engine.h"
#include "tests/engine/session/run_to_end.h"
#include "tests/tui/example_snapshot.h"

namespace tpulab::two_runs_test {
namespace {

constexpr Picoseconds us(std::int64_t count) { return std::chrono::microseconds(count); }

Picoseconds time_of(const std::vector<PhasePair>& pairs, std::string_view name, std::size_t run) {
  for (const PhasePair& pair : pairs) {
    if (pair.name == name) return pair.time[run];
  }
  ADD_FAILURE() << name;
  return {};
}

// The same small run twice: the second one finds what the first compiled.
std::shared_ptr<const Snapshot> cold_and_warm() {
  Engine engine;
  test::run_to_end(engine, test::small_run());
  test::run_to_end(engine, test::small_run());
  return engine.latest();
}

TEST(TwoRuns, there_are_none_before_the_second_run_has_a_step) {
  EXPECT_FALSE(two_runs(example_empty_snapshot()));
  EXPECT_FALSE(two_runs(example_events_snapshot()));
  EXPECT_TRUE(two_runs(example_two_runs_snapshot()));
}

TEST(TwoRuns, phases_of_a_run_add_up_to_it_and_are_those_of_its_record) {
  const auto now = cold_and_warm();
  const auto runs = two_runs(*now);
  ASSERT_TRUE(runs);
  const std::vector<PhasePair> pairs = phase_pairs(*runs, true);
  for (std::size_t run = 0; run < 2; ++run) {
    const RunRecord& record = now->ended[run]->record;
    EXPECT_EQ(time_of(pairs, "compile", run), record.compile);
    EXPECT_EQ(time_of(pairs, "whole run", run), record.view.tpu_time);
    EXPECT_EQ(time_of(pairs, "a steady step", run), record.view.step_time);
    const Picoseconds sum = time_of(pairs, "start", run) + time_of(pairs, "compile", run) +
                            time_of(pairs, "training", run) + time_of(pairs, "validation", run);
    EXPECT_EQ(sum, runs->at(run).timeline->span().length());
    EXPECT_NEAR(in_seconds(sum), in_seconds(record.view.tpu_time),
                0.01 * in_seconds(record.view.tpu_time));
    Picoseconds parts{};
    for (const PhasePair& pair : pairs) {
      if (pair.name.starts_with("  ")) parts += pair.time[run];
    }
    EXPECT_NEAR(in_seconds(parts), in_seconds(record.view.step_time), 1e-9);
  }
}

TEST(TwoRuns, words_say_which_run_was_cold_and_which_warm) {
  const auto now = cold_and_warm();
  const auto runs = two_runs(*now);
  ASSERT_TRUE(runs);
  EXPECT_TRUE(side_words(*runs, 0).starts_with("run 1, cold (")) << side_words(*runs, 0);
  EXPECT_TRUE(side_words(*runs, 1).starts_with("run 2, warm (")) << side_words(*runs, 1);
  EXPECT_EQ((*runs)[1].compiles, 0);
  EXPECT_NE(phase_words(phase_pairs(*runs, false)[1]).find("-> "), std::string::npos);
  EXPECT_NE(phase_words(phase_pairs(*runs, false)[1]).find("-100 %"), std::string::npos);
}

TEST(TwoRuns, words_begin_with_what_is_not_as_in_the_other_run) {
  Engine engine;
  Settings settings = test::small_run();
  test::run_to_end(engine, settings);
  settings.batch *= 2;
  test::run_to_end(engine, settings);
  const auto now = engine.latest();
  const auto runs = two_runs(*now);
  ASSERT_TRUE(runs);
  for (std::size_t side = 0; side < 2; ++side) {
    const std::string words = side_words(*runs, side);
    const std::string first = "): batch " + (*runs)[side].view->batch + ", ";
    EXPECT_NE(words.find(first), std::string::npos) << words;
  }
}

TEST(TwoRuns, what_one_found_compiled_is_no_gain_of_the_other) {
  const auto now = cold_and_warm();
  const std::vector<PhasePair> pairs = phase_pairs(*two_runs(*now), false);
  const Picoseconds before = time_of(pairs, "whole run, both cold", 0);
  EXPECT_EQ(before, time_of(pairs, "whole run", 0));
  EXPECT_EQ(before, time_of(pairs, "whole run, both cold", 1));
}

TEST(TwoRuns, both_axes_have_one_scale_and_begin_with_the_same_moment_of_the_same_step) {
  const Snapshot now = example_two_runs_snapshot(60);  // the newest has 112
  const auto runs = two_runs(now);
  ASSERT_TRUE(runs);
  const TwoAxes all = two_axes(*runs, {}, 100);
  EXPECT_EQ(all.leads, 1U);
  EXPECT_EQ(all.axes[0].per_column(), all.axes[1].per_column());
  EXPECT_EQ(all.axes[0].window().start, us(0));
  const TwoAxes close = two_axes(*runs, {us(2030), 1e6, us(2050)}, 100);
  EXPECT_EQ(close.axes[0].window().start, us(2030));
  EXPECT_EQ(close.axes[0].per_column(), 1e6);
  const TwoAxes behind = two_axes(*runs, {us(9000), 1e6, us(9000)}, 100);  // step 81 of 60
  EXPECT_EQ(behind.axes[0].window().start, runs->at(0).timeline->span().end);
}

TEST(TwoRuns, the_longer_run_leads_whichever_it_is) {
  const Snapshot now = example_two_runs_snapshot(900);
  const auto runs = two_runs(now);
  ASSERT_TRUE(runs);
  const TwoAxes all = two_axes(*runs, {}, 100);
  EXPECT_EQ(all.leads, 0U);
  EXPECT_GE(all.axes[0].window().end, runs->at(0).timeline->span().end - us(1));
}

TEST(TwoRuns, a_run_under_way_says_so_and_has_no_parts_of_a_step_yet) {
  const Snapshot now = example_two_runs_snapshot();
  const auto runs = two_runs(now);
  ASSERT_TRUE(runs);
  EXPECT_NE(side_words(*runs, 1).find("under way"), std::string::npos);
  EXPECT_EQ(phase_pairs(*runs, true).size(), phase_pairs(*runs, false).size());
}

}  // namespace
}  // namespace tpulab::two_runs_test
