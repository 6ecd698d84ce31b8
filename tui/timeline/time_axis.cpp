#include "tui/timeline/time_axis.h"

#include <algorithm>
#include <cmath>

namespace tpulab {

namespace {

constexpr double least_per_column = 1000;  // a nanosecond

double length(TimeSpan span) { return static_cast<double>((span.end - span.start).count()); }

Picoseconds later_by(Picoseconds start, double picoseconds) {
  constexpr double furthest = 9e18;
  return start + Picoseconds(std::llround(std::clamp(picoseconds, -furthest, furthest)));
}

bool is_all(const TimeView& view) { return view.per_column <= 0; }

// So many columns left of `time`.
Picoseconds earlier(Picoseconds time, double columns, double per_column,
                    std::span<const TimeSpan> pauses) {
  auto pause = std::ranges::lower_bound(pauses, time, {}, &TimeSpan::start);
  while (pause != pauses.begin() && columns > 0) {
    --pause;
    if (length(*pause) <= break_columns * per_column) continue;
    const double between = std::max(0.0, length({pause->end, time})) / per_column;
    if (between >= columns) break;
    columns -= between;
    const Picoseconds from = std::min(time, pause->end);
    const double scale = length(*pause) / break_columns;
    const double cells = length({pause->start, from}) / scale;
    if (cells >= columns) return later_by(from, -columns * scale);
    columns -= cells;
    time = pause->start;
  }
  return later_by(time, -columns * per_column);
}

TimeView within(TimeView view, TimeSpan whole, int columns, std::span<const TimeSpan> pauses) {
  const double most = fitting_scale(whole, columns, pauses);
  if (view.per_column >= most) return {whole.start, 0, view.cursor};
  view.per_column = std::max(view.per_column, std::min(least_per_column, most));
  const Picoseconds last = earlier(whole.end, columns, view.per_column, pauses);
  view.from = std::max(std::min(view.from, last), whole.start);
  return view;
}

}  // namespace

TimeAxis::TimeAxis(Picoseconds from, double per_column, int columns,
                   std::span<const TimeSpan> pauses)
    : columns_(std::max(0, columns)), per_column_(std::max(1.0, per_column)) {
  pieces_.push_back({0, from, per_column_});
  auto pause = std::ranges::upper_bound(pauses, from, {}, &TimeSpan::end);
  for (; pause != pauses.end(); ++pause) {
    if (length(*pause) <= break_columns * per_column_) continue;
    const Piece& last = pieces_.back();
    const double column =
        last.column + std::max(0.0, length({last.start, pause->start})) / last.per_column;
    if (column >= columns_) break;
    add_break(*pause, column);
  }
}

// One that began before the window is cut to fewer cells.
void TimeAxis::add_break(const TimeSpan& pause, double column) {
  const Picoseconds start = std::max(pause.start, pieces_.back().start);
  const double scale = length(pause) / break_columns;
  pieces_.push_back({column, start, scale});
  pieces_.push_back({column + length({start, pause.end}) / scale, pause.end, per_column_});
  breaks_.push_back(pause);
}

double TimeAxis::column_of(Picoseconds time) const {
  auto piece = std::ranges::upper_bound(pieces_, time, {}, &Piece::start);
  if (piece != pieces_.begin()) --piece;
  return piece->column + length({piece->start, time}) / piece->per_column;
}

Picoseconds TimeAxis::time_at(double column) const {
  auto piece = std::ranges::upper_bound(pieces_, column, {}, &Piece::column);
  if (piece != pieces_.begin()) --piece;
  return later_by(piece->start, (column - piece->column) * piece->per_column);
}

// A longer pause is cut at a smaller scale only, so a few rounds find which ones are.
double fitting_scale(TimeSpan whole, int columns, std::span<const TimeSpan> pauses) {
  const double all = std::max(1.0, length(whole));
  const double cells = std::max(1, columns);
  double scale = all / cells;
  constexpr int rounds = 20;
  for (int round = 0; round < rounds; ++round) {
    double left = all;
    double cells_left = cells;
    for (const TimeSpan& pause : pauses) {
      if (length(pause) <= break_columns * scale) continue;
      left -= length(pause);
      cells_left -= break_columns;
    }
    if (cells_left < cells / 4) break;  // they are most of it: then they are what to look at
    const double next = std::max(1.0, left) / cells_left;
    if (next >= scale) break;
    scale = next;
  }
  return scale;
}

Picoseconds cursor_of(const TimeView& view, TimeSpan whole) {
  return view.cursor.count() < 0 ? whole.end : std::clamp(view.cursor, whole.start, whole.end);
}

TimeAxis axis_for(const TimeView& view, TimeSpan whole, int columns,
                  std::span<const TimeSpan> pauses) {
  if (is_all(view)) return {whole.start, fitting_scale(whole, columns, pauses), columns, pauses};
  if (view.cursor.count() < 0) {  // the newest stays in sight
    const Picoseconds last = earlier(whole.end, columns, view.per_column, pauses);
    return {std::max(last, whole.start), view.per_column, columns, pauses};
  }
  return {view.from, view.per_column, columns, pauses};
}

TimeView zoomed(const TimeView& view, double factor, TimeSpan whole, int columns,
                std::span<const TimeSpan> pauses) {
  const TimeAxis axis = axis_for(view, whole, columns, pauses);
  const Picoseconds cursor = cursor_of(view, whole);
  const double column = std::clamp(axis.column_of(cursor), 0.0, static_cast<double>(columns));
  TimeView next{cursor, axis.per_column() * factor, view.cursor.count() < 0 ? view.cursor : cursor};
  next.per_column = std::max(next.per_column, least_per_column);
  next.from = earlier(cursor, column, next.per_column, pauses);
  return within(next, whole, columns, pauses);
}

TimeView moved(const TimeView& view, int by, TimeSpan whole, int columns,
               std::span<const TimeSpan> pauses) {
  const TimeAxis axis = axis_for(view, whole, columns, pauses);
  const double column = std::floor(axis.column_of(cursor_of(view, whole)) + 1e-6);
  const double target = std::min(column, columns - 1.0) + by + 0.5;
  TimeView next = view;
  const auto time_at = [&](double at) {
    return at >= 0 ? axis.time_at(at) : earlier(axis.time_at(0), -at, axis.per_column(), pauses);
  };
  next.from = axis.window().start;
  next.cursor = std::clamp(time_at(target), whole.start, whole.end);
  if (is_all(view) || (target >= 0 && target < columns)) return next;
  next.from = time_at(target < 0 ? target - 0.5 : target - columns + 0.5);
  return within(next, whole, columns, pauses);
}

TimeView panned(const TimeView& view, int by, TimeSpan whole, int columns,
                std::span<const TimeSpan> pauses) {
  if (is_all(view)) return moved(view, by, whole, columns, pauses);
  const TimeAxis axis = axis_for(view, whole, columns, pauses);
  const double column = std::clamp(axis.column_of(cursor_of(view, whole)), 0.0, columns - 0.5);
  TimeView next = view;
  next.from =
      by >= 0 ? axis.time_at(by) : earlier(axis.window().start, -by, axis.per_column(), pauses);
  next = within(next, whole, columns, pauses);
  const TimeAxis there = axis_for(next, whole, columns, pauses);
  next.cursor = std::clamp(there.time_at(column), whole.start, whole.end);
  // At an end the cursor goes on alone.
  return next.from == axis.window().start ? moved(view, by, whole, columns, pauses) : next;
}

}  // namespace tpulab
