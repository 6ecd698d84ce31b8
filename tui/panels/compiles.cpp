// Compile events: what was new in the fingerprint, and what it cost in TPU time.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.h"
#include "tui/fit.h"
#include "tui/widgets.h"

namespace tpulab {

namespace {

constexpr int step_columns = 6;
constexpr int time_columns = 8;
constexpr int cause_column = step_columns + time_columns + 2;
constexpr int narrow = 50;  // below: the cause has rows of its own

// Draws one event from `row` on, its cause over several rows if need be; returns the next free row.
int draw_event(Canvas& canvas, int row, const CompileEvent& event, Glyphs glyphs) {
  canvas.write(row, 0, right_aligned(text_with_commas(event.step), step_columns), Role::dim);
  canvas.write(row, step_columns + 1, right_aligned(text_of(event.time), time_columns),
               Role::compile);
  const bool below = canvas.columns() < narrow;
  if (below) canvas.write(row++, cause_column, event.graph, Role::text);
  const int column = below ? 2 : cause_column;
  const int room = std::max(1, canvas.columns() - column);
  const std::string words = below ? event.cause : event.graph + ": " + event.cause;
  for (const std::string& line : wrapped(words, room)) {
    if (row >= canvas.rows()) break;
    canvas.write(row++, column, clipped(line, room, glyphs), Role::text);
  }
  return row;
}

// The newest first; those of evaluation, which few ask for, behind all others.
std::vector<const CompileEvent*> in_order(const CompileView& compiles) {
  std::vector<const CompileEvent*> events;
  for (auto event = compiles.events.rbegin(); event != compiles.events.rend(); ++event) {
    events.push_back(&*event);
  }
  std::stable_partition(events.begin(), events.end(),
                        [](const CompileEvent* event) { return event->graph != "evaluation"; });
  return events;
}

void draw(const Snapshot& now, const ViewState& view, Canvas& canvas) {
  if (now.compiles.events.empty()) {
    draw_note(canvas, now.compiles.cached > 0 ? "none in this run: the cache had every program"
                                              : "none yet: the first step of a run compiles");
    return;
  }
  int row = 0;
  for (const CompileEvent* event : in_order(now.compiles)) {
    if (row >= canvas.rows()) break;
    row = draw_event(canvas, row, *event, view.glyphs);
  }
}

std::string caption(const Snapshot& now) {
  return fmt::format("{} in {} TPU time, {} cached", now.compiles.compiled,
                     text_of(now.compiles.total), text_with_commas(now.compiles.cached));
}

}  // namespace

extern const Panel compiles_panel;
const Panel compiles_panel{"compiles", "compiles", draw, caption};

}  // namespace tpulab
