#include <algorithm>

#include "tui/draw/fit.h"
#include "tui/draw/widgets.h"

namespace tpulab {

namespace {

struct Lines {
  char32_t across, down, upper_left, upper_right, lower_left, lower_right;
};
constexpr Lines drawn_lines{U'─', U'│', U'┌', U'┐', U'└', U'┘'};
constexpr Lines heavy_lines{U'━', U'┃', U'┏', U'┓', U'┗', U'┛'};
constexpr Lines ascii_lines{U'-', U'|', U'+', U'+', U'+', U'+'};
constexpr Lines heavy_ascii_lines{U'=', U'#', U'#', U'#', U'#', U'#'};

// The focus is seen without colour, too.
const Lines& lines_for(Glyphs glyphs, bool focused) {
  if (glyphs == Glyphs::ascii) return focused ? heavy_ascii_lines : ascii_lines;
  return focused ? heavy_lines : drawn_lines;
}

Role line_role(bool focused) { return focused ? Role::title : Role::border; }

// " words " up to `end`; left out where hardly anything of it could be shown.
void write_right(Canvas& canvas, Rect room, std::string_view words, Role role, Glyphs glyphs) {
  constexpr int least = 8;
  const int columns = room.columns - 2;
  if (words.empty() || columns < std::min(least, display_width(words))) return;
  const std::string shown = in_whole_parts(words, columns, glyphs);
  const int end = room.column + room.columns;
  canvas.write(room.row, end - display_width(shown) - 2, " " + shown + " ", role);
}

// One edge of a frame: title at the left, caption at the right.
void draw_edge(Canvas& canvas, Rect edge, const FrameWords& words, Glyphs glyphs) {
  const char32_t line = lines_for(glyphs, words.focused).across;
  for (int i = 0; i < edge.columns; ++i) {
    canvas.put(edge.row, edge.column + i, line, line_role(words.focused));
  }
  int at = edge.column + 1;
  if (!words.title.empty() && edge.columns > 4) {
    const std::string shown = " " + clipped(words.title, edge.columns - 4, glyphs) + " ";
    at = canvas.write(edge.row, at, shown, Role::title, true);
  }
  const Rect room{edge.row, at, 1, edge.column + edge.columns - 1 - at};
  write_right(canvas, room, words.caption, words.alarm ? Role::warning : Role::dim, glyphs);
}

}  // namespace

void draw_rule(Canvas& canvas, int row, int column, int columns, std::string_view title,
               std::string_view caption, Glyphs glyphs, bool alarm, bool focused) {
  draw_edge(canvas, {row, column, 1, columns}, {title, caption, "", alarm, focused}, glyphs);
}

void draw_frame(Canvas& canvas, Rect area, const FrameWords& words, Glyphs glyphs) {
  if (area.rows < 2 || area.columns < 2) return;
  const Lines& lines = lines_for(glyphs, words.focused);
  const Role role = line_role(words.focused);
  const int bottom = area.row + area.rows - 1;
  const int right = area.column + area.columns - 1;
  draw_edge(canvas, {area.row, area.column, 1, area.columns}, words, glyphs);
  draw_edge(canvas, {bottom, area.column, 1, area.columns},
            {"", words.footer, "", false, words.focused}, glyphs);
  for (int row = area.row + 1; row < bottom; ++row) {
    canvas.put(row, area.column, lines.down, role);
    canvas.put(row, right, lines.down, role);
  }
  canvas.put(area.row, area.column, lines.upper_left, role);
  canvas.put(area.row, right, lines.upper_right, role);
  canvas.put(bottom, area.column, lines.lower_left, role);
  canvas.put(bottom, right, lines.lower_right, role);
}

void draw_note(Canvas& canvas, std::string_view words) {
  int row = 0;
  for (const std::string& line : wrapped(words, canvas.columns())) {
    if (row < canvas.rows()) canvas.write(row++, 0, line, Role::dim);
  }
}

}  // namespace tpulab
