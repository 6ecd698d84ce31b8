// The words: what was typed, what was answered, what the run reports.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.h"
#include "tui/fit.h"
#include "tui/widgets.h"

namespace tpulab {

namespace {

struct KindLook {
  std::string_view mark;  // says without colour what the colour says
  Role role;
};

KindLook kind_look(OutputLine::Kind kind, Glyphs glyphs) {
  switch (kind) {
    case OutputLine::Kind::command:
      return {"> ", Role::prompt};
    case OutputLine::Kind::warning:
      return {"! ", Role::warning};
    case OutputLine::Kind::error:
      return {glyphs == Glyphs::ascii ? "X " : "✗ ", Role::error};
    case OutputLine::Kind::good:
      return {glyphs == Glyphs::ascii ? "ok " : "✓ ", Role::good};
    case OutputLine::Kind::text:
      break;
  }
  return {"", Role::text};
}

void write_note(Canvas& canvas, std::size_t hidden) {
  const std::string note =
      fmt::format(" {} newer lines below ", text_with_commas(static_cast<std::int64_t>(hidden)));
  const int start = std::max(0, canvas.columns() - display_width(note));
  canvas.write(canvas.rows() - 1, start, note, Role::selection);
}

// The last rows of the lines, newest first: only what is seen is wrapped.
std::vector<std::pair<std::string, Role>> last_rows(std::span<const OutputLine> lines, int rows,
                                                    int columns, Glyphs glyphs) {
  std::vector<std::pair<std::string, Role>> last;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (static_cast<int>(last.size()) >= rows) break;
    const KindLook look = kind_look(line->kind, glyphs);
    const bool marked = std::string_view(line->text).starts_with(look.mark);
    const std::string text = (marked ? "" : std::string(look.mark)) + line->text;
    std::vector<std::string> parts = wrapped(text, columns, 2);
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
      last.emplace_back(std::move(*part), look.role);
    }
  }
  return last;
}

void draw(const Snapshot& /*now*/, const ViewState& view, Canvas& canvas) {
  std::span<const OutputLine> lines = view.output;
  if (lines.empty()) {
    draw_note(canvas, "type run and press Enter to train; help lists the commands");
    return;
  }
  const auto wanted = static_cast<std::size_t>(std::max(0, view.output_scroll));
  const std::size_t hidden = std::min(wanted, lines.size() - 1);
  lines = lines.first(lines.size() - hidden);
  const int room = canvas.rows() - (hidden > 0 && canvas.rows() > 1 ? 1 : 0);
  const auto rows = last_rows(lines, room, canvas.columns(), view.glyphs);
  int row = std::min(room, static_cast<int>(rows.size())) - 1;
  for (const auto& [text, role] : rows) {
    if (row < 0) break;
    canvas.write(row--, 0, text, role);
  }
  if (room < canvas.rows()) write_note(canvas, hidden);
}

}  // namespace

extern const Panel output_panel;
const Panel output_panel{"output", "output", draw, nullptr};

}  // namespace tpulab
