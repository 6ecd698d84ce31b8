#include "engine/session/run/ended_runs.h"

#include <gtest/gtest.h>

#include "engine/session/engine.h"
#include "tests/engine/session/run_to_end.h"

namespace tpulab::ended_runs_test {
namespace {

using test::run_to_end;

Settings small() {
  Settings settings = test::small_run();
  settings.max_epochs = 1;
  return settings;
}

TEST(EndedRuns, the_snapshot_keeps_five_losses_and_two_timelines) {
  Engine engine;
  EXPECT_TRUE(engine.latest()->ended.empty());
  for (int run = 0; run < 7; ++run) run_to_end(engine, small());
  const auto now = engine.latest();
  ASSERT_EQ(now->ended.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(now->ended[i]->record.view.number, static_cast<std::int64_t>(i) + 3);
    EXPECT_FALSE(now->ended[i]->losses->empty());
    EXPECT_EQ(now->ended[i]->timeline != nullptr, i >= 3) << i;
  }
  EXPECT_EQ(engine.ended_runs().size(), 7U);
}

TEST(EndedRuns, are_as_they_were_at_their_end) {
  Engine engine;
  run_to_end(engine, small());
  const auto first = engine.latest();
  run_to_end(engine, small());
  const auto now = engine.latest();
  const EndedRun& ended = *now->ended.front();
  EXPECT_EQ(ended.record.view.tpu_time, first->run.tpu_time);
  EXPECT_EQ(ended.timeline->span().end, first->timeline->span().end);
  EXPECT_EQ(ended.losses->size(), first->losses->size());
}

TEST(EndedRuns, a_run_under_way_leaves_the_timeline_of_the_one_before_it_alone) {
  Engine engine;
  for (int run = 0; run < 2; ++run) run_to_end(engine, small());
  engine.post(StepRun{1, small()});
  engine.wait();
  const auto now = engine.latest();
  EXPECT_EQ(now->run.number, 3);
  ASSERT_EQ(now->ended.size(), 2U);
  EXPECT_EQ(now->ended[0]->timeline, nullptr);
  EXPECT_NE(now->ended[1]->timeline, nullptr);
}

// By kind and share, against the path of every stretch that is kept.
TEST(EndedRuns, totals_of_a_timeline_are_the_sums_of_its_steps) {
  Engine engine;
  run_to_end(engine, small());
  const RunTimeline& run = *engine.latest()->timeline;
  ASSERT_TRUE(run.whole);
  ASSERT_EQ(run.totals.size(), 3U);
  Picoseconds all{};
  for (const KindTotal& total : run.totals) {
    Picoseconds kind{};
    std::int64_t steps = 0;
    for (const auto& block : run.blocks) {
      for (const TimelineStretch& stretch : *block) {
        if (stretch.shape->kind != total.kind) continue;
        steps += stretch.count;
        kind += stretch.shape->duration * stretch.count;
      }
    }
    Picoseconds waited{};
    for (const Picoseconds time : total.waited) waited += time;
    EXPECT_EQ(total.steps, steps) << total.kind;
    EXPECT_EQ(waited, kind) << total.kind;
    all += waited;
  }
  EXPECT_EQ(all, run.span().length());
}

}  // namespace
}  // namespace tpulab::ended_runs_test
