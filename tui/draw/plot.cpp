#include "tui/draw/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/base/text.h"
#include "tui/draw/fit.h"
#include "tui/draw/widgets.h"

namespace tpulab {

namespace {

struct Range {
  double low = 0;
  double high = 1;
};

struct Ranges {
  Range x, y;
};

// Dots of the whole plot, set or not.
class Dots {
 public:
  Dots(int rows, int columns)
      : rows_(rows),
        columns_(columns),
        set_(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns)) {}

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  void set(int row, int column) { set_[index(row, column)] = true; }
  void clear(int row, int column) { set_[index(row, column)] = false; }
  bool is_set(int row, int column) const { return set_[index(row, column)]; }

 private:
  std::size_t index(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
           static_cast<std::size_t>(column);
  }
  int rows_;
  int columns_;
  std::vector<bool> set_;
};

std::vector<PlotPoint> finite_points(std::span<const PlotPoint> points) {
  std::vector<PlotPoint> kept;
  std::copy_if(points.begin(), points.end(), std::back_inserter(kept), [](const PlotPoint& point) {
    return std::isfinite(point.x) && std::isfinite(point.y);
  });
  std::stable_sort(kept.begin(), kept.end(),
                   [](const PlotPoint& a, const PlotPoint& b) { return a.x < b.x; });
  return kept;
}

Ranges ranges_of(const std::vector<PlotPoint>& points) {
  Ranges ranges{{points.front().x, points.back().x}, {points.front().y, points.front().y}};
  for (const PlotPoint& point : points) {
    ranges.y.low = std::min(ranges.y.low, point.y);
    ranges.y.high = std::max(ranges.y.high, point.y);
  }
  return ranges;
}

// The y axis starts at 0 where the curve comes near it, so that heights compare.
void round_off(Ranges& ranges) {
  if (ranges.y.low >= 0 && ranges.y.low < 0.5 * ranges.y.high) ranges.y.low = 0;
  if (ranges.y.high <= ranges.y.low) ranges.y.high = ranges.y.low + 1;
  if (ranges.x.high <= ranges.x.low) ranges.x.high = ranges.x.low + 1;
}

// So much of earlier curves as does not make the newest one small.
void widen(Ranges& ranges, const std::vector<PlotPoint>& points, double furthest_x) {
  const double highest = 2 * std::max(ranges.y.high, ranges.y.low);
  for (const PlotPoint& point : points) {
    if (point.x > furthest_x || point.y > highest) continue;
    ranges.x.low = std::min(ranges.x.low, point.x);
    ranges.x.high = std::max(ranges.x.high, point.x);
    ranges.y.low = std::min(ranges.y.low, point.y);
    ranges.y.high = std::max(ranges.y.high, point.y);
  }
}

bool inside(const PlotPoint& point, const Ranges& ranges) {
  return point.x >= ranges.x.low && point.x <= ranges.x.high && point.y >= ranges.y.low &&
         point.y <= ranges.y.high;
}

int place(double value, Range range, int dots) {
  const double part = (value - range.low) / (range.high - range.low);
  return std::clamp(static_cast<int>(std::lround(part * (dots - 1))), 0, dots - 1);
}

Dots dots_of(const std::vector<PlotPoint>& points, const Ranges& ranges, int rows, int columns) {
  Dots dots(rows, columns);
  int last_column = -1;
  int last_row = 0;
  for (const PlotPoint& point : points) {
    const int column = place(point.x, ranges.x, columns);
    const int row = rows - 1 - place(point.y, ranges.y, rows);
    // Joined with the point before by a straight line, so that few points still make a curve.
    const int from = last_column < 0 ? column : last_column;
    const int first = last_column < 0 ? row : last_row;
    const int steps = std::max({1, column - from, std::abs(row - first)});
    for (int i = 0; i <= steps; ++i) {
      const double part = static_cast<double>(i) / steps;
      dots.set(first + static_cast<int>(std::lround((row - first) * part)),
               from + static_cast<int>(std::lround((column - from) * part)));
    }
    last_column = column;
    last_row = row;
  }
  return dots;
}

void draw_braille(Canvas& canvas, Rect area, const Dots& dots, Role role) {
  static constexpr int bits[4][2] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};
  for (int row = 0; row < area.rows; ++row) {
    for (int column = 0; column < area.columns; ++column) {
      int pattern = 0;
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 2; ++j) {
          if (dots.is_set(row * 4 + i, column * 2 + j)) pattern |= bits[i][j];
        }
      }
      if (pattern == 0) continue;
      canvas.put(area.row + row, area.column + column, U'⠀' + static_cast<char32_t>(pattern), role);
    }
  }
}

// Three heights in a cell: ' upper, - middle, . lower; | where the curve crosses several.
void draw_ascii(Canvas& canvas, Rect area, const Dots& dots, Role role) {
  static constexpr char32_t marks[] = U" '-|.|||";
  for (int row = 0; row < area.rows; ++row) {
    for (int column = 0; column < area.columns; ++column) {
      std::size_t pattern = 0;
      for (int i = 0; i < 3; ++i) {
        if (dots.is_set(row * 3 + i, column)) pattern |= std::size_t{1} << i;
      }
      if (pattern == 0) continue;
      canvas.put(area.row + row, area.column + column, marks[pattern], role);
    }
  }
}

void draw_dots(Canvas& canvas, Rect area, const std::vector<PlotPoint>& points,
               const Ranges& ranges, Role role, Glyphs glyphs) {
  const bool ascii = glyphs == Glyphs::ascii;
  const int rows = area.rows * (ascii ? 3 : 4);
  const int columns = area.columns * (ascii ? 1 : 2);
  Dots dots = dots_of(points, ranges, rows, columns);
  // Dotted, so that a curve of an earlier run is told without colour, too.
  for (int row = 0; row < rows && role == Role::dim; ++row) {
    for (int column = 0; column < columns; ++column) {
      if (column % (ascii ? 2 : 3) != 0) dots.clear(row, column);
    }
  }
  ascii ? draw_ascii(canvas, area, dots, role) : draw_braille(canvas, area, dots, role);
}

std::string axis_number(double value, Range range) {
  const double span = range.high - range.low;
  if (std::abs(value) >= 1000 || span >= 1000) return text_of_count(value);
  if (span >= 100) return fmt::format("{:.0f}", value);
  return span >= 0.1 ? fmt::format("{:.2f}", value) : fmt::format("{:.4f}", value);
}

constexpr int axis_columns = 6;

void draw_y_axis(Canvas& canvas, Rect area, Range range, Glyphs glyphs) {
  const char32_t tick = glyphs == Glyphs::ascii ? U'+' : U'┤';
  const char32_t line = glyphs == Glyphs::ascii ? U'|' : U'│';
  for (int row = 0; row < area.rows; ++row) {
    const bool labelled =
        row == 0 || row == area.rows - 1 || (area.rows >= 7 && row == area.rows / 2);
    canvas.put(area.row + row, area.column + axis_columns, labelled ? tick : line, Role::border);
    if (!labelled) continue;
    const double part = area.rows > 1 ? 1.0 - static_cast<double>(row) / (area.rows - 1) : 1.0;
    const std::string number = axis_number(range.low + part * (range.high - range.low), range);
    canvas.write(area.row + row, area.column, right_aligned(number, axis_columns), Role::dim, false,
                 axis_columns);
  }
}

void draw_x_axis(Canvas& canvas, Rect area, Range range, std::string_view title) {
  const std::string low = text_with_commas(std::llround(range.low));
  const std::string high = text_with_commas(std::llround(range.high));
  canvas.write(area.row, area.column, low, Role::dim, false, area.columns);
  const int low_end = display_width(low);
  const int high_start = area.columns - display_width(high);
  if (high_start > low_end) canvas.write(area.row, area.column + high_start, high, Role::dim);
  const int title_start = (area.columns - display_width(title)) / 2;
  if (title_start > low_end && title_start + display_width(title) < high_start) {
    canvas.write(area.row, area.column + title_start, title, Role::dim);
  }
}

}  // namespace

void draw_plot(Canvas& canvas, Rect area, std::span<const PlotPoint> points, const PlotLook& look,
               Glyphs glyphs) {
  const std::vector<PlotPoint> kept = finite_points(points);
  if (kept.empty() || area.rows <= 0 || area.columns <= 0) return;
  Ranges ranges = ranges_of(kept);
  std::vector<std::vector<PlotPoint>> behind;
  for (const std::vector<PlotPoint>& earlier : look.behind) {
    behind.push_back(finite_points(earlier));
    widen(ranges, behind.back(), look.furthest_x);
  }
  round_off(ranges);
  if (look.axis && area.columns >= 24 && area.rows >= 3) {
    const int margin = axis_columns + 1;
    draw_x_axis(canvas, {area.row + area.rows - 1, area.column + margin, 1, area.columns - margin},
                ranges.x, look.x_title);
    area.rows -= 1;
    draw_y_axis(canvas, area, ranges.y, glyphs);
    area.column += margin;
    area.columns -= margin;
  }
  for (std::vector<PlotPoint>& earlier : behind) {
    std::erase_if(earlier, [&](const PlotPoint& point) { return !inside(point, ranges); });
    draw_dots(canvas, area, earlier, ranges, Role::dim, glyphs);
  }
  draw_dots(canvas, area, kept, ranges, Role::curve, glyphs);
}

}  // namespace tpulab
