#include "tui/farewell.h"

#include <gtest/gtest.h>

#include "tests/tui/example_snapshot.h"

namespace tpulab {

TEST(Farewell, says_what_ran_what_bound_it_and_how_to_repeat_it) {
  EXPECT_EQ(farewell(example_training_snapshot().run, Settings(), Settings()),
            "run 1: mlp 64-1024-1024-10 on v3-8, training after 112 steps, loss 0.0312, test "
            "accuracy 91.4 %\n"
            "bound: host tracing 94 %; 55.6k samples/s TPU time (est.)\n"
            "again: tpulab -c 'run'\n");
}

TEST(Farewell, is_silent_where_nothing_ran) {
  EXPECT_EQ(farewell(example_empty_snapshot().run, Settings(), Settings()), "");
}

TEST(Farewell, repeats_every_setting_that_is_not_as_built_in_but_the_pace) {
  Settings settings;
  settings.pace = "watch";
  change(settings, "slice", "v3-32");
  change(settings, "straggler", "host:1:2");
  change(settings, "model", "conv 16 3x3 relu | dense 10");
  EXPECT_EQ(repeat_line(settings, Settings()),
            "tpulab -c 'set model=\"conv 16 3x3 relu | dense 10\" slice=v3-32 straggler=host:1:2; "
            "run'");
}

TEST(Farewell, leaves_out_what_a_fresh_start_has) {
  Settings fresh;
  change(fresh, "slice", "v3-32");
  Settings settings = fresh;
  EXPECT_EQ(repeat_line(settings, fresh), "tpulab -c 'run'");
  change(settings, "slice", "v3-8");
  EXPECT_EQ(repeat_line(settings, fresh), "tpulab -c 'set slice=v3-8; run'");
}

}  // namespace tpulab
