#include "tui/timeline/strips.h"

#include <algorithm>
#include <cmath>

#include "engine/base/text.h"
#include "tui/draw/widgets.h"
#include "tui/timeline/words.h"

namespace tpulab {

namespace {

// As high as the lane is busy in the cell; what there is at all shows as a line.
char32_t part_glyph(double filled, Glyphs glyphs) {
  static constexpr char32_t eighths[] = U"▁▂▃▄▅▆▇";
  if (glyphs == Glyphs::ascii) return filled < 0.25 ? U'.' : filled < 0.5 ? U':' : U'|';
  return eighths[std::clamp(static_cast<int>(filled * 8), 0, 6)];
}

// The columns in which a compile is cut short.
std::vector<bool> cut_columns(const TimeAxis& axis) {
  std::vector<bool> cut(static_cast<std::size_t>(axis.columns()));
  for (const TimeSpan& pause : axis.breaks()) {
    const int first = std::max(0, static_cast<int>(axis.column_of(pause.start)));
    const int end =
        std::min(axis.columns(), static_cast<int>(std::lround(axis.column_of(pause.end))));
    for (int column = first; column < end; ++column) cut[static_cast<std::size_t>(column)] = true;
  }
  return cut;
}

}  // namespace

void draw_timeline_lane(Canvas& canvas, int row, int rows, const std::vector<TimelineCell>& cells,
                        const std::vector<bool>& on_path, Glyphs glyphs) {
  constexpr int left = timeline_label_columns + 1;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const TimelineCell& cell = cells[i];
    if (cell.covered <= 0) continue;
    const double level = std::max(cell.covered * rows, 0.05);
    for (int up = 0; up < rows; ++up) {
      const double filled = std::min(1.0, level - up);
      if (filled <= 0) break;
      const int at = row + rows - 1 - up;
      if (filled >= 0.94) {
        put_share(canvas, at, left + static_cast<int>(i), cell.share, glyphs, on_path[i]);
      } else {
        canvas.put(at, left + static_cast<int>(i), part_glyph(filled, glyphs),
                   look_of(cell.share).role, on_path[i]);
      }
    }
  }
}

void draw_timeline_path(Canvas& canvas, int row, const std::vector<TimelineCell>& cells,
                        Glyphs glyphs) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].covered <= 0) continue;
    put_share(canvas, row, timeline_label_columns + 1 + static_cast<int>(i), cells[i].share, glyphs,
              true);
  }
}

void draw_timeline_axis(Canvas& canvas, int row, const RunTimeline& timeline, const TimeAxis& axis,
                        Glyphs glyphs) {
  constexpr int least_label = 8;
  constexpr int tick_columns = 14;
  const bool ascii = glyphs == Glyphs::ascii;
  const int left = timeline_label_columns + 1;
  const std::vector<bool> cut = cut_columns(axis);
  const auto label = [&](int i, int column, int room, const std::string& words) {
    canvas.put(row + i, left + column, ascii ? U'|' : U'└', Role::border);
    canvas.write(row + i, left + column + 1, words, Role::dim, false, room - 2);
  };
  canvas.write(row, 0, "TPU time", Role::dim);
  canvas.write(row + 1, 0, "step", Role::dim);
  for (int column = 0; column + least_label <= axis.columns();) {
    const auto at = cut.begin() + column;
    const auto room = static_cast<int>(
        std::find(at, at + std::min(tick_columns, axis.columns() - column), true) - at);
    if (room < least_label) {
      column += room + 1;
      continue;
    }
    const Picoseconds time = axis.time_at(column);
    if (column > 0 && time >= timeline.span().end) break;
    const Picoseconds since = time - axis.window().start;
    label(0, column, room, since.count() == 0 ? text_of(time) : "+" + text_of(since));
    label(1, column, room, text_with_commas(timeline_step_at(timeline, time)));
    column += tick_columns;
  }
  for (std::size_t column = 0; column < cut.size(); ++column) {
    for (int i = 0; i < timeline_axis_rows && cut[column]; ++i) {
      canvas.put(row + i, left + static_cast<int>(column), ascii ? U'/' : U'╱', Role::compile);
    }
  }
}

}  // namespace tpulab
