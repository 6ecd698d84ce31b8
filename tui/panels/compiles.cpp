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

// Draws one event from `row` on, its cause over several rows if need be; returns the next free row.
int draw_event(Canvas& canvas, int row, const CompileEvent& event, Glyphs glyphs) {
  canvas.write(row, 0, right_aligned(text_with_commas(event.step), step_columns), Role::dim);
  canvas.write(row, step_columns + 1, right_aligned(text_of(event.time), time_columns),
               Role::compile);
  const int room = std::max(1, canvas.columns() - cause_column);
  const std::string words = event.graph + ": " + event.cause;
  for (const std::string& line : wrapped(words, room)) {
    if (row >= canvas.rows()) break;
    canvas.write(row++, cause_column, clipped(line, room, glyphs), Role::text);
  }
  return row;
}

void draw(const Snapshot& now, const ViewState& view, Canvas& canvas) {
  if (now.compiles.events.empty()) {
    draw_note(canvas, now.compiles.cached > 0 ? "none in this run: the cache had every program"
                                              : "none yet: the first step of a run compiles");
    return;
  }
  int row = 0;
  for (auto event = now.compiles.events.rbegin();
       event != now.compiles.events.rend() && row < canvas.rows(); ++event) {
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
