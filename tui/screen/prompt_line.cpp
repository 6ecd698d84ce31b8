#include "tui/screen/prompt_line.h"

#include <fmt/format.h>

#include <algorithm>

#include "tui/draw/fit.h"

namespace tpulab {

namespace {

// The typed line as it is shown: a newline from a paste is one visible glyph.
std::string visible(std::string_view line) {
  std::string shown;
  for (std::size_t at = 0; at < line.size();) {
    const char32_t glyph = next_character(line, at);
    append_utf8(shown, glyph == U'\n' ? U'␤' : glyph == U'\t' ? U' ' : glyph);
  }
  return shown;
}

// How far a text is scrolled so that the cursor is inside the window and the last cell stays free
// for ›: in steps of half a window, so that it does not move with every key.
int scroll_for(int cursor, int total, int window) {
  if (total < window || cursor <= window - 2) return 0;
  const int half = std::max(1, window / 2);
  return ((cursor - (window - 2) - 1) / half + 1) * half;
}

// Draws the columns from `scroll` on of a text into a window of the row.
void draw_window(Canvas& canvas, Rect window, std::string_view text, int scroll, Role role) {
  int column = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t glyph = next_character(text, at);
    const int width = glyph_width(glyph);
    const int start = column - scroll;
    column += width;
    if (start < 0) continue;
    if (start + width > window.columns) break;
    canvas.put(window.row, window.column + start, glyph, role);
  }
  const int last = window.column + window.columns - 1;
  if (scroll > 0) canvas.put(window.row, window.column, U'‹', Role::dim);
  if (column - scroll > window.columns) canvas.put(window.row, last, U'›', Role::dim);
}

constexpr std::string_view default_hint =
    "help | Tab completes | Ctrl-C stops the run | Ctrl-R finds | Esc panes | quit";

}  // namespace

int draw_prompt_line(const ScreenState& state, Canvas& canvas, int row) {
  const std::string line = visible(state.line);
  const std::size_t cursor_byte = std::min(state.cursor, state.line.size());
  const int cursor = display_width(visible(std::string_view(state.line).substr(0, cursor_byte)));
  const int prompt_columns = display_width(state.prompt);
  if (prompt_columns > canvas.columns() / 2) {
    // A long prompt (an incremental search) scrolls away with its line.
    const std::string all = state.prompt + line;
    const int total = display_width(all);
    const int scroll = scroll_for(prompt_columns + cursor, total, canvas.columns());
    draw_window(canvas, {row, 0, 1, canvas.columns()}, all, scroll, Role::prompt);
    return std::clamp(prompt_columns + cursor - scroll, 0, canvas.columns() - 1);
  }
  canvas.write(row, 0, state.prompt, Role::prompt, true);
  const Rect window{row, prompt_columns, 1, canvas.columns() - prompt_columns};
  const int scroll = scroll_for(cursor, display_width(line), window.columns);
  draw_window(canvas, window, line, scroll, Role::text);
  return std::clamp(prompt_columns + cursor - scroll, 0, canvas.columns() - 1);
}

void draw_hint_line(const ScreenState& state, const DrawnScreen& drawn, Canvas& canvas, int row) {
  const bool panes = !state.focus_note.empty();
  std::string words = state.hint.empty() ? std::string(default_hint) : state.hint;
  if (drawn.advice_row > 1 && state.hint.empty()) words = state.advice;
  if (drawn.completion_pages > 0) words = "type on";
  if (drawn.completion_pages > 1) {
    words = fmt::format("page {} of {}: Tab shows the next; type on",
                        state.completion_page % drawn.completion_pages + 1, drawn.completion_pages);
  }
  if (panes) words = state.focus_note;
  const int room = canvas.columns() - 1;
  const std::string shown = words == state.advice ? clipped_at_word(words, room, state.view.glyphs)
                                                  : clipped(words, room, state.view.glyphs);
  canvas.write(row, 1, shown, panes ? Role::status_strong : Role::hint, panes);
}

}  // namespace tpulab
