// Keys in the timeline and in two runs beside each other.
#include "tests/tui/walk/panes_fixture.h"

namespace tpulab::panes_time_test {
namespace {

class PanesTimeTest : public PanesTest {};

TEST_F(PanesTimeTest, the_timeline_is_walked_from_the_run_to_one_kernel_which_enter_explains) {
  press("t");
  ASSERT_EQ(panes_.pane(), "timeline");
  const auto seen = [&](std::string_view words) {
    return drawn_.canvas.text().find(words) != std::string::npos;
  };
  EXPECT_TRUE(seen("of 12.1 ms of TPU time")) << drawn_.canvas.text();
  EXPECT_TRUE(seen("╱╱╱")) << drawn_.canvas.text();  // the compile
  press("\x1b[B", Key::sequence);
  for (int i = 0; i < 12; ++i) press("+");
  for (int i = 0; i < 400 && !seen("dot+add, 15.0 us"); ++i) press("\x1b[D", Key::sequence);
  ASSERT_TRUE(seen("cores 0-7, step 111 (train): dot+add, 15.0 us")) << drawn_.canvas.text();
  EXPECT_TRUE(seen("bound: matrix unit"));
  press("\r");
  ASSERT_EQ(opened_.size(), 1U);
  EXPECT_EQ(opened_[0].command, "explain dot");
  press("0");
  EXPECT_TRUE(seen("of 12.1 ms of TPU time")) << drawn_.canvas.text();
}

TEST_F(PanesTimeTest, home_and_end_go_to_the_ends_of_the_timeline_and_the_end_is_followed) {
  press("t");
  for (int i = 0; i < 8; ++i) press("+");
  const auto seen = [&](std::string_view words) {
    return drawn_.canvas.text().find(words) != std::string::npos;
  };
  press("\x1b[H", Key::sequence);
  EXPECT_TRUE(seen("step 0 (train)")) << drawn_.canvas.text();
  EXPECT_TRUE(seen("TPU time       ▲")) << drawn_.canvas.text();
  press("\x1b[F", Key::sequence);
  EXPECT_TRUE(seen("step 111 (train)")) << drawn_.canvas.text();
  Snapshot later = example_events_snapshot();
  later.timeline = example_timeline(500);
  state_.now = std::make_shared<const Snapshot>(std::move(later));
  draw();
  EXPECT_TRUE(seen("step 499 (train)")) << drawn_.canvas.text();
}

TEST_F(PanesTimeTest, home_and_end_choose_the_first_and_the_last_row_and_scroll_the_output) {
  focus("compiles");
  press("\x1b[F", Key::sequence);
  const int last = static_cast<int>(state_.now->compiles.events.size()) - 1;
  EXPECT_EQ(state_.view.chosen, last);
  press("\x1b[H", Key::sequence);
  EXPECT_EQ(state_.view.chosen, 0);
  focus("output");
  press("\x1b[H", Key::sequence);
  EXPECT_GT(scrolled_, 10000);
  press("\x1b[F", Key::sequence);
  EXPECT_EQ(scrolled_, 0);
}

TEST_F(PanesTimeTest, long_words_of_the_timeline_go_on_in_a_second_row) {
  Snapshot snapshot = example_events_snapshot();
  RunTimeline run = *snapshot.timeline;
  RunTimeline::Block block = *run.blocks[0];
  StepShape shape = *block[0].shape;
  shape.events[0].why =
      "input 0: f32[32,64] -> f32[29,64], last batch; input 1: s64[32] -> s64[29]";
  block[0].shape = std::make_shared<const StepShape>(shape);
  run.blocks = {std::make_shared<const RunTimeline::Block>(block)};
  snapshot.timeline = std::make_shared<const RunTimeline>(run);
  show(snapshot, 24, 60 + 20);
  press("t");
  press("\x1b[H", Key::sequence);
  EXPECT_NE(drawn_.canvas.text().find("s64[29]"), std::string::npos) << drawn_.canvas.text();
}

TEST_F(PanesTimeTest, two_runs_are_walked_on_one_scale_and_enter_tells_them_in_words) {
  show(example_two_runs_snapshot(), 24, 80);
  press("b");
  ASSERT_EQ(panes_.pane(), "beside");
  const auto seen = [&](std::string_view words) {
    return drawn_.canvas.text().find(words) != std::string::npos;
  };
  EXPECT_TRUE(seen("run 1, cold (1 compile): 60 steps")) << drawn_.canvas.text();
  EXPECT_TRUE(seen("run 2, under way (")) << drawn_.canvas.text();
  EXPECT_TRUE(seen("a steady step           100 us ->   4.60 ms")) << drawn_.canvas.text();
  draw();  // the frame of the focus
  const std::string whole = drawn_.canvas.text();
  for (const char* key : {"+", "<", ">", "-"}) {
    const std::string before = drawn_.canvas.text();
    press(key);
    EXPECT_NE(drawn_.canvas.text(), before) << key;
  }
  press("\x1b[H", Key::sequence);
  press("0");
  press("\x1b[F", Key::sequence);
  EXPECT_EQ(drawn_.canvas.text(), whole);
  press("\r");
  ASSERT_EQ(opened_.size(), 1U);
  EXPECT_TRUE(opened_[0].command.empty());  // one of them has not ended
  press("b");
  EXPECT_GT(drawn_.panes.size(), 1U);
}

TEST_F(PanesTimeTest, without_a_second_run_two_runs_say_what_to_do) {
  for (const auto& [snapshot, words] :
       {std::pair{example_empty_snapshot(), "run twice, and both"},
        {example_events_snapshot(), "change a setting, run again"}}) {
    show(snapshot);
    press("b");
    EXPECT_NE(drawn_.canvas.text().find(words), std::string::npos) << drawn_.canvas.text();
    for (const char* key : {"+", "-", "<", ">", "0", "\r"}) press(key);
    for (const char* key : {"\x1b[C", "\x1b[D", "\x1b[H", "\x1b[F"}) press(key, Key::sequence);
    panes_.click(10, 60);
    EXPECT_FALSE(opened_.empty());
    panes_.escape();
    draw();
  }
}

TEST_F(PanesTimeTest, a_click_puts_the_cursor_of_the_timeline) {
  press("t");
  const std::string before = drawn_.canvas.text();
  EXPECT_TRUE(panes_.click(drawn_.panes[0].area.row + 1, 60));
  draw();
  EXPECT_NE(drawn_.canvas.text(), before);
}

TEST_F(PanesTimeTest, keys_of_the_timeline_elsewhere_say_what_they_are_for) {
  focus("loss");
  press("+");
  EXPECT_NE(panes_.key_row(100).find("t shows it"), std::string::npos) << panes_.key_row(100);
}

}  // namespace
}  // namespace tpulab::panes_time_test
