#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>

#include "../example_snapshot.h"
#include "engine/session/run/ended_runs.h"
#include "tui/panels/panel.h"

namespace tpulab::loss_test {

namespace {

Snapshot second_run() {
  Snapshot now = example_training_snapshot();
  EndedRun first;
  first.record.view.number = 1;
  first.losses = now.losses;
  now.ended = {std::make_shared<const EndedRun>(std::move(first))};
  now.run.number = 2;
  return now;
}

bool says_dotted(const Snapshot& now, int columns) {
  Canvas canvas(6, columns);
  panel_named("loss").draw(now, {}, canvas);
  return canvas.text().find("dotted: run 1") != std::string::npos;
}

TEST(LossPanel, the_axis_says_what_is_dotted_where_the_title_has_no_room) {
  Snapshot now = second_run();
  EXPECT_TRUE(says_dotted(now, 29));  // as at 80 columns
  EXPECT_FALSE(says_dotted(now, 100));
  EXPECT_TRUE(panel_named("loss").caption(now).ends_with("%, 0.0312, dotted: run 1"));
  now.run.test_accuracy = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(says_dotted(now, 29));
  EXPECT_EQ(panel_named("loss").caption(now), "0.0312, dotted: run 1");
}

TEST(LossPanel, a_small_screen_says_what_is_dotted) {
  const std::string text = draw_screen(example_screen(second_run()), 24, 80).canvas.text();
  EXPECT_NE(text.find("test accuracy 91.4 %"), std::string::npos) << text;
  EXPECT_NE(text.find("dotted: run 1"), std::string::npos) << text;
}

}  // namespace

}  // namespace tpulab::loss_test
