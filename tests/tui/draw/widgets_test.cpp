#include "tui/draw/widgets.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "commands/glossary.h"
#include "engine/base/text.h"
#include "tui/draw/plot.h"
#include "tui/draw/table.h"

namespace tpulab::widgets_test {

namespace {

std::string bar(double share, int columns, Glyphs glyphs = Glyphs::unicode) {
  Canvas canvas(1, columns);
  draw_bar(canvas, 0, 0, columns, share, Role::compute, glyphs);
  return canvas.text();
}

std::string sparkline(const std::vector<float>& values, double top, int columns) {
  Canvas canvas(1, columns);
  draw_sparkline(canvas, 0, 0, columns, values, top, Role::compute, Glyphs::unicode);
  return canvas.text();
}

Shares shares_of(std::initializer_list<std::pair<Share, double>> parts) {
  Shares shares{};
  for (const auto& [share, part] : parts) shares[static_cast<std::size_t>(share)] = part;
  return shares;
}

std::string share_bar(const Shares& shares, int columns) {
  Canvas canvas(1, columns);
  draw_share_bar(canvas, 0, 0, columns, shares, Glyphs::unicode);
  return canvas.text();
}

}  // namespace

TEST(Bar, is_drawn_in_eighths_of_a_cell) {
  EXPECT_EQ(bar(0, 4), "····");
  EXPECT_EQ(bar(1, 4), "████");
  EXPECT_EQ(bar(0.5, 4), "██··");
  EXPECT_EQ(bar(0.40625, 4), "█▋··");  // 13 of 32 eighths: one cell and five eighths
  EXPECT_EQ(bar(0.5, 4, Glyphs::ascii), "##..");
}

TEST(Bar, shares_outside_of_zero_to_one_stay_inside_the_bar) {
  EXPECT_EQ(bar(7, 3), "███");
  EXPECT_EQ(bar(-1, 3), "···");
  EXPECT_EQ(bar(std::numeric_limits<double>::quiet_NaN(), 3), "···");
  EXPECT_EQ(bar(0.5, 0), "");
}

TEST(ShareBar, gives_every_share_its_cells) {
  const Shares shares = shares_of({{Share::compute, 0.25},
                                   {Share::collective_transfer, 0.125},
                                   {Share::host_tracing, 0.5},
                                   {Share::idle, 0.125}});
  EXPECT_EQ(share_bar(shares, 8), "██▒HHHH·");
}

TEST(ShareBar, a_sliver_of_work_stays_visible) {
  EXPECT_EQ(share_bar(shares_of({{Share::compute, 0.01}, {Share::host_tracing, 0.99}}), 5),
            "▏HHHH");
  EXPECT_EQ(share_bar(shares_of({{Share::idle, 1}}), 5), "·····");
}

TEST(ShareBar, sums_above_one_do_not_run_over) {
  EXPECT_EQ(share_bar(shares_of({{Share::compute, 0.9}, {Share::host_tracing, 0.9}}), 4), "████");
}

TEST(ShareBar, names_its_parts_where_they_fit) {
  Canvas canvas(1, 40);
  draw_named_share_bar(
      canvas, 0, 0, 40,
      shares_of({{Share::compute, 0.1}, {Share::hbm_bound, 0.4}, {Share::host_tracing, 0.5}}),
      Glyphs::unicode);
  EXPECT_EQ(canvas.text(), "████▄▄ HBM-bound ▄▄▄HHH host tracing HHH");
}

TEST(Legend, lists_the_largest_share_first_and_wraps) {
  const Shares shares =
      shares_of({{Share::compute, 0.0003}, {Share::host_tracing, 0.9}, {Share::input, 0.0997}});
  Canvas canvas(3, 40);
  EXPECT_EQ(draw_legend(canvas, {0, 0, 3, 40}, shares, Glyphs::unicode), 2);
  EXPECT_EQ(canvas.text(), "H host tracing 90 %   ░ input 10 %\n█ compute 0.03 %\n");
}

TEST(Sparkline, shows_the_newest_values_at_the_right) {
  EXPECT_EQ(sparkline({0, 0.5F, 1}, 1, 3), " ▄█");
  EXPECT_EQ(sparkline({1, 1, 0.5F, 1}, 1, 2), "▄█");
  EXPECT_EQ(sparkline({1}, 1, 3), "  █");
}

TEST(Sparkline, something_is_never_drawn_as_nothing) {
  EXPECT_EQ(sparkline({0.001F}, 1, 1), "▁");
  EXPECT_EQ(sparkline({0}, 1, 1), "");
  EXPECT_EQ(sparkline({std::numeric_limits<float>::quiet_NaN()}, 1, 1), "");
  EXPECT_EQ(sparkline({5}, 1, 1), "█");
  EXPECT_EQ(sparkline({5}, 0, 1), "");
}

TEST(Sparkline, its_scale_ends_at_a_round_number) {
  EXPECT_DOUBLE_EQ(round_top(0.052), 0.1);
  EXPECT_DOUBLE_EQ(round_top(0.12), 0.2);
  EXPECT_DOUBLE_EQ(round_top(0.3), 0.5);
  EXPECT_DOUBLE_EQ(round_top(0.05), 0.05);
  EXPECT_DOUBLE_EQ(round_top(0), 1);
  EXPECT_DOUBLE_EQ(round_top(std::numeric_limits<double>::infinity()), 1);
}

TEST(Frame, captions_lose_their_last_parts_first) {
  Canvas canvas(3, 30);
  draw_frame(canvas, {0, 0, 3, 30}, {"loss", "0.0312, test accuracy 91.4 %", "foot"},
             Glyphs::unicode);
  EXPECT_EQ(canvas.text(),
            "┌ loss ────────────── 0.0312 ┐\n│                            │\n"
            "└────────────────────── foot ┘");
}

TEST(Frame, fits_into_any_area) {
  for (int rows = 0; rows < 5; ++rows) {
    for (int columns = 0; columns < 30; ++columns) {
      Canvas canvas(6, 32);
      draw_frame(canvas, {0, 0, rows, columns}, {"a long title", "a long caption", "a long footer"},
                 Glyphs::ascii);
      for (int row = 0; row < 6; ++row) {
        for (int column = 0; column < 32; ++column) {
          if (row < rows && column < columns) continue;
          EXPECT_EQ(canvas.at(row, column).glyph, U' ') << rows << "x" << columns;
        }
      }
    }
  }
}

TEST(Plot, a_falling_line_runs_from_the_upper_left_to_the_lower_right) {
  Canvas canvas(2, 2);
  const std::vector<PlotPoint> points{{0, 1}, {1, 0}};
  draw_plot(canvas, {0, 0, 2, 2}, points, {false, ""}, Glyphs::unicode);
  EXPECT_EQ(canvas.at(0, 1).glyph, U' ');
  EXPECT_EQ(canvas.at(1, 0).glyph, U' ');
  EXPECT_NE(canvas.at(0, 0).glyph & 1U, 0U);    // upper left dot
  EXPECT_NE(canvas.at(1, 1).glyph & 128U, 0U);  // lower right dot
}

TEST(Plot, points_that_are_not_numbers_are_left_out) {
  Canvas canvas(2, 4);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<PlotPoint> points{{0, nan}, {1, std::numeric_limits<double>::infinity()}};
  draw_plot(canvas, {0, 0, 2, 4}, points, {true, "step"}, Glyphs::unicode);
  EXPECT_EQ(canvas.text(), "\n");
}

TEST(Plot, axes_name_their_ends) {
  Canvas canvas(4, 30);
  const std::vector<PlotPoint> points{{1, 2}, {1500, 0.5}};
  draw_plot(canvas, {0, 0, 4, 30}, points, {true, "step"}, Glyphs::ascii);
  const std::string text = canvas.text();
  EXPECT_EQ(text.substr(0, 7), "  2.00+");
  EXPECT_NE(text.find("  0.00+"), std::string::npos);  // 0.5 is near enough to 0 to start there
  EXPECT_NE(text.find("1        step     1,500"), std::string::npos);
}

TEST(Table, the_least_important_column_drops_out_first) {
  const std::vector<TableColumn> columns{
      {"op", 6, false, 9}, {"count", 5, true, 8}, {"why", 8, false, 1}};
  const std::vector<TableRow> rows{{{"nonzero", "12", "dynamic shape"}}};
  Canvas wide(3, 27);
  EXPECT_EQ(draw_table(wide, {0, 0, 3, 27}, columns, rows, Glyphs::unicode), 1);
  EXPECT_EQ(wide.text(), "op     count why\nnonze…    12 dynamic shape\n");
  Canvas narrow(3, 12);
  draw_table(narrow, {0, 0, 3, 12}, columns, rows, Glyphs::unicode);
  EXPECT_EQ(narrow.text(), "op     count\nnonze…    12\n");
}

TEST(Table, two_rows_of_room_go_to_figures) {
  const std::vector<TableColumn> columns{{"op", 3, false, 9}};
  const std::vector<TableRow> rows{{{"a"}}, {{"b"}}, {{"c"}}};
  Canvas canvas(2, 3);
  EXPECT_EQ(draw_table(canvas, {0, 0, 2, 3}, columns, rows, Glyphs::unicode), 2);
  EXPECT_EQ(canvas.text(), "a\nb");
}

TEST(ShareBar, help_legend_has_the_sign_of_every_share) {
  const std::string& legend = find_word("legend")->text;
  for (int share = 0; share < share_count; ++share) {
    for (const Glyphs glyphs : {Glyphs::unicode, Glyphs::ascii}) {
      std::string sign;
      append_utf8(sign, glyph_of(static_cast<Share>(share), glyphs));
      EXPECT_TRUE(has_word(legend, sign)) << sign;
    }
    EXPECT_NE(legend.find(name_of(static_cast<Share>(share))), std::string::npos);
  }
}

}  // namespace tpulab::widgets_test
