// The words: what was typed, what was answered, what the run reports.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.h"
#include "tui/fit.h"

namespace tpulab {

namespace {

struct KindLook {
  std::string_view mark;  // says without colour what the colour says
  Role role;
};

KindLook look_of(OutputLine::Kind kind, Glyphs glyphs) {
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

// From the bottom up, so that only what is seen is wrapped.
void draw(const Snapshot& now, const ViewState& view, Canvas& canvas) {
  std::span<const OutputLine> lines = view.output;
  if (lines.empty()) lines = now.output;
  if (lines.empty()) {
    canvas.write(0, 1, "type run and press Enter to train; help lists the commands", Role::dim,
                 false, canvas.columns() - 1);
    return;
  }
  const auto wanted = static_cast<std::size_t>(std::max(0, view.output_scroll));
  const std::size_t hidden = std::min(wanted, lines.size() - 1);
  lines = lines.first(lines.size() - hidden);
  std::vector<std::pair<std::string, Role>> rows;  // newest first
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (static_cast<int>(rows.size()) >= canvas.rows()) break;
    const KindLook look = look_of(line->kind, view.glyphs);
    const bool marked = std::string_view(line->text).starts_with(look.mark);
    const std::string text = (marked ? "" : std::string(look.mark)) + line->text;
    std::vector<std::string> wrap = wrapped(text, canvas.columns(), 2);
    std::for_each(wrap.rbegin(), wrap.rend(),
                  [&](std::string& row) { rows.emplace_back(std::move(row), look.role); });
  }
  int row = std::min(canvas.rows(), static_cast<int>(rows.size())) - 1;
  for (const auto& [text, role] : rows) {
    if (row < 0) break;
    canvas.write(row--, 0, text, role);
  }
  if (hidden > 0 && canvas.rows() > 0) write_note(canvas, hidden);
}

}  // namespace

extern const Panel output_panel;
const Panel output_panel{"output", "output", draw, nullptr};

}  // namespace tpulab
