#include <algorithm>

#include "tui/fit.h"
#include "tui/widgets.h"

namespace tpulab {

namespace {

struct Lines {
  char32_t across, down, upper_left, upper_right, lower_left, lower_right;
};
constexpr Lines drawn_lines{U'─', U'│', U'┌', U'┐', U'└', U'┘'};
constexpr Lines ascii_lines{U'-', U'|', U'+', U'+', U'+', U'+'};

const Lines& lines_for(Glyphs glyphs) {
  return glyphs == Glyphs::ascii ? ascii_lines : drawn_lines;
}

void draw_line(Canvas& canvas, int row, int column, int columns, Glyphs glyphs) {
  for (int i = 0; i < columns; ++i) {
    canvas.put(row, column + i, lines_for(glyphs).across, Role::border);
  }
}

// " words " ending one line glyph before `end`; left out where fewer than `least` columns remain.
void write_right(Canvas& canvas, int row, int start, int end, std::string_view words,
                 Glyphs glyphs) {
  constexpr int least = 8;
  const int room = end - start - 2;
  if (words.empty() || room < std::min(least, display_width(words))) return;
  const std::string shown = clipped(words, room, glyphs);
  canvas.write(row, end - display_width(shown) - 2, " " + shown + " ", Role::dim);
}

}  // namespace

void draw_rule(Canvas& canvas, int row, int column, int columns, std::string_view title,
               std::string_view caption, Glyphs glyphs) {
  draw_line(canvas, row, column, columns, glyphs);
  int at = column + 1;
  if (!title.empty() && columns > 4) {
    const std::string shown = " " + clipped(title, columns - 4, glyphs) + " ";
    at = canvas.write(row, at, shown, Role::title, true, columns - 2);
  }
  write_right(canvas, row, at, column + columns - 1, caption, glyphs);
}

void draw_frame(Canvas& canvas, Rect area, const FrameWords& words, Glyphs glyphs) {
  if (area.rows < 2 || area.columns < 2) return;
  const Lines& lines = lines_for(glyphs);
  const int bottom = area.row + area.rows - 1;
  const int right = area.column + area.columns - 1;
  draw_rule(canvas, area.row, area.column, area.columns, words.title, words.caption, glyphs);
  draw_rule(canvas, bottom, area.column, area.columns, "", words.footer, glyphs);
  for (int row = area.row + 1; row < bottom; ++row) {
    canvas.put(row, area.column, lines.down, Role::border);
    canvas.put(row, right, lines.down, Role::border);
  }
  canvas.put(area.row, area.column, lines.upper_left, Role::border);
  canvas.put(area.row, right, lines.upper_right, Role::border);
  canvas.put(bottom, area.column, lines.lower_left, Role::border);
  canvas.put(bottom, right, lines.lower_right, Role::border);
}

}  // namespace tpulab
