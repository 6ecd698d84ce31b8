// What a run says of a part of its machine that takes longer than its like.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/base/text.h"
#include "engine/session/engine.h"
#include "tests/engine/session/run_to_end.h"

namespace tpulab::slow_part_test {
namespace {

using test::run_to_end;
using test::said;
using test::small_run;

TEST(SlowPart, is_named_once_where_the_others_wait_for_it) {
  Engine engine;
  Settings settings = small_run();
  settings.straggler = "core:5:3";
  run_to_end(engine, settings);
  EXPECT_TRUE(said(engine, ": core 5 is slow: the others wait "));
  Engine alike;
  run_to_end(alike, small_run());
  EXPECT_FALSE(said(alike, " slow: the others wait "));
}

TEST(SlowPart, is_not_named_where_somebody_shall_find_it) {
  Settings settings = small_run();
  settings.straggler = "core:5:3";
  Engine run;
  run.post(StartRun{.settings = settings, .keeps_quiet = true});
  run.wait();
  EXPECT_FALSE(said(run, " slow: the others wait "));
  EXPECT_FALSE(run.latest()->run.slow.empty());
  Engine step;
  step.post(StepRun{.steps = 9, .settings = settings, .keeps_quiet = true});
  step.wait();
  EXPECT_FALSE(said(step, " slow: the others wait "));
}

// A run of four steps has two that compile nothing.
TEST(SlowPart, is_named_in_a_short_run_too) {
  Engine engine;
  Settings settings = small_run();
  settings.straggler = "core:5:3";
  settings.max_steps = 4;
  run_to_end(engine, settings);
  EXPECT_TRUE(said(engine, ": core 5 is slow: the others wait "));
}

// What it costs is what a step is longer than without it.
TEST(SlowPart, of_links_is_named_with_what_all_wait) {
  Settings settings;
  settings.model = "bert-base";
  settings.slice = "v5e-8";
  settings.numbers = false;
  settings.max_steps = 12;
  Engine alike;
  run_to_end(alike, settings);
  EXPECT_TRUE(alike.latest()->run.slow.empty());
  settings.straggler = "link:5:30";
  Engine engine;
  run_to_end(engine, settings);
  const RunView& run = engine.latest()->run;
  EXPECT_FALSE(run.slow.hidden);
  EXPECT_NEAR(in_seconds(run.slow.costs), in_seconds(run.step_time - alike.latest()->run.step_time),
              0.001 * in_seconds(run.step_time));
  EXPECT_TRUE(said(engine, fmt::format(": links of chip 5 take 30x as long as the others: all "
                                       "exchange {} longer in each step; `help straggler`",
                                       text_of(run.slow.costs))));
}

// The devices take longer than even the slow host.
TEST(SlowPart, that_costs_nothing_says_what_hides_it) {
  Engine engine;
  Settings settings;
  settings.model = "resnet50";
  settings.slice = "v3-32";
  settings.batch = 128;
  settings.numbers = false;
  settings.straggler = "host:3:2";
  settings.max_steps = 24;
  run_to_end(engine, settings);
  const RunView& run = engine.latest()->run;
  EXPECT_EQ(run.slow.hidden_text(run.bound),
            "host 3 takes 2x as long as the others, hidden behind " + run.bound.name);
  EXPECT_FALSE(said(engine, " slow: "));
}

}  // namespace
}  // namespace tpulab::slow_part_test
