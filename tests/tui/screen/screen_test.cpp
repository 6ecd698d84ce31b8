#include "tui/screen/screen.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/session/answers/speed_ups.h"
#include "tests/tui/example_snapshot.h"
#include "tui/screen/layout.h"
#include "tui/screen/status_line.h"

namespace tpulab::screen_test {

namespace {

std::string row_of(const DrawnScreen& drawn, int row) {
  std::string text;
  for (int column = 0; column < drawn.canvas.columns(); ++column) {
    const char32_t glyph = drawn.canvas.at(row, column).glyph;
    if (glyph != 0) append_utf8(text, glyph);
  }
  return text;
}

// The prompt row for a typed line, and where its cursor is.
struct TypedRow {
  std::string text;
  int cursor = 0;
};
TypedRow typed(const std::string& line, std::size_t cursor, int columns,
               const std::string& prompt = "> ") {
  ScreenState state = example_screen(example_empty_snapshot());
  state.prompt = prompt;
  state.line = line;
  state.cursor = cursor;
  const DrawnScreen drawn = draw_screen(state, 3, columns);
  return {row_of(drawn, 2), drawn.cursor_column};
}

std::string status_of(const RunView& run, int columns) {
  Canvas canvas(1, columns);
  draw_status_line(run, canvas, Glyphs::unicode);
  return canvas.text();
}

}  // namespace

TEST(Screen, the_smallest_screen_with_figures_names_the_straggler) {
  const std::string text =
      draw_screen(example_screen(example_events_snapshot()), 16, 60).canvas.text();
  EXPECT_NE(text.find("! core 4: others wait 874 us; duty "), std::string::npos) << text;
  const std::string alike =
      draw_screen(example_screen(example_training_snapshot()), 16, 60).canvas.text();
  EXPECT_EQ(alike.find("! core"), std::string::npos) << alike;
}

TEST(Screen, every_size_from_1x1_up_is_drawn) {
  for (const Snapshot& snapshot :
       {example_empty_snapshot(), example_training_snapshot(), example_events_snapshot(),
        example_pod_snapshot(16), example_pod_snapshot(2048), Snapshot{example_pod_snapshot(1)}}) {
    ScreenState state = example_screen(snapshot);
    state.line = "a typed line 日本 that is longer than most";
    state.cursor = 20;
    state.completions = {{"run", "", "run", ""}, {"reset", "", "reset", ""}};
    state.overlay = {{"one line of help", "another"}};
    state.overlay_scroll = 100;
    for (int rows = 1; rows <= 100; rows += rows < 45 ? 3 : 11) {
      for (int columns = 1; columns <= 300; columns += columns < 130 ? 7 : 41) {
        const DrawnScreen drawn = draw_screen(state, rows, columns);
        ASSERT_EQ(drawn.canvas.rows(), rows);
        ASSERT_EQ(drawn.canvas.columns(), columns);
        ASSERT_EQ(drawn.cursor_row, rows - 1);
        ASSERT_GE(drawn.cursor_column, 0);
        ASSERT_LT(drawn.cursor_column, columns);
        state.overlay.reset();  // from here on the panes are seen
      }
    }
  }
}

TEST(Screen, a_zoomed_pane_has_every_row_between_status_and_prompt) {
  for (const Panel* panel : all_panels()) {
    for (const Snapshot& snapshot : {example_empty_snapshot(), example_events_snapshot(),
                                     example_pod_snapshot(2048), example_pod_snapshot(1)}) {
      ScreenState state = example_screen(snapshot);
      state.view.zoomed = panel->name;
      const DrawnScreen drawn = draw_screen(state, 40, 120);
      EXPECT_NE(row_of(drawn, 2).find(panel->title), std::string::npos) << panel->name;
      EXPECT_TRUE(row_of(drawn, 37).starts_with("└")) << panel->name;
      EXPECT_NE(row_of(draw_screen(state, 16, 60), 1).find(panel->title), std::string::npos);
      EXPECT_EQ(draw_screen(state, 10, 40).canvas.rows(), 10);  // no panes there
    }
  }
}

TEST(Screen, no_size_at_all_counts_as_one_cell) {
  const DrawnScreen drawn = draw_screen(example_screen(example_empty_snapshot()), 0, -5);
  EXPECT_EQ(drawn.canvas.rows(), 1);
  EXPECT_EQ(drawn.canvas.columns(), 1);
}

TEST(Screen, a_screen_too_small_says_so_and_keeps_its_prompt) {
  ScreenState state = example_screen(example_training_snapshot());
  state.prompt = "> ";
  const DrawnScreen drawn = draw_screen(state, 10, 40);
  EXPECT_NE(row_of(drawn, 0).find("#1"), std::string::npos);
  EXPECT_NE(row_of(drawn, 1).find("60x16 needed, this is 40x10"), std::string::npos);
  EXPECT_EQ(row_of(drawn, 9).substr(0, 2), "> ");
}

TEST(Screen, a_screen_too_small_for_figures_still_shows_the_newest_output) {
  ScreenState state = example_screen(example_training_snapshot());
  std::vector<OutputLine> lines(20);
  for (int i = 0; i < 20; ++i)
    lines[static_cast<std::size_t>(i)].text = "said " + std::to_string(i);
  state.view.output = lines;
  const DrawnScreen drawn = draw_screen(state, 10, 40);
  EXPECT_EQ(drawn.output.rows, 6);
  EXPECT_NE(row_of(drawn, 2).find("said 14"), std::string::npos);
  EXPECT_NE(row_of(drawn, 7).find("said 19"), std::string::npos);
}

TEST(Screen, a_short_text_over_the_panes_leaves_those_above_it_in_view) {
  ScreenState state = example_screen(example_training_snapshot());
  state.overlay_title = "show";
  state.overlay = std::vector<std::string>{"one", "two", "three"};
  const DrawnScreen drawn = draw_screen(state, 40, 120);
  EXPECT_EQ(drawn.overlay_rows, 3);
  EXPECT_NE(row_of(drawn, 2).find("8 cores, identical"), std::string::npos);
  EXPECT_NE(row_of(drawn, 33).find("show"), std::string::npos);
  EXPECT_NE(row_of(drawn, 36).find("three"), std::string::npos);
}

TEST(Screen, a_page_that_fills_the_screen_leaves_the_advice_its_row_and_keeps_its_title) {
  ScreenState state = example_screen(example_training_snapshot());
  state.advice = "-> batch 128";
  state.overlay_title = "help all";
  state.overlay.emplace(200, "a line");
  const DrawnScreen drawn = draw_screen(state, 40, 120);
  EXPECT_NE(row_of(drawn, 1).find("-> batch 128"), std::string::npos);
  EXPECT_NE(row_of(drawn, 2).find("help all"), std::string::npos);
}

TEST(Screen, advice_stands_under_the_status_or_where_the_hint_is_and_never_over_a_pane) {
  ScreenState state = example_screen(example_training_snapshot());
  state.advice = "-> batch 128";
  state.hint.clear();
  for (const auto& [rows, columns] : {std::pair{40, 120}, {24, 80}, {16, 60}}) {
    const DrawnScreen drawn = draw_screen(state, rows, columns);
    EXPECT_EQ(drawn.advice_row, rows == 40 ? 1 : rows - 2);
    EXPECT_NE(row_of(drawn, drawn.advice_row).find("-> batch 128"), std::string::npos);
  }
  EXPECT_EQ(draw_screen(state, 10, 40).advice_row, -1);
  state.hint = "batch: a whole number";
  EXPECT_EQ(draw_screen(state, 24, 80).canvas.text().find("-> batch 128"), std::string::npos);
}

TEST(Screen, advice_that_is_longer_than_its_row_ends_with_a_whole_word) {
  ScreenState state = example_screen(example_training_snapshot());
  state.hint.clear();
  state.advice = "links of chip 3 take 9x as long as the others, hidden behind host tracing";
  const DrawnScreen drawn = draw_screen(state, 16, 60);
  EXPECT_NE(row_of(drawn, drawn.advice_row).find("hidden …"), std::string::npos);
}

TEST(Screen, panes_tile_the_screen_without_gaps_or_overlaps) {
  for (const int cores : {1, 2, 4, 8, 16, 32, 2048}) {
    for (int rows = 24; rows <= 90; ++rows) {
      for (const int columns : {80, 99, 100, 119, 120, 200, 300}) {
        const Layout layout = layout_for(rows, columns, cores, rows % 2 == 0);
        ASSERT_FALSE(layout.panes.empty());
        Canvas covered(rows, columns);
        for (const PlacedPane& pane : layout.panes) {
          ASSERT_GT(inside_of(pane).rows, 0) << pane.panel << " " << rows << "x" << columns;
          for (int row = pane.area.row; row < pane.area.row + pane.area.rows; ++row) {
            for (int i = 0; i < pane.area.columns; ++i) {
              const int column = pane.area.column + i;
              ASSERT_EQ(covered.at(row, column).glyph, U' ') << pane.panel;
              covered.put(row, column, U'x', Role::text);
            }
          }
        }
        for (int row = status_rows(rows); row < rows - 2; ++row) {
          ASSERT_EQ(covered.at(row, 0).glyph, U'x') << rows << "x" << columns << " row " << row;
          ASSERT_EQ(covered.at(row, columns - 1).glyph, U'x') << rows << "x" << columns;
        }
      }
    }
  }
}

// What a pane draws on a canvas of its own is what stands in its place: no other one, and no edge,
// has written there.
void expect_panes_intact(const ScreenState& state, int rows, int columns) {
  const DrawnScreen drawn = draw_screen(state, rows, columns);
  ViewState view = state.view;
  view.compact = rows < 30 || columns < 100;
  view.each_device = !view.zoomed.empty();
  for (const PlacedPane& pane : drawn.panes) {
    const Rect inner = inside_of(pane);
    if (columns < 60 || rows < 16) return;  // the output alone, and a note in its place
    Canvas alone(std::max(0, inner.rows), std::max(0, inner.columns));
    if (inner.rows > 0 && inner.columns > 0) panel_named(pane.panel).draw(*state.now, view, alone);
    for (int row = 0; row < alone.rows(); ++row) {
      for (int column = 0; column < alone.columns(); ++column) {
        ASSERT_EQ(drawn.canvas.at(inner.row + row, inner.column + column).glyph,
                  alone.at(row, column).glyph)
            << pane.panel << " at " << columns << "x" << rows << ", row " << row;
      }
    }
    if (pane.edge != Edge::frame) continue;
    for (int row = pane.area.row + 1; row < pane.area.row + pane.area.rows - 1; ++row) {
      ASSERT_EQ(drawn.canvas.at(row, pane.area.column).glyph, U'│') << pane.panel;
      ASSERT_EQ(drawn.canvas.at(row, pane.area.column + pane.area.columns - 1).glyph, U'│');
    }
  }
}

TEST(Screen, no_pane_writes_outside_its_rectangle_at_any_size) {
  const auto program = std::make_shared<const PricedProgram>(estimated_program(Settings()));
  for (const Snapshot& snapshot : {example_empty_snapshot(), example_events_snapshot(),
                                   example_pod_snapshot(2048), example_two_runs_snapshot()}) {
    ScreenState state = example_screen(snapshot);
    state.view.program = program.get();
    for (int rows = 5; rows <= 70; ++rows) {
      for (int columns = 20 + rows % 7; columns <= 250; columns += 13) {
        expect_panes_intact(state, rows, columns);
        if (HasFatalFailure()) return;
      }
    }
    for (const Panel* panel : all_panels()) {
      state.view.zoomed = panel->name;
      for (const auto& [rows, columns] :
           {std::pair{16, 60}, {24, 80}, {31, 101}, {50, 200}, {70, 250}}) {
        expect_panes_intact(state, rows, columns);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(Screen, figures_never_move_the_panes) {
  // The frames of an idle and a busy screen are the same cells.
  const DrawnScreen idle = draw_screen(example_screen(example_empty_snapshot()), 40, 120);
  const DrawnScreen busy = draw_screen(example_screen(example_events_snapshot()), 40, 120);
  for (int row = 0; row < 40; ++row) {
    for (int column = 0; column < 120; ++column) {
      const char32_t glyph = idle.canvas.at(row, column).glyph;
      if (glyph != U'┌' && glyph != U'┘' && glyph != U'┐' && glyph != U'└') continue;
      EXPECT_EQ(busy.canvas.at(row, column).glyph, glyph) << row << ", " << column;
    }
  }
}

TEST(Screen, compiling_shows_in_the_status_line) {
  const DrawnScreen drawn = draw_screen(example_screen(example_events_snapshot()), 24, 200);
  EXPECT_NE(row_of(drawn, 0).find("▓ compiling"), std::string::npos);
}

TEST(Screen, a_small_one_has_the_rate_where_a_run_has_no_loss) {
  Snapshot now = example_training_snapshot();
  now.run.numbers = false;
  now.losses = std::make_shared<const std::vector<LossPoint>>();
  const std::string text = draw_screen(example_screen(std::move(now)), 16, 60).canvas.text();
  EXPECT_NE(text.find("time only: 55.6k samples/s TPU time (est.)"), std::string::npos) << text;
}

TEST(Screen, the_overlay_reports_how_far_it_scrolls) {
  ScreenState state = example_screen(example_empty_snapshot());
  state.overlay.emplace(50, "a line");
  // 24 rows less status, hint, prompt and two edges: 19 lines are seen.
  EXPECT_EQ(draw_screen(state, 24, 80).overlay_scroll_limit, 31);
  state.overlay->resize(5);
  EXPECT_EQ(draw_screen(state, 24, 80).overlay_scroll_limit, 0);
}

TEST(StatusLine, drops_from_the_right_and_keeps_the_time_left_and_what_binds) {
  const RunView run = example_training_snapshot().run;
  EXPECT_EQ(status_of(run, 80),
            " #1 │ ▶ training │ 112/180 │    1 s left │ loss 0.0312 │ bound: host tracing");
  EXPECT_EQ(status_of(run, 60), " #1 │ ▶ │ step 112/180 │    1 s left │ bound: host tracing");
  EXPECT_EQ(status_of(run, 40), " #1 │ ▶ │ step 112/180 │    1 s left");
  EXPECT_EQ(
      status_of(run, 120),
      " #1 │ ▶ │ 112/180 │    1 s left │ loss 0.0312 │ bound: host tracing, saves 96 % if free "
      "│ 55.6k/s TPU (est.) │ v3-8");
  EXPECT_EQ(
      status_of(run, 250),
      " #1 mlp 64-1024-1024-10 │ ▶ training │ step 112/180 │    1 s wall time left │ loss 0.0312 │ "
      "bound: host tracing, saves 96 % if free │ 55.6k samples/s TPU time (est.) │ v3-8 │ "
      "8 of 8 cores │ batch 32 x 8 = 256 global │ f32, bf16 products");
}

TEST(StatusLine, what_binds_steps_between_long_compiles_says_that_it_is_of_them) {
  RunView run = example_training_snapshot().run;
  run.state = RunState::stopped;
  run.bound.between_compiles = true;
  EXPECT_EQ(status_of(run, 80),
            " #1 │ ■ stopped │ step 112/180 │ loss 0.0312 │ between compiles: host tracing");
}

TEST(StatusLine, changing_figures_do_not_move_their_neighbours) {
  RunView run = example_training_snapshot().run;
  const std::size_t place = status_of(run, 120).find("bound");
  run.step = 7;
  run.loss = 2.3026;
  run.tpu_rate_steady = 987;
  EXPECT_EQ(status_of(run, 120).find("bound"), place);
}

TEST(StatusLine, says_how_long_a_planned_run_still_takes) {
  RunView run = example_training_snapshot().run;
  run.step = 100;
  run.steps_total = 400;
  run.wall_step_seconds = 0.2;
  EXPECT_NE(status_of(run, 250).find("  60 s wall time left"), std::string::npos);
  run.wall_step_seconds = 20;
  EXPECT_NE(status_of(run, 250).find("2 h wall"), std::string::npos);
  run.steps_total = 0;  // unlimited
  EXPECT_EQ(status_of(run, 250).find("left"), std::string::npos);
  run.steps_total = 400;
  run.state = RunState::paused;
  EXPECT_EQ(status_of(run, 250).find("left"), std::string::npos);
}

TEST(StatusLine, a_failed_run_says_why) {
  RunView run = example_training_snapshot().run;
  run.state = RunState::failed;
  run.failure = "batch 65536 needs 40.1 GiB of HBM; the largest that fits is 8192";
  const std::string status = status_of(run, 80);
  EXPECT_NE(status.find("✗ failed"), std::string::npos);
  EXPECT_NE(status.find("batch 65536 needs"), std::string::npos);
}

TEST(PromptLine, the_cursor_counts_columns_not_bytes) {
  const std::string line = "日本é x";
  EXPECT_EQ(typed(line, 0, 40).cursor, 2);
  EXPECT_EQ(typed(line, 3, 40).cursor, 4);  // after 日
  EXPECT_EQ(typed(line, 8, 40).cursor, 7);  // after 日本é: 3 + 3 + 2 bytes
  EXPECT_EQ(typed(line, line.size(), 40).cursor, 9);
  EXPECT_EQ(typed(line, 999, 40).cursor, 9);  // beyond the end counts as the end
}

TEST(PromptLine, long_lines_scroll_so_that_the_cursor_is_seen) {
  std::string line;
  for (int i = 0; i < 10; ++i) line += "0123456789";
  for (std::size_t cursor = 0; cursor <= line.size(); ++cursor) {
    const TypedRow row = typed(line, cursor, 30);
    ASSERT_GE(row.cursor, 2);
    ASSERT_LT(row.cursor, 30);
    // The glyph under the cursor is the one that is typed there.
    if (cursor < line.size()) {
      const auto glyphs = [&row] {
        std::u32string all;
        for (std::size_t at = 0; at < row.text.size();) all += next_character(row.text, at);
        return all;
      }();
      EXPECT_EQ(glyphs[static_cast<std::size_t>(row.cursor)], static_cast<char32_t>(line[cursor]));
    }
  }
  EXPECT_EQ(typed(line, 0, 12).text, "> 012345678›");
  EXPECT_EQ(typed(line, line.size(), 12).text.substr(0, 5), "> ‹");
}

TEST(PromptLine, pasted_newlines_are_seen) {
  EXPECT_EQ(typed("a\nb", 3, 10).text, "> a␤b     ");
  EXPECT_EQ(typed("a\nb", 3, 10).cursor, 5);
}

TEST(PromptLine, a_search_prompt_is_drawn_in_full_where_it_fits) {
  const TypedRow row = typed("batch 64", 8, 60, "(reverse-i-search)`ba': ");
  EXPECT_EQ(row.text.substr(0, 32), "(reverse-i-search)`ba': batch 64");
  EXPECT_EQ(row.cursor, 32);
  EXPECT_LT(typed("batch 64", 8, 20, "(reverse-i-search)`ba': ").cursor, 20);
}

TEST(HintLine, the_panes_keys_come_before_the_hint) {
  ScreenState state = example_screen(example_empty_snapshot());
  state.hint = "step [N]";
  EXPECT_NE(row_of(draw_screen(state, 24, 80), 22).find("step [N]"), std::string::npos);
  state.focus_note = "p pauses, Esc goes back";
  EXPECT_NE(row_of(draw_screen(state, 24, 80), 22).find("p pauses"), std::string::npos);
}

TEST(Screen, a_frozen_one_says_so_in_the_place_of_whole_fields) {
  for (const int columns : {80, 100, 120}) {
    ScreenState state = example_screen(example_training_snapshot());
    const std::string before = row_of(draw_screen(state, 40, columns), 0);
    state.frozen = true;
    const std::string row = row_of(draw_screen(state, 40, columns), 0);
    const std::size_t words = row.find(" frozen: freeze off goes on");
    ASSERT_NE(words, std::string::npos) << row;
    // Up to a field's end both are alike.
    const std::size_t end = row.find_last_not_of(' ', words);
    EXPECT_EQ(row.substr(0, end + 1), before.substr(0, end + 1)) << row;
    EXPECT_TRUE(row.substr(0, end + 1).ends_with("│")) << row;
  }
}

}  // namespace tpulab::screen_test
