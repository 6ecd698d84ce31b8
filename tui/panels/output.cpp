// The words: what was typed, what was answered, what the run reports.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.h"
#include "tui/draw/fit.h"
#include "tui/draw/widgets.h"
#include "tui/panels/panel.h"
#include "tui/screen/output_rows.h"

namespace tpulab::output_panel {

namespace {

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
    std::vector<std::string> parts = wrapped(output_text(*line, glyphs), columns, output_indent);
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
      last.emplace_back(std::move(*part), output_role(line->kind));
    }
  }
  return last;
}

// What is searched for is reversed wherever it stands in a row.
void mark_sought(Canvas& canvas, int row, std::string_view text, std::string_view sought) {
  if (sought.empty()) return;
  for (std::size_t at = find_in(text, sought); at != std::string_view::npos;
       at = find_in(text, sought, at + sought.size())) {
    const int start = display_width(text.substr(0, at));
    const int end = start + display_width(text.substr(at, sought.size()));
    for (int column = start; column < std::min(end, canvas.columns()); ++column) {
      const Cell cell = canvas.at(row, column);
      if (cell.glyph != 0) canvas.put(row, column, cell.glyph, cell.role, cell.bold, true);
    }
  }
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
    canvas.write(row, 0, text, role);
    mark_sought(canvas, row--, text, view.sought);
  }
  if (room < canvas.rows()) write_note(canvas, hidden);
}

std::string keys(const Snapshot& /*now*/) { return "PgUp PgDn scroll, F3 shows all"; }

}  // namespace

extern const Panel row;
const Panel row{"output", "output", draw, keys};

}  // namespace tpulab::output_panel
