#include "tui/timeline/time_axis.h"

#include <gtest/gtest.h>

#include <random>

namespace tpulab::time_axis_test {
namespace {

constexpr Picoseconds us(std::int64_t count) { return std::chrono::microseconds(count); }

// A run of 1,000 us with a pause of 600 us in it, and a short one that nothing cuts.
const std::vector<TimeSpan> pauses{{us(100), us(700)}, {us(800), us(802)}};
constexpr TimeSpan whole{us(0), us(1000)};
constexpr int columns = 100;

double column_of(const TimeView& view, Picoseconds time) {
  return axis_for(view, whole, columns, pauses).column_of(time);
}

TEST(TimeAxis, without_pauses_is_a_straight_line) {
  const TimeAxis axis(us(10), 1e6, 50, {});
  EXPECT_DOUBLE_EQ(axis.column_of(us(10)), 0);
  EXPECT_DOUBLE_EQ(axis.column_of(us(35)), 25);
  EXPECT_EQ(axis.time_at(50), us(60));
  EXPECT_TRUE(axis.breaks().empty());
}

TEST(TimeAxis, cuts_a_long_pause_to_a_few_cells_and_goes_on_behind_it) {
  const TimeAxis axis(us(0), 5e6, columns, pauses);
  ASSERT_EQ(axis.breaks().size(), 1U);
  EXPECT_DOUBLE_EQ(axis.column_of(us(100)), 20);
  EXPECT_DOUBLE_EQ(axis.column_of(us(700)), 20 + break_columns);
  EXPECT_DOUBLE_EQ(axis.column_of(us(750)), 30 + break_columns);
  EXPECT_EQ(axis.time_at(21.5), us(400));
}

TEST(TimeAxis, a_window_that_begins_in_a_pause_shows_what_is_left_of_it) {
  const TimeAxis axis(us(400), 5e6, columns, pauses);
  EXPECT_DOUBLE_EQ(axis.column_of(us(700)), break_columns / 2.0);
}

TEST(TimeAxis, time_and_column_are_each_others_inverse) {
  std::minstd_rand random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const auto from = static_cast<std::int64_t>(random() % 900);
    const auto scale = static_cast<double>(1 + random() % 900);
    const TimeAxis axis(us(from), 1e4 * scale, columns, pauses);
    for (double column = 0; column < columns; column += 3.7) {
      EXPECT_NEAR(axis.column_of(axis.time_at(column)), column, 1e-3);
    }
  }
}

TEST(TimeView, all_of_a_run_fits_with_its_pause_cut) {
  const TimeView all;
  EXPECT_NEAR(column_of(all, whole.end), columns, 1e-6);
  EXPECT_NEAR(column_of(all, us(700)) - column_of(all, us(100)), break_columns, 1e-6);
}

TEST(TimeView, a_run_that_is_mostly_pauses_is_not_cut_away) {
  std::vector<TimeSpan> many;
  for (int i = 0; i < 60; ++i) many.push_back({us(i * 16), us(i * 16 + 15)});
  const double scale = fitting_scale(whole, columns, many);
  EXPECT_NEAR(TimeAxis(whole.start, scale, columns, many).column_of(whole.end), columns, 1);
}

TEST(TimeView, zoom_keeps_the_cursor_where_it_is_on_the_screen) {
  for (const std::int64_t at : {50, 90, 750, 900}) {
    TimeView view{.cursor = us(at)};
    const double before = column_of(view, view.cursor);
    view = zoomed(view, 0.5, whole, columns, pauses);
    EXPECT_NEAR(column_of(view, view.cursor), before, 1.0) << at;
    EXPECT_EQ(view.cursor, us(at));
  }
}

TEST(TimeView, zooms_from_the_run_to_a_nanosecond_a_column_and_back) {
  TimeView view{.cursor = us(750)};
  for (int i = 0; i < 60; ++i) view = zoomed(view, 0.5, whole, columns, pauses);
  EXPECT_DOUBLE_EQ(view.per_column, 1000);
  const double column = column_of(view, view.cursor);
  EXPECT_GE(column, 0);
  EXPECT_LT(column, columns);
  for (int i = 0; i < 60; ++i) view = zoomed(view, 2, whole, columns, pauses);
  EXPECT_EQ(view.per_column, 0);
}

TEST(TimeView, the_cursor_walks_over_the_whole_run_and_the_window_follows) {
  TimeView view{.cursor = us(750)};
  for (int i = 0; i < 3; ++i) view = zoomed(view, 0.5, whole, columns, pauses);
  for (const int by : {-1, 1}) {
    for (int step = 0; step < 5000; ++step) {
      const Picoseconds before = view.cursor;
      view = moved(view, by, whole, columns, pauses);
      EXPECT_TRUE(by < 0 ? view.cursor <= before : view.cursor >= before);
      const double column = column_of(view, view.cursor);
      ASSERT_TRUE(column >= -1e-6 && column <= columns + 1e-6) << column;
    }
    EXPECT_NEAR(static_cast<double>(view.cursor.count()),
                static_cast<double>((by < 0 ? whole.start : whole.end).count()), 6e6);
  }
}

TEST(TimeView, panning_crosses_a_pause_in_its_few_cells) {
  TimeView view{.cursor = us(720)};
  for (int i = 0; i < 6; ++i) view = zoomed(view, 0.5, whole, columns, pauses);
  const double columns_of_120_us = 120e6 / view.per_column;
  int pans = 0;
  while (view.from > us(0) && pans < 1000) {
    view = panned(view, -columns / 2, whole, columns, pauses);
    ++pans;
  }
  EXPECT_LE(pans, static_cast<int>(2 * (columns_of_120_us + break_columns) / columns) + 2);
  for (pans = 0; view.cursor < us(990) && pans < 1000; ++pans) {
    view = panned(view, columns / 2, whole, columns, pauses);
  }
  EXPECT_LT(pans, 1000);
}

}  // namespace
}  // namespace tpulab::time_axis_test
