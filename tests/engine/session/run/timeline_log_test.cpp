#include "engine/session/run/timeline_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine/session/engine.h"
#include "tests/engine/session/run_to_end.h"

namespace tpulab::timeline_log_test {
namespace {

using test::run_to_end;

Settings small() {
  Settings settings = test::small_run();
  settings.numbers = false;
  return settings;
}

using Times = std::array<Picoseconds, share_count>;

Times path_of(const RunTimeline& timeline) {
  Times sums{};
  for (const auto& block : timeline.blocks) {
    for (const TimelineStretch& stretch : *block) {
      for (std::size_t i = 0; i < sums.size(); ++i) {
        sums[i] += stretch.shape->sums.back()[i] * stretch.count;
      }
    }
  }
  return sums;
}

std::size_t stretches_of(const RunTimeline& timeline) {
  std::size_t count = 0;
  for (const auto& block : timeline.blocks) count += block->size();
  return count;
}

TEST(RunTimeline, there_is_none_before_the_first_run) {
  const Engine engine;
  EXPECT_EQ(engine.latest()->timeline, nullptr);
}

// The records, simulated once more, are the other way to the same figures.
TEST(RunTimeline, its_path_has_the_shares_of_the_runs_own_records) {
  Engine engine;
  run_to_end(engine, small());
  const auto timeline = engine.latest()->timeline;
  ASSERT_NE(timeline, nullptr);
  const auto evidence = engine.newest_evidence();
  ASSERT_TRUE(evidence);
  Times wanted{};
  Picoseconds end{};
  Simulator simulator(evidence->machine);
  for (const StepRecord& record : evidence->records) {
    const StepTimeline step = simulator.step(record);
    for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] += step.shares[i];
    end = step.end;
  }
  wanted[index_of(Share::read_back)] += simulator.now() - end;  // of the last accuracy
  EXPECT_EQ(path_of(*timeline), wanted);
  EXPECT_EQ(timeline->span().start, Picoseconds{});
}

TEST(RunTimeline, ends_when_the_run_ends) {
  Engine engine;
  for (const std::int64_t steps : {-1, 9}) {
    Settings settings = small();
    settings.max_steps = steps;
    settings.item_every_n_steps = 3;
    run_to_end(engine, settings);
    EXPECT_EQ(engine.latest()->timeline->span().end, engine.latest()->run.tpu_time) << steps;
  }
}

TEST(RunTimeline, stretches_follow_each_other_without_gap_and_cover_each_step) {
  Engine engine;
  run_to_end(engine, small());
  const auto now = engine.latest();
  Picoseconds at{};
  std::int64_t train = 0;
  for (const auto& block : now->timeline->blocks) {
    for (const TimelineStretch& stretch : *block) {
      EXPECT_EQ(stretch.begin, at);
      at = stretch.end();
      if (stretch.shape->kind == "train") train += stretch.count;
    }
  }
  EXPECT_EQ(train, now->run.step);
}

TEST(RunTimeline, each_compile_is_a_span_of_its_length) {
  Engine engine;
  run_to_end(engine, small());
  const auto now = engine.latest();
  Picoseconds sum{};
  for (const TimeSpan& span : now->timeline->compiles) sum += span.length();
  EXPECT_EQ(sum, now->compiles.total);
  EXPECT_GT(sum, Picoseconds{});
}

TEST(RunTimeline, kernels_of_a_step_fill_its_programs_and_stand_in_the_price) {
  Engine engine;
  run_to_end(engine, small());
  const auto program = engine.newest_program();
  ASSERT_TRUE(program);
  for (const auto& block : engine.latest()->timeline->blocks) {
    for (const TimelineStretch& stretch : *block) {
      const StepShape& shape = *stretch.shape;
      if (shape.kind != "train" || stretch.first_step != 0) continue;
      Picoseconds kernels{};
      for (const TimelineEvent& event : shape.events) {
        if (event.kernel) kernels += event.end - event.start;
      }
      Picoseconds inside{};
      for (const Share share : {Share::compute, Share::hbm_bound, Share::collective_transfer}) {
        inside += shape.sums.back()[index_of(share)];
      }
      EXPECT_EQ(inside - kernels, program->start);
      EXPECT_EQ(std::ranges::count_if(shape.events, &TimelineEvent::kernel),
                std::ssize(program->kernels));
    }
  }
}

TEST(RunTimeline, many_steps_that_go_alike_are_few_stretches) {
  Settings settings = small();
  settings.batch = 1;  // 180 steps an epoch
  settings.max_epochs = -1;
  settings.max_steps = 5000;
  Engine engine;
  run_to_end(engine, settings);
  const auto now = engine.latest();
  ASSERT_EQ(now->run.step, 5000);
  EXPECT_LT(stretches_of(*now->timeline), 1200U);
  EXPECT_TRUE(now->timeline->whole);
}

// Each read-back is followed by steps in which the host runs ahead again.
TEST(RunTimeline, of_a_named_network_that_logs_often_few_steps_are_described) {
  Settings settings = small();
  settings.model = "resnet18";
  settings.batch = 8;
  settings.log_every_n_steps = 2;
  settings.max_epochs = -1;
  settings.max_steps = 2000;
  Engine engine;
  run_to_end(engine, settings);
  const auto now = engine.latest();
  ASSERT_EQ(now->run.step, 2000);
  std::set<const StepShape*> shapes;
  for (const auto& block : now->timeline->blocks) {
    for (const TimelineStretch& stretch : *block) shapes.insert(stretch.shape.get());
  }
  EXPECT_LT(shapes.size(), 50U);
}

TEST(RunTimeline, the_path_leads_over_the_device_that_the_others_wait_for) {
  Settings settings = small();
  settings.straggler = "core:5:2";
  Engine engine;
  run_to_end(engine, settings);
  const RunTimeline& timeline = *engine.latest()->timeline;
  EXPECT_EQ(timeline.lanes[timeline.path_lane].label, "core 5");
  const Times path = path_of(timeline);
  EXPECT_EQ(path[index_of(Share::collective_wait)], Picoseconds{});
}

}  // namespace
}  // namespace tpulab::timeline_log_test
