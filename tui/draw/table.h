// A table that never overflows: the widest column gives way, the least important ones drop out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tui/draw/canvas.h"

namespace tpulab {

struct TableColumn {
  std::string_view title;
  int columns = 0;     // fixed width, so that changing numbers do not move their neighbours
  bool right = false;  // numbers are right-aligned
  int importance = 0;  // the smallest drops out first
  int most = 0;        // above `columns`: takes what is left over before others do, up to so many
};

struct TableRow {
  std::vector<std::string> cells;
  Role role = Role::text;
};

// A header row is left out below three rows of room.
constexpr bool has_header(int rows) { return rows >= 3; }
// The last column takes what is left over, or the first where the last one is of numbers. A header
// row, and as many rows as fit; returns how many.
int draw_table(Canvas& canvas, Rect area, const std::vector<TableColumn>& columns,
               const std::vector<TableRow>& rows, Glyphs glyphs);

}  // namespace tpulab
