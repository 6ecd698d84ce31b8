#include "commands/repeat_line.h"

#include <gtest/gtest.h>

namespace tpulab::repeat_line_test {
namespace {

TEST(RepeatLine, repeats_every_setting_that_is_not_as_built_in_but_the_pace) {
  Settings settings;
  settings.pace = "watch";
  change(settings, "slice", "v3-32");
  change(settings, "straggler", "host:1:2");
  change(settings, "model", "conv 16 3x3 relu | dense 10");
  EXPECT_EQ(repeat_line(settings, Settings()),
            "tpulab -c 'set model=\"conv 16 3x3 relu | dense 10\" slice=v3-32 straggler=host:1:2; "
            "run'");
}

TEST(RepeatLine, stops_where_the_run_was_stopped_and_says_what_changed_meanwhile) {
  RunView run;
  run.state = RunState::stopped;
  run.step = 56;
  using Lines = std::vector<std::string>;
  EXPECT_EQ(repeat_lines(run, Settings(), Settings()),
            (Lines{"tpulab -c 'set max_steps=56; run'"}));
  run.state = RunState::finished;
  run.changed = "batch";
  EXPECT_EQ(repeat_lines(run, Settings(), Settings()),
            (Lines{"tpulab -c 'run'",
                   "while the run ran, batch changed: the line has them as they were last, from "
                   "its first step on"}));
}

// It shall do the same where nobody has that config.toml.
TEST(RepeatLine, has_what_differs_from_a_fresh_start_and_what_a_fresh_start_has_changed) {
  Settings fresh;
  change(fresh, "slice", "v3-32");
  Settings settings = fresh;
  EXPECT_EQ(repeat_line(settings, fresh), "tpulab -c 'set slice=v3-32; run'");
  change(settings, "slice", "v3-8");
  EXPECT_EQ(repeat_line(settings, fresh), "tpulab -c 'set slice=v3-8; run'");
}

}  // namespace
}  // namespace tpulab::repeat_line_test
