#include "tui/screen/clean_text.h"

#include <algorithm>
#include <cstdint>

#include "tui/screen/output_rows.h"

namespace tpulab {
namespace {

constexpr std::size_t most_copied_bytes = 48 << 10;  // terminals take some 64 KiB in base64

std::string newest_lines(std::span<const OutputLine> lines, Glyphs glyphs) {
  std::string text;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    const std::string shown = output_text(*line, glyphs) + "\n";
    if (text.size() + shown.size() > most_copied_bytes) break;
    text.insert(0, shown);
  }
  return text;
}

}  // namespace

std::string pane_text(const ScreenState& state, const DrawnScreen& drawn, std::string_view pane) {
  const auto found = std::ranges::find(drawn.panes, pane, &PlacedPane::panel);
  if (found == drawn.panes.end()) return {};
  if (pane == "output") return newest_lines(state.view.output, state.view.glyphs);
  const Rect inner = inside_of(*found);
  if (inner.rows <= 0 || inner.columns <= 0) return {};
  ViewState view = state.view;
  view.compact = std::ranges::count(drawn.panes, Edge::frame, &PlacedPane::edge) == 0;
  Canvas canvas(inner.rows, inner.columns);
  panel_named(pane).draw(*state.now, view, canvas);
  std::string text = canvas.text();
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text + "\n";
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto byte = at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U;
      group = group << 8U | byte;
    }
    for (std::size_t i = 0; i < 4; ++i) {
      const bool there = at + i <= bytes.size();
      text += there ? letters[group >> (18 - 6 * i) & 63U] : '=';
    }
  }
  return text;
}

}  // namespace tpulab
