#include <gtest/gtest.h>

#include <string>

#include "../example_snapshot.h"
#include "tui/panels/panel.h"

namespace tpulab::strip_test {

namespace {

std::string drawn(const Snapshot& now, int rows, int columns, bool compact) {
  ViewState view;
  view.compact = compact;
  Canvas canvas(rows, columns);
  panel_named("strip").draw(now, view, canvas);
  return canvas.text();
}

bool says(const std::string& text, std::string_view words) {
  return text.find(words) != std::string::npos;
}

std::string screen_of(Snapshot now, int rows, int columns) {
  return draw_screen(example_screen(std::move(now)), rows, columns).canvas.text();
}

TEST(StripPanel, the_smallest_screen_of_panes_says_the_rate_in_the_title_of_the_steps) {
  EXPECT_TRUE(says(screen_of(example_training_snapshot(), 24, 80),
                   " step 4.60 ms, 55.6k samples/s, run 2.64 s TPU time (est.) "));
}

TEST(StripPanel, a_run_without_a_steady_step_tells_no_time_of_one) {
  Snapshot now = example_training_snapshot();
  now.run.step = 1;
  now.run.step_time = {};
  now.run.tpu_rate_steady = 0;
  EXPECT_EQ(panel_named("strip").caption(now),
            "no steady step yet, run 2.64 s TPU time (est.), 2.33 s wall");
  const Opened opened = panel_named("strip").open(now, {});
  EXPECT_EQ(opened.lines[0],
            "Step 1 of run 1: none so far is steady: all had programs to compile or waited for "
            "rows.");
}

TEST(StripPanel, a_small_screen_names_all_signs_of_bars_and_lanes_in_a_row_below_them) {
  Snapshot slow = example_events_snapshot();
  slow.strip.lanes.push_back(slow.strip.lanes.back());  // of core 4, and of the rest
  for (const Snapshot& now : {slow, example_one_core_snapshot()}) {
    const std::string text = screen_of(now, 24, 80);
    for (const char* name : {"H host tracing", "▄ HBM-bound", "█ compute"}) {
      EXPECT_TRUE(says(text, name)) << text;
    }
  }
  for (const char* name : {"~ coll. wait", "! CPU fallback", "▒ collective"}) {
    EXPECT_TRUE(says(screen_of(slow, 24, 80), name)) << name;
  }
}

TEST(StripPanel, a_sign_that_only_a_lane_shows_is_named_too) {
  Snapshot now = example_one_core_snapshot();
  EXPECT_FALSE(says(drawn(now, 4, 78, true), "< read-back"));
  now.strip.lanes[0].pieces.back().share = Share::read_back;
  EXPECT_TRUE(says(drawn(now, 4, 78, true), "< read-back"));
}

TEST(StripPanel, tiles_that_name_the_signs_themselves_leave_the_row_to_others) {
  EXPECT_FALSE(says(drawn(example_one_core_snapshot(), 4, 96, false), "▄ HBM-bound"));
  EXPECT_FALSE(says(drawn(example_training_snapshot(), 4, 78, true), "▄ HBM-bound"));
}

TEST(StripPanel, a_pod_with_a_slow_host_names_its_signs_on_a_small_screen_too) {
  Snapshot now = example_pod_snapshot(32);
  now.strip.lanes.push_back(now.strip.lanes.back());
  EXPECT_TRUE(says(screen_of(now, 24, 80), "H host tracing  █ compute")) << screen_of(now, 24, 80);
}

}  // namespace

}  // namespace tpulab::strip_test
