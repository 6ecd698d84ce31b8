#include "tui/walk/panes.h"

#include <gtest/gtest.h>

#include "engine/session/speed_ups.h"
#include "tests/tui/example_snapshot.h"

namespace tpulab {
namespace {

// The panes of a screen, and what they asked of the rest.
class PanesTest : public testing::Test {
 protected:
  PanesTest() {
    static const auto program =
        std::make_shared<const PricedProgram>(estimated_program(Settings()));
    panes_.see(program);
    show(example_events_snapshot());
  }

  void show(Snapshot snapshot, int rows = 40, int columns = 120) {
    state_ = example_screen(std::move(snapshot));
    rows_ = rows;
    columns_ = columns;
    panes_.enter();
    draw();
    draw();  // the focus has found a pane
  }
  void draw() {
    panes_.apply_to(state_.view);
    state_.view.focused = panes_.focused() ? panes_.pane() : std::string_view();
    drawn_ = draw_screen(state_, rows_, columns_);
    panes_.see(state_.now, drawn_);
  }
  void press(std::string_view keys, Key kind = Key::text) {
    now_ += std::chrono::seconds(5);  // a slow hand: letters are keys
    panes_.press({kind, std::string(keys)}, now_);
    panes_.time_passes(now_ + std::chrono::seconds(1));
    draw();
  }
  void focus(std::string_view pane) {
    for (int i = 0; i < 8 && panes_.pane() != pane; ++i) press("\t");
    ASSERT_EQ(panes_.pane(), pane);
  }

  std::vector<PanesAction> acted_;
  std::string typed_;
  std::vector<Opened> opened_;
  int scrolled_ = 0;
  std::string sought_;
  bool has_run_ = false;
  ScreenState state_;
  DrawnScreen drawn_;
  int rows_ = 40;
  int columns_ = 120;
  Letters::Time now_{std::chrono::hours(1)};
  Panes panes_{[](std::string_view start) { return std::string_view("slice").starts_with(start); },
               {.act = [this](PanesAction action) { acted_.push_back(action); },
                .type = [this](std::string_view text) { typed_ += text; },
                .open = [this](const Opened& opened) { opened_.push_back(opened); },
                .scroll_output = [this](int lines) { scrolled_ += lines; },
                .find =
                    [this](std::string_view sought, bool back) {
                      sought_ = std::string(back ? "<" : ">") + std::string(sought);
                      return sought != "nowhere";
                    },
                .has_run = [this] { return has_run_; }}};
};

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
    show(example_events_snapshot());
    panes_.escape();
    panes_.enter();
    draw();
    const bool of_time =
        key.pane == "timeline" || key.shown == "-" || key.shown == "0" || key.shown == ">";
    const bool zoomed = key.pane == "inside" || key.pane == "profile" || of_time;
    if (zoomed) press(key.pane == "inside" ? "c" : of_time ? "t" : "o");
    if (of_time) press("+");
    focus(of_time                         ? "timeline"
          : !key.pane.empty()             ? key.pane
          : key.action == PanesAction::up ? "compiles"
                                          : "cores");
    for (int i = 0; i < 3 && key.action == PanesAction::right; ++i) press("\x1b[D", Key::sequence);
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
  for (const char* pane : {"inside", "strip", "timeline", "profile", "loss", "compiles",
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

TEST_F(PanesTest, the_timeline_is_walked_from_the_run_to_one_kernel_which_enter_explains) {
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

TEST_F(PanesTest, a_click_puts_the_cursor_of_the_timeline) {
  press("t");
  const std::string before = drawn_.canvas.text();
  EXPECT_TRUE(panes_.click(drawn_.panes[0].area.row + 1, 60));
  draw();
  EXPECT_NE(drawn_.canvas.text(), before);
}

TEST_F(PanesTest, keys_of_the_timeline_elsewhere_say_what_they_are_for) {
  focus("loss");
  press("+");
  EXPECT_NE(panes_.key_row(100).find("t shows it"), std::string::npos) << panes_.key_row(100);
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
}  // namespace tpulab
