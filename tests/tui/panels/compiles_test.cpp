#include <gtest/gtest.h>

#include <algorithm>

#include "../example_snapshot.h"
#include "tui/panels/panel.h"

namespace tpulab::compiles_test {

namespace {

std::string drawn(std::string_view panel, const Snapshot& now, int rows, int columns) {
  Canvas canvas(rows, columns);
  panel_named(panel).draw(now, {}, canvas);
  return canvas.text();
}

bool says(const std::string& text, std::string_view words) {
  return text.find(words) != std::string::npos;
}

TEST(CompilesPanel, the_newest_event_comes_first_with_its_whole_cause) {
  Snapshot told = example_events_snapshot();
  EXPECT_TRUE(panel_named("compiles").caption(told).starts_with("4 first, "));
  told.compiles.again = 3;
  EXPECT_TRUE(panel_named("compiles").caption(told).starts_with("1 first + 3 again, "));
  told.compiles.again = 4;
  EXPECT_TRUE(panel_named("compiles").caption(told).starts_with("4 again, "));
  const std::string text = drawn("compiles", told, 6, 50);
  EXPECT_LT(text.find("loss.item()"), text.find("input 0"));
  EXPECT_TRUE(says(text, "last batch"));
  EXPECT_TRUE(says(text, "1.54 s"));
}

TEST(CompilesPanel, marks_those_that_come_again) {
  Snapshot now = example_events_snapshot();
  for (CompileEvent& event : now.compiles.events) event.again = event.graph == "train step";
  for (const int columns : {40, 60}) {
    const std::string text = drawn("compiles", now, 12, columns);
    EXPECT_TRUE(says(text, "train step again")) << text;
    EXPECT_FALSE(says(text, "loss.item() again")) << text;
  }
}

TEST(CompilesPanel, an_evaluation_that_takes_longest_by_far_comes_first) {
  Snapshot now = example_training_snapshot();
  now.compiles.total = Picoseconds{10};
  now.compiles.events = {{.step = 60, .graph = "evaluation", .cause = "", .time = Picoseconds{7}},
                         {.step = 61, .graph = "train step", .cause = "", .time = Picoseconds{3}}};
  std::ranges::reverse(now.compiles.events);  // the newest is the last
  EXPECT_LT(drawn("compiles", now, 4, 50).find("evaluation"),
            drawn("compiles", now, 4, 50).find("train step"));
  now.compiles.total = Picoseconds{15};
  EXPECT_GT(drawn("compiles", now, 4, 50).find("evaluation"),
            drawn("compiles", now, 4, 50).find("train step"));
}

TEST(CompilesPanel, a_training_step_comes_before_evaluation) {
  Snapshot now = example_training_snapshot();
  const std::string text = drawn("compiles", now, 6, 60);
  EXPECT_LT(text.find("train step"), text.find("evaluation")) << text;
  now.compiles.events.push_back(
      {5, "train step",
       "input 0: f32[32,64] -> f32[20,64], last batch; input 1: s64[32] -> s64[20]", 214,
       picoseconds_from_seconds(0.6)});
  // As wide and as high as at 80x24: the whole cause.
  const std::string narrow = drawn("compiles", now, 4, 38);
  EXPECT_TRUE(says(narrow, "600 ms train step")) << narrow;
  EXPECT_TRUE(says(narrow, "s64[20]")) << narrow;
}

TEST(CompilesPanel, says_which_numbers_are_steps_and_how_many_events_are_hidden) {
  const Snapshot now = example_events_snapshot();
  ASSERT_EQ(now.compiles.events.size(), 4U);
  for (const int columns : {38, 60}) {
    const std::string all = drawn("compiles", now, 30, columns);
    EXPECT_TRUE(says(all, "step ")) << all;
    EXPECT_FALSE(says(all, " more")) << all;
  }
  const std::string narrow = drawn("compiles", now, 2, 38);
  EXPECT_TRUE(says(narrow, " + 3 more")) << narrow;
  EXPECT_TRUE(narrow.substr(0, narrow.find('\n')).find("step ") != std::string::npos) << narrow;
}

TEST(CompilesPanel, the_count_of_hidden_events_cuts_a_cause_with_a_mark) {
  Snapshot now = example_training_snapshot();
  const CompileEvent event{.step = 6, .graph = "train step", .cause = std::string(200, 'x')};
  now.compiles.events = {event, event};
  const std::string text = drawn("compiles", now, 3, 38);
  EXPECT_TRUE(says(text, "x… + 1 more")) << text;
}

}  // namespace

}  // namespace tpulab::compiles_test
