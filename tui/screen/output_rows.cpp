#include "tui/screen/output_rows.h"

#include "tui/draw/fit.h"

namespace tpulab {
namespace {

struct KindLook {
  std::string_view mark;
  std::string_view ascii_mark;
  Role role;
};

constexpr KindLook kind_look(OutputLine::Kind kind) {
  switch (kind) {
    case OutputLine::Kind::command:
      return {"> ", "> ", Role::prompt};
    case OutputLine::Kind::warning:
      return {"! ", "! ", Role::warning};
    case OutputLine::Kind::error:
      return {"✗ ", "X ", Role::error};
    case OutputLine::Kind::good:
      return {"✓ ", "ok ", Role::good};
    case OutputLine::Kind::text:
      break;
  }
  return {"", "", Role::text};
}

int rows_of(const OutputLine& line, int columns, Glyphs glyphs) {
  return static_cast<int>(wrapped(output_text(line, glyphs), columns, output_indent).size());
}

// Where a bar of # at the end of a row begins; npos: there is none.
std::size_t bar_of(std::string_view text) {
  const std::size_t before = text.find_last_not_of('#');
  const bool apart = before != std::string_view::npos && before > 0 && text[before] == ' ' &&
                     text[before - 1] == ' ';
  return apart && before + 1 < text.size() ? before + 1 : std::string_view::npos;
}

}  // namespace

std::string output_text(const OutputLine& line, Glyphs glyphs) {
  const KindLook look = kind_look(line.kind);
  const std::string_view mark = glyphs == Glyphs::ascii ? look.ascii_mark : look.mark;
  const bool marked = std::string_view(line.text).starts_with(mark);
  std::string text = (marked ? std::string() : std::string(mark)) + line.text;
  const std::size_t bar = bar_of(text);
  if (bar == std::string::npos || glyphs == Glyphs::ascii) return text;
  const std::size_t cells = text.size() - bar;
  text.erase(bar);
  for (std::size_t i = 0; i < cells; ++i) append_utf8(text, U'█');
  return text;
}

std::vector<std::string> output_texts(std::span<const OutputLine> lines, Glyphs glyphs) {
  std::vector<std::string> texts;
  for (const OutputLine& line : lines) texts.push_back(output_text(line, glyphs));
  return texts;
}

Role output_role(OutputLine::Kind kind) { return kind_look(kind).role; }

int output_rows(std::span<const OutputLine> lines, int columns, int enough, Glyphs glyphs) {
  int rows = 0;
  for (const OutputLine& line : lines) {
    if (rows > enough) break;
    rows += rows_of(line, columns, glyphs);
  }
  return rows;
}

int furthest_output_scroll(std::span<const OutputLine> lines, int rows, int columns,
                           Glyphs glyphs) {
  const int room = rows > 1 ? rows - 1 : rows;  // a row says how many are hidden
  int filled = 0;
  std::size_t seen = 0;
  for (; seen < lines.size(); ++seen) {
    filled += rows_of(lines[seen], columns, glyphs);
    if (filled > room && seen > 0) break;
  }
  return static_cast<int>(lines.size() - seen);
}

}  // namespace tpulab
