#include "tui/screen/screen.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "tui/cores/alike_devices.h"
#include "tui/draw/fit.h"
#include "tui/draw/widgets.h"
#include "tui/screen/candidate_list.h"
#include "tui/screen/overlay.h"
#include "tui/screen/prompt_line.h"
#include "tui/screen/reduced.h"
#include "tui/screen/status_line.h"

namespace tpulab {

namespace {

// The first row of what is chosen is reversed; without any, and without an edge, the pane's first.
void show_chosen(Canvas& part, int items, Edge edge, const ViewState& view) {
  const int chosen = std::clamp(view.chosen, 0, std::max(0, items - 1));
  const auto reverse = [&part](int row, int column) {
    const Cell cell = part.at(row, column);
    if (cell.glyph != 0) part.put(row, column, cell.glyph, cell.role, cell.bold, true);
  };
  for (int row = 0; row < part.rows(); ++row) {
    bool found = items == 0 && edge == Edge::none;
    for (int column = 0; column < part.columns(); ++column) {
      const bool hit = items > 0 ? part.item_at(row, column) == chosen : edge == Edge::none;
      if (hit) reverse(row, column);
      found = found || hit;
    }
    if (found) return;
  }
}

// Answers the cells inside the edge.
Rect draw_pane(const PlacedPane& pane, const Snapshot& now, const ViewState& view, Canvas& canvas) {
  const Panel& panel = panel_named(pane.panel);
  const std::string caption = panel.caption ? panel.caption(now) : std::string();
  const bool focused = view.focused == pane.panel;
  if (pane.edge == Edge::rule) {
    draw_rule(canvas, pane.area.row, pane.area.column, pane.area.columns, panel.title, caption,
              view.glyphs, false, focused);
  } else if (pane.edge == Edge::frame) {
    draw_frame(canvas, pane.area, {panel.title, caption, "", false, focused}, view.glyphs);
  }
  const Rect inner = inside_of(pane);
  Canvas part(inner.rows, inner.columns);
  if (inner.rows > 0 && inner.columns > 0) panel.draw(now, view, part);
  if (focused) show_chosen(part, panel.items ? panel.items(now, view) : 0, pane.edge, view);
  canvas.paste(part, inner.row, inner.column);
  return inner;
}

// Too small for figures: that it is, and the output. Answers where that is.
Rect draw_tiny(const Snapshot& now, const ViewState& view, Canvas& canvas) {
  if (canvas.rows() < 3) return {};
  const std::string note = fmt::format("{}x{} needed, this is {}x{}", least_columns, least_rows,
                                       canvas.columns(), canvas.rows());
  canvas.write(1, 0, clipped(note, canvas.columns(), view.glyphs), Role::dim);
  const PlacedPane output{"output", {2, 0, std::max(0, canvas.rows() - 4), canvas.columns()}};
  return view.output.empty() ? output.area : draw_pane(output, now, view, canvas);
}

// A run without numbers has no loss: the kernels of its step take the place, or, where they have
// one, a core.
void place_kernels(Layout& layout, const Snapshot& now) {
  if (now.run.numbers || now.run.state == RunState::none || !now.losses->empty()) return;
  const bool listed =
      std::ranges::find(layout.panes, "profile", &PlacedPane::panel) != layout.panes.end();
  for (PlacedPane& pane : layout.panes) {
    if (pane.panel == "loss") pane.panel = listed ? "inside" : "profile";
  }
}

// Everything between the status line and the last two rows.
void draw_panes(const ScreenState& state, DrawnScreen& drawn) {
  Canvas& canvas = drawn.canvas;
  const auto devices = static_cast<int>(state.now->cores.size());
  Layout layout = state.view.zoomed.empty()
                      ? layout_for(canvas.rows(), canvas.columns(), devices, state.view.each_device,
                                   devices_differ(*state.now))
                      : zoomed_layout(canvas.rows(), canvas.columns(), state.view.zoomed);
  if (state.view.zoomed.empty()) place_kernels(layout, *state.now);
  ViewState view = state.view;
  view.compact = layout.kind != LayoutKind::bordered;
  view.each_device = view.each_device || !view.zoomed.empty();  // who zooms looks for the odd one
  drawn.panes = layout.panes;
  if (!state.advice.empty() && layout.kind != LayoutKind::tiny) {
    const bool above = !layout.panes.empty() && status_rows(canvas.rows()) == 2;
    drawn.advice_row = above ? 1 : canvas.rows() - 2;
  }
  if (layout.kind == LayoutKind::tiny) {
    drawn.output = draw_tiny(*state.now, view, canvas);
  } else if (layout.kind == LayoutKind::reduced && layout.panes.empty()) {
    drawn.output =
        draw_reduced(*state.now, view, canvas, {1, 0, canvas.rows() - 3, canvas.columns()});
  }
  if (layout.panes.empty() && drawn.output.rows > 0) drawn.panes = {{"output", drawn.output}};
  for (const PlacedPane& pane : layout.panes) {
    const Rect inner = draw_pane(pane, *state.now, view, canvas);
    if (pane.panel == "output") drawn.output = inner;
  }
}

// Of all TPU time of the run.
double compile_share(const Snapshot& now) {
  const double all = in_seconds(now.run.tpu_time);
  return all > 0 ? in_seconds(now.compiles.total) / all : 0;
}

// At the end of the status line, wherever the focus is: the figures below are not the newest.
void draw_frozen(Canvas& canvas, bool in_panes) {
  const std::string_view words = in_panes ? " frozen: f goes on " : " frozen: freeze off goes on ";
  const int begin = std::max(0, canvas.columns() - display_width(words));
  // No field is cut within.
  for (int at = begin - 1; at >= 0; --at) {
    const char32_t glyph = canvas.at(0, at).glyph;
    if (glyph == U'│' || glyph == U'|') break;
    canvas.write(0, at, " ", Role::text);
  }
  canvas.write(0, begin, words, Role::selection);
}

// The 7-bit stand-in for a glyph that came in with words.
char32_t ascii_of(char32_t glyph) {
  switch (glyph) {
    case U'…':
    case U'·':
      return U'.';
    case U'‹':
      return U'<';
    case U'›':
    case U'→':
      return U'>';
    case U'␤':
      return U'$';
    case U'×':
      return U'x';
    case U'–':
    case U'—':
      return U'-';
    case U'µ':
      return U'u';
    default:
      return U'?';
  }
}

void to_ascii(Canvas& canvas) {
  for (int row = 0; row < canvas.rows(); ++row) {
    for (int column = 0; column < canvas.columns(); ++column) {
      const Cell cell = canvas.at(row, column);
      if (cell.glyph != 0 && cell.glyph < 0x80) continue;
      canvas.put(row, column, cell.glyph == 0 ? U' ' : ascii_of(cell.glyph), cell.role, cell.bold,
                 cell.reverse);
    }
  }
}

}  // namespace

const Panel& panel_named(std::string_view name) {
  const auto panels = all_panels();
  const auto found = std::find_if(panels.begin(), panels.end(),
                                  [name](const Panel* panel) { return panel->name == name; });
  expects(found != panels.end(), "a pane's panel is in tui/panels");
  return **found;
}

DrawnScreen draw_screen(const ScreenState& state, int rows, int columns) {
  rows = std::max(1, rows);
  columns = std::max(1, columns);
  DrawnScreen drawn;
  drawn.canvas = Canvas(rows, columns);
  drawn.cursor_row = rows - 1;
  Canvas& canvas = drawn.canvas;
  draw_panes(state, drawn);
  const bool has_hint = rows >= 4;
  const int below_panes = rows - (has_hint ? 2 : 1);
  const int above = drawn.advice_row == 1 ? 2 : 1;
  draw_overlay(state, drawn, {above, 0, below_panes - above, columns});
  drawn.completion_pages = draw_candidates(state, canvas, below_panes);
  if (rows >= 2) {
    draw_status_line(state.now->run, canvas, state.view.glyphs, compile_share(*state.now));
  }
  if (rows >= 2 && state.frozen) draw_frozen(canvas, !state.view.focused.empty());
  if (drawn.advice_row == 1) {
    canvas.write(1, 1, clipped_at_word(state.advice, columns - 2, state.view.glyphs), Role::title);
  }
  if (state.view.glyphs == Glyphs::ascii) to_ascii(canvas);
  redraw_prompt(state, drawn);
  return drawn;
}

void redraw_prompt(const ScreenState& state, DrawnScreen& drawn) {
  const int rows = drawn.canvas.rows() >= 4 ? 2 : 1;
  Canvas bottom(rows, drawn.canvas.columns());
  if (rows == 2) draw_hint_line(state, drawn, bottom, 0);
  drawn.cursor_column = draw_prompt_line(state, bottom, rows - 1);
  if (state.view.glyphs == Glyphs::ascii) to_ascii(bottom);
  drawn.canvas.paste(bottom, drawn.canvas.rows() - rows, 0);
}

}  // namespace tpulab
