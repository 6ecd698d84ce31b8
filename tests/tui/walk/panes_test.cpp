#include "tests/tui/walk/panes_fixture.h"

namespace tpulab::panes_test {
namespace {

TEST_F(PanesTest, the_focused_pane_has_a_heavy_frame) {
  focus("loss");
  EXPECT_NE(drawn_.canvas.text().find("┏ loss ━"), std::string::npos) << drawn_.canvas.text();
  EXPECT_EQ(drawn_.canvas.text().find("┏ compiles"), std::string::npos);
}

// With a colourless terminal in mind: something is reversed, or a line is heavy, in every pane.
TEST_F(PanesTest, the_focus_is_seen_in_every_pane_at_every_size_and_state) {
  for (const Snapshot& snapshot : {example_empty_snapshot(), example_events_snapshot(),
                                   example_pod_snapshot(2048), example_pod_snapshot(12)}) {
    for (const auto& [rows, columns] : {std::pair{40, 120}, {24, 80}, {16, 60}, {50, 200}}) {
      show(snapshot, rows, columns);
      for (std::size_t i = 0; i < drawn_.panes.size(); ++i) {
        bool seen = false;
        for (int row = 0; row < rows; ++row) {
          for (const Cell& cell : drawn_.canvas.row(row)) {
            seen = seen || cell.reverse || cell.glyph == U'━';
          }
        }
        EXPECT_TRUE(seen) << panes_.pane() << " at " << columns << "x" << rows;
        press("\t");
      }
    }
  }
}

TEST_F(PanesTest, enter_opens_what_each_pane_has_and_says_so_where_there_is_nothing) {
  for (const Snapshot& snapshot : {example_events_snapshot(), example_empty_snapshot()}) {
    show(snapshot);
    for (const char* pane : {"cores", "strip", "compiles", "fallbacks"}) {
      opened_.clear();
      focus(pane);
      press("\r");
      ASSERT_EQ(opened_.size(), 1U) << pane;
      EXPECT_FALSE(opened_[0].title.empty()) << pane;
      EXPECT_FALSE(opened_[0].lines.empty() && opened_[0].command.empty()) << pane;
    }
    focus("output");
    press("\r");
    EXPECT_EQ(acted_.back(), PanesAction::output);
    focus("loss");
    press("\r");
    EXPECT_EQ(drawn_.panes.size(), 1U);  // it has the screen
    panes_.escape();
    draw();
  }
}

TEST_F(PanesTest, down_chooses_the_next_compile_and_enter_tells_its_whole_cause) {
  focus("compiles");
  press("\r");
  press("\x1b[B", Key::sequence);
  press("\r");
  ASSERT_EQ(opened_.size(), 2U);
  EXPECT_NE(opened_[0].title + opened_[0].lines[0], opened_[1].title + opened_[1].lines[0]);
}

TEST_F(PanesTest, a_fallback_opens_with_cost_and_alternative) {
  focus("fallbacks");
  press("\r");
  ASSERT_EQ(opened_.size(), 1U);
  std::string all;
  for (const std::string& line : opened_[0].lines) all += line + "\n";
  EXPECT_EQ(opened_[0].title, state_.now->fallbacks[0].op);
  EXPECT_NE(all.find("Instead: "), std::string::npos) << all;
  EXPECT_NE(all.find(state_.now->fallbacks[0].why), std::string::npos) << all;
}

TEST_F(PanesTest, arrows_choose_a_tile_and_go_on_to_the_next_pane_at_the_end) {
  press("\r");
  press("\x1b[C", Key::sequence);
  press("\r");
  ASSERT_EQ(opened_.size(), 2U);
  EXPECT_NE(opened_[0].title, opened_[1].title);  // core 4 and the rest
  press("\x1b[B", Key::sequence);
  EXPECT_EQ(panes_.pane(), "strip");
}

// The row of keys is made of this table.
TEST_F(PanesTest, every_key_does_what_its_row_says) {
  for (const PaneKey& key : pane_keys()) {
    const bool of_two = key.pane == "beside" && key.action != PanesAction::beside;
    show(of_two ? example_two_runs_snapshot() : example_events_snapshot());
    panes_.escape();
    panes_.enter();
    draw();
    const bool of_time = key.pane == "timeline" || of_two || key.shown == "-" || key.shown == "0" ||
                         key.shown == ">";
    const bool zoomed = key.pane == "inside" || key.pane == "profile" || of_time;
    if (zoomed) press(key.pane == "inside" ? "c" : of_two ? "b" : of_time ? "t" : "o");
    if (of_time) press("+");
    focus(of_two                          ? "beside"
          : of_time                       ? "timeline"
          : !key.pane.empty()             ? key.pane
          : key.action == PanesAction::up ? "compiles"
                                          : "cores");
    const bool onward = key.action == PanesAction::right || key.action == PanesAction::last;
    for (int i = 0; i < 3 && onward; ++i) press("\x1b[D", Key::sequence);
    if (key.action == PanesAction::left) press("\x1b[C", Key::sequence);
    if (key.action == PanesAction::pan_right) press("<");
    if (zoomed && key.action == PanesAction::up) press("\x1b[B", Key::sequence);
    acted_.clear();
    opened_.clear();
    scrolled_ = 0;
    const auto before = state_.view;
    const std::string_view pane = panes_.pane();
    const std::string picture = drawn_.canvas.text() + panes_.key_row(200);
    const bool frozen = panes_.frozen();
    if (key.function > 0) {
      panes_.press_function(key.function);
      draw();
    } else {
      press(key.typed, key.typed.starts_with('\x1b') ? Key::sequence : Key::text);
    }
    const bool moved =
        pane != panes_.pane() || picture != drawn_.canvas.text() + panes_.key_row(200);
    const bool chose = before.metric != state_.view.metric ||
                       before.each_device != state_.view.each_device ||
                       before.chosen != state_.view.chosen;
    EXPECT_TRUE(moved || chose || !acted_.empty() || !opened_.empty() || scrolled_ != 0 ||
                frozen != panes_.frozen() || !panes_.focused())
        << key.shown << " in " << key.pane;
    panes_.escape();
    panes_.enter();
  }
}

TEST_F(PanesTest, the_map_is_turned_on_a_pod_and_told_of_elsewhere) {
  focus("cores");
  press("m");
  EXPECT_EQ(acted_, std::vector{PanesAction::map_metric});
  acted_.clear();
  show(example_pod_snapshot(512));
  const MapMetric before = state_.view.metric;
  press("m");
  EXPECT_NE(state_.view.metric, before);
  EXPECT_TRUE(acted_.empty());
}

TEST_F(PanesTest, a_word_typed_in_the_panes_reaches_the_prompt_and_steps_nothing) {
  has_run_ = true;
  panes_.press({Key::text, "s"}, now_);
  panes_.press({Key::text, "l"}, now_ + std::chrono::milliseconds(120));
  EXPECT_EQ(typed_, "sl");
  EXPECT_TRUE(acted_.empty());
  EXPECT_FALSE(panes_.focused());
}

TEST_F(PanesTest, a_search_takes_letters_until_enter_and_is_repeated_both_ways) {
  focus("output");
  press("/");
  ASSERT_TRUE(panes_.searching());
  for (const char* letter : {"l", "o", "x", "\x7f", "s", "s"}) press(letter);
  EXPECT_NE(panes_.key_row(100).find("loss"), std::string::npos);
  press("\r");
  EXPECT_EQ(sought_, "<loss");
  press("N");
  EXPECT_EQ(sought_, ">loss");
  press("/");
  for (const char letter : std::string("nowhere")) press(std::string(1, letter));
  press("\r");
  EXPECT_NE(panes_.key_row(100).find("nowhere"), std::string::npos);
  press("/");
  panes_.escape();
  EXPECT_FALSE(panes_.searching());
  EXPECT_TRUE(panes_.focused());
}

TEST_F(PanesTest, kernels_are_searched_while_it_is_typed_and_escape_shows_all_again) {
  press("o");
  press("/");
  EXPECT_NE(panes_.key_row(100).find("search the kernels"), std::string::npos);
  for (const char* letter : {"d", "o", "t"}) press(letter);
  EXPECT_NE(drawn_.canvas.text().find("8 of 17 kernels with 'dot'"), std::string::npos)
      << drawn_.canvas.text();
  press("\r");
  EXPECT_FALSE(panes_.searching());
  press("n");
  EXPECT_EQ(state_.view.chosen, 1);
  press("\r");
  EXPECT_EQ(opened_.back().command.substr(0, 11), "explain dot");
  panes_.escape();
  draw();
  EXPECT_EQ(panes_.pane(), "profile");
  EXPECT_EQ(drawn_.canvas.text().find("with 'dot'"), std::string::npos);
}

TEST_F(PanesTest, a_second_search_of_the_kernels_begins_with_all_of_them) {
  press("o");
  for (const char* key : {"/", "d", "o", "t", "\r"}) press(key);
  ASSERT_NE(drawn_.canvas.text().find("with 'dot'"), std::string::npos) << drawn_.canvas.text();
  press("/");
  EXPECT_EQ(drawn_.canvas.text().find("with 'dot'"), std::string::npos) << drawn_.canvas.text();
  press("\r");
  EXPECT_EQ(drawn_.canvas.text().find("with 'dot'"), std::string::npos) << drawn_.canvas.text();
}

TEST_F(PanesTest, a_click_on_another_pane_ends_what_is_typed_as_a_search) {
  const PlacedPane compiles = drawn_.panes[3];
  focus("output");
  for (const char* key : {"/", "x"}) press(key);
  ASSERT_TRUE(panes_.searching());
  EXPECT_TRUE(panes_.click(compiles.area.row + 1, compiles.area.column + 5));
  draw();
  EXPECT_FALSE(panes_.searching());
  press("\r");
  EXPECT_EQ(opened_.size(), 1U);  // of the compiles, no search
  EXPECT_TRUE(sought_.empty());
}

TEST_F(PanesTest, the_kernels_are_sorted_by_the_next_column_and_drawn_as_a_roofline) {
  press("o");
  EXPECT_NE(drawn_.canvas.text().find("time↓"), std::string::npos) << drawn_.canvas.text();
  press("\x1b[C", Key::sequence);
  press("\x1b[C", Key::sequence);
  EXPECT_NE(drawn_.canvas.text().find("useful↓"), std::string::npos) << drawn_.canvas.text();
  press("g");
  EXPECT_NE(drawn_.canvas.text().find("bf16 peak"), std::string::npos) << drawn_.canvas.text();
  press("g");
  EXPECT_NE(drawn_.canvas.text().find("useful↓"), std::string::npos);
}

TEST_F(PanesTest, a_search_from_a_pane_that_has_the_screen_shows_the_output) {
  press("c");
  ASSERT_EQ(panes_.pane(), "inside");
  press("/");
  EXPECT_EQ(panes_.pane(), "output");
  EXPECT_NE(panes_.key_row(100).find("search the output"), std::string::npos);
  for (const char* letter : {"l", "o", "\r"}) press(letter);
  EXPECT_EQ(sought_, "<lo");
  EXPECT_EQ(panes_.pane(), "output");
}

TEST_F(PanesTest, escape_goes_back_level_by_level) {
  focus("compiles");
  press("z");
  EXPECT_EQ(drawn_.panes.size(), 1U);
  panes_.escape();
  draw();
  EXPECT_EQ(drawn_.panes.size(), 6U);
  EXPECT_EQ(panes_.pane(), "compiles");
  panes_.escape();
  EXPECT_FALSE(panes_.focused());
}

TEST_F(PanesTest, tab_goes_from_zoomed_pane_to_zoomed_pane) {
  press("z");
  for (const char* pane : {"inside", "strip", "timeline", "beside", "profile", "loss", "compiles",
                           "fallbacks", "output", "cores"}) {
    press("\t");
    ASSERT_EQ(drawn_.panes.size(), 1U);
    EXPECT_EQ(panes_.pane(), pane);
  }
}

TEST_F(PanesTest, inside_a_core_the_clocks_are_stepped_and_played_to_their_end) {
  press("c");
  EXPECT_EQ(panes_.pane(), "inside");
  ASSERT_NE(drawn_.canvas.text().find("clock 1 of "), std::string::npos) << drawn_.canvas.text();
  press("\x1b[C", Key::sequence);
  EXPECT_NE(drawn_.canvas.text().find("clock 17 of "), std::string::npos) << drawn_.canvas.text();
  press("\x1b[D", Key::sequence);
  EXPECT_NE(drawn_.canvas.text().find("clock 1 of "), std::string::npos);
  press(" ");
  ASSERT_TRUE(panes_.deadline());
  int ticks = 0;
  for (; panes_.deadline() && ticks < 1000; ++ticks) panes_.time_passes(*panes_.deadline());
  EXPECT_GT(ticks, 50);
  EXPECT_LT(ticks, 1000);
  draw();
  EXPECT_NE(drawn_.canvas.text().find("the last sums drain"), std::string::npos);
  panes_.escape();
  draw();
  EXPECT_EQ(drawn_.panes.size(), 6U);
}

TEST_F(PanesTest, without_a_step_a_core_and_the_kernels_say_so) {
  panes_.see(std::shared_ptr<const PricedProgram>());
  show(example_empty_snapshot());
  for (const char* key : {"c", "o", "t"}) {
    press(key);
    EXPECT_NE(drawn_.canvas.text().find("no step yet"), std::string::npos) << drawn_.canvas.text();
    for (const char* step : {"\x1b[C", "\x1b[D", "\x1b[A", "\x1b[B"}) press(step, Key::sequence);
    press(" ");
    press("\r");
    EXPECT_FALSE(opened_.empty());
    panes_.escape();
    draw();
  }
}

TEST_F(PanesTest, a_click_focuses_and_a_second_one_opens) {
  const PlacedPane compiles = drawn_.panes[3];
  ASSERT_EQ(compiles.panel, "compiles");
  panes_.leave();
  EXPECT_TRUE(panes_.click(compiles.area.row + 1, compiles.area.column + 5));
  draw();
  EXPECT_TRUE(panes_.focused());
  EXPECT_EQ(panes_.pane(), "compiles");
  EXPECT_TRUE(opened_.empty());
  EXPECT_TRUE(panes_.click(compiles.area.row + 1, compiles.area.column + 5));
  EXPECT_EQ(opened_.size(), 1U);
  EXPECT_FALSE(panes_.click(39, 5));  // the prompt
}

}  // namespace
}  // namespace tpulab::panes_test
