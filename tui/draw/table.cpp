#include "tui/draw/table.h"

#include <algorithm>
#include <numeric>

#include "tui/draw/fit.h"

namespace tpulab {

namespace {

// Indices of the columns that fit, in order; their widths with one blank each between them.
std::vector<std::size_t> shown_columns(const std::vector<TableColumn>& columns, int room) {
  std::vector<std::size_t> shown(columns.size());
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  const auto needed = [&columns](const std::vector<std::size_t>& some) {
    int sum = static_cast<int>(some.size()) - 1;
    for (const std::size_t i : some) sum += columns[i].columns;
    return sum;
  };
  while (shown.size() > 1 && needed(shown) > room) {
    shown.erase(std::min_element(shown.begin(), shown.end(), [&](std::size_t a, std::size_t b) {
      return columns[a].importance < columns[b].importance;
    }));
  }
  return shown;
}

std::string fitted(std::string_view text, int columns, bool right, Glyphs glyphs) {
  const std::string shown = clipped(text, columns, glyphs);
  return right ? right_aligned(shown, columns) : left_aligned(shown, columns);
}

}  // namespace

int draw_table(Canvas& canvas, Rect area, const std::vector<TableColumn>& columns,
               const std::vector<TableRow>& rows, Glyphs glyphs) {
  if (area.rows <= 0 || area.columns <= 0 || columns.empty()) return 0;
  const std::vector<std::size_t> shown = shown_columns(columns, area.columns);
  int fixed = static_cast<int>(shown.size()) - 1;
  for (const std::size_t i : shown) fixed += columns[i].columns;
  int spare = area.columns - fixed;
  std::vector<int> widths;
  for (const std::size_t i : shown) {
    const int grown = std::clamp(columns[i].most - columns[i].columns, 0, std::max(0, spare));
    widths.push_back(columns[i].columns + grown);
    spare -= grown;
  }
  const bool ends_in_numbers = columns[shown.back()].right && !columns[shown.front()].right;
  const std::size_t wide = ends_in_numbers ? shown.front() : shown.back();
  const auto line = [&](int row, auto text_in, Role role) {
    int at = area.column;
    for (std::size_t k = 0; k < shown.size(); ++k) {
      const std::size_t i = shown[k];
      const int width = widths[k] + (i == wide ? spare : 0);
      canvas.write(row, at, fitted(text_in(i), width, columns[i].right, glyphs), role, false,
                   width);
      at += width + 1;
    }
  };
  const int header = has_header(area.rows) ? 1 : 0;
  const int count = std::min(area.rows - header, static_cast<int>(rows.size()));
  if (header > 0) {
    line(
        area.row, [&](std::size_t c) { return columns[c].title; }, Role::dim);
  }
  for (int k = 0; k < count; ++k) {
    const TableRow& row = rows[static_cast<std::size_t>(k)];
    line(
        area.row + header + k, [&](std::size_t i) { return std::string_view(row.cells.at(i)); },
        row.role);
  }
  return count;
}

}  // namespace tpulab
