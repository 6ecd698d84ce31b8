#include "tui/draw/fit.h"

#include <algorithm>

#include "engine/base/text.h"

namespace tpulab {

namespace {

std::string blanks(int count) {
  return std::string(static_cast<std::size_t>(std::max(0, count)), ' ');
}

// Bytes of `text` that fit into `columns`.
std::size_t bytes_that_fit(std::string_view text, int columns) {
  std::size_t at = 0;
  int used = 0;
  while (at < text.size()) {
    std::size_t next = at;
    used += glyph_width(next_character(text, next));
    if (used > columns) break;
    at = next;
  }
  return at;
}

// Where to break a text of which `fits` bytes have room: after the last blank, else in the middle
// of a word.
std::size_t break_point(std::string_view text, std::size_t fits) {
  if (text[fits] == ' ') return fits;
  const std::size_t blank = text.substr(0, fits).find_last_of(' ');
  if (blank != std::string_view::npos && blank > 0) return blank;
  if (fits > 0) return fits;
  std::size_t one = 0;
  next_character(text, one);
  return one;
}

bool is_in_brackets(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  return std::ranges::count(before, '(') > std::ranges::count(before, ')');
}

}  // namespace

std::string clipped(std::string_view text, int columns, Glyphs glyphs) {
  if (columns <= 0) return {};
  if (bytes_that_fit(text, columns) == text.size()) return std::string(text);
  const std::string_view mark = glyphs == Glyphs::ascii ? ".." : "…";
  const int mark_columns = std::min(columns, display_width(mark));
  const std::size_t fits = bytes_that_fit(text, columns - mark_columns);
  return std::string(text.substr(0, fits)) +
         std::string(mark.substr(0, bytes_that_fit(mark, mark_columns)));
}

std::string clipped_at_word(std::string_view text, int columns, Glyphs glyphs) {
  const std::string_view mark = glyphs == Glyphs::ascii ? " .." : " …";
  const int room = columns - display_width(mark);
  if (room < 1 || display_width(text) <= columns) return clipped(text, columns, glyphs);
  return wrapped(text, room).front() + std::string(mark);
}

std::string in_whole_parts(std::string_view text, int columns, Glyphs glyphs) {
  while (display_width(text) > columns) {
    const std::size_t comma = text.rfind(", ");
    if (comma == std::string_view::npos || is_in_brackets(text, comma)) break;
    text = text.substr(0, comma);
  }
  return clipped(text, columns, glyphs);
}

std::vector<std::string> wrapped(std::string_view text, int columns, int indent) {
  columns = std::max(1, columns);
  indent = std::clamp(indent, 0, columns / 2);
  if (columns - indent < 2) indent = 0;  // a wide glyph must fit beside it
  std::vector<std::string> lines;
  std::string start;
  for (;;) {
    const int room = columns - static_cast<int>(start.size());
    const std::size_t fits = bytes_that_fit(text, room);
    if (fits == text.size()) break;
    const std::size_t cut = break_point(text, fits);
    lines.push_back(start + std::string(text.substr(0, cut)));
    text.remove_prefix(cut);
    while (text.starts_with(' ')) text.remove_prefix(1);
    start = blanks(indent);
  }
  if (!text.empty() || lines.empty()) lines.push_back(start + std::string(text));
  return lines;
}

std::string right_aligned(std::string_view text, int columns) {
  return blanks(columns - display_width(text)) + std::string(text);
}

std::string left_aligned(std::string_view text, int columns) {
  return std::string(text) + blanks(columns - display_width(text));
}

std::size_t find_in(std::string_view text, std::string_view sought, std::size_t from) {
  return lowered(text).find(lowered(sought), from);
}

}  // namespace tpulab
