#include "tui/screen/overlay.h"

#include <fmt/format.h>

#include <algorithm>

#include "tui/draw/fit.h"
#include "tui/draw/widgets.h"
#include "tui/screen/output_rows.h"

namespace tpulab {

namespace {

// Continuation lines keep the indentation of their line, so that lists stay lists.
std::vector<std::string> wrapped_lines(const std::vector<std::string>& lines, int columns) {
  std::vector<std::string> all;
  for (const std::string& line : lines) {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const std::vector<std::string> parts = wrapped(line, columns, static_cast<int>(indent) + 2);
    all.insert(all.end(), parts.begin(), parts.end());
  }
  return all;
}

}  // namespace

void draw_overlay(const ScreenState& state, DrawnScreen& drawn, Rect area) {
  if (!state.overlay || area.rows < 3 || area.columns < 10) return;
  Canvas& canvas = drawn.canvas;
  const int margin = area.columns < 82 ? 1 : 2;  // help has lines of 78 columns
  const std::vector<std::string> lines = wrapped_lines(*state.overlay, area.columns - 2 * margin);
  const auto count = static_cast<int>(lines.size());
  // A short text leaves the panes above it in view.
  const int spare = std::max(0, area.rows - 2 - std::max(1, count));
  area.row += spare;
  area.rows -= spare;
  const Rect inner{area.row + 1, area.column + margin, area.rows - 2, area.columns - 2 * margin};
  const int furthest = std::max(0, count - inner.rows);
  const int first = std::clamp(state.overlay_scroll, 0, furthest);
  const int last = std::min(count, first + inner.rows);
  for (int row = area.row; row < area.row + area.rows; ++row) {
    for (int column = area.column; column < area.column + area.columns; ++column) {
      canvas.put(row, column, U' ', Role::text);
    }
  }
  const std::string place =
      furthest > 0 ? fmt::format("lines {}-{} of {}", first + 1, last, count) : std::string();
  draw_frame(canvas, area, {state.overlay_title, "Esc closes", place}, state.view.glyphs);
  for (int i = first; i < last; ++i) {
    canvas.write(inner.row + i - first, inner.column, lines[static_cast<std::size_t>(i)],
                 Role::text, false, inner.columns);
  }
  drawn.overlay_scroll_limit = furthest;
  drawn.overlay_rows = inner.rows;
}

}  // namespace tpulab
