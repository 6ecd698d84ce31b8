// Time on a row of cells: where each moment lies, with long pauses cut short; zoom and pan. Pure.
#pragma once

#include <span>
#include <vector>

#include "engine/base/time_span.h"

namespace tpulab {

// What of a time is looked at. Without a scale it is all of it, however long it grows.
struct TimeView {
  Picoseconds from{};
  double per_column = 0;   // picoseconds; 0: all of it
  Picoseconds cursor{-1};  // below 0: at the end, which the window follows
};
Picoseconds cursor_of(const TimeView& view, TimeSpan whole);

inline constexpr int break_columns = 3;

// `pauses`, ascending and apart, are cut to break_columns cells where they would take more.
class TimeAxis {
 public:
  TimeAxis(Picoseconds from, double per_column, int columns, std::span<const TimeSpan> pauses);

  // Outside of the window it is left of 0 or right of columns(), by how much does not tell.
  double column_of(Picoseconds time) const;
  Picoseconds time_at(double column) const;
  // The column's first and last moment.
  TimeSpan cell(int column) const { return {time_at(column), time_at(column + 1)}; }
  TimeSpan window() const { return {time_at(0), time_at(columns_)}; }
  int columns() const { return columns_; }
  double per_column() const { return per_column_; }
  // The cut pauses in the window.
  const std::vector<TimeSpan>& breaks() const { return breaks_; }

 private:
  struct Piece {
    double column = 0;  // where it begins
    Picoseconds start{};
    double per_column = 0;
  };
  void add_break(const TimeSpan& pause, double column);

  int columns_ = 0;
  double per_column_ = 1;
  std::vector<Piece> pieces_;  // never empty
  std::vector<TimeSpan> breaks_;
};

// Picoseconds a column at which all of it fits.
double fitting_scale(TimeSpan whole, int columns, std::span<const TimeSpan> pauses);

TimeAxis axis_for(const TimeView& view, TimeSpan whole, int columns,
                  std::span<const TimeSpan> pauses);

// `factor` below 1 looks closer, down to a nanosecond a column; the cursor stays where it is on the
// screen. Out to where all of it fits.
TimeView zoomed(const TimeView& view, double factor, TimeSpan whole, int columns,
                std::span<const TimeSpan> pauses);
// The cursor by so many columns; the window follows where it would leave it.
TimeView moved(const TimeView& view, int by, TimeSpan whole, int columns,
               std::span<const TimeSpan> pauses);
// Window and cursor by so many columns, no further than the ends.
TimeView panned(const TimeView& view, int by, TimeSpan whole, int columns,
                std::span<const TimeSpan> pauses);

}  // namespace tpulab
