// Compile events: what was new in the fingerprint, and what it cost in TPU time.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.h"
#include "tui/draw/fit.h"
#include "tui/draw/widgets.h"
#include "tui/panels/panel.h"
#include "tui/timeline/event_lines.h"

namespace tpulab::compiles_panel {

namespace {

constexpr int step_columns = 11;  // "step 12,345"
constexpr int time_columns = 8;
constexpr int cause_column = step_columns + time_columns + 2;
constexpr int narrow = 50;  // below: the cause has rows of its own

std::string name_of(const CompileEvent& event) {
  return event.again ? event.graph + " again" : event.graph;
}

// Draws one event from `row` on, its cause over several rows if need be; returns the next free row.
int draw_event(Canvas& canvas, int row, const CompileEvent& event, Glyphs glyphs) {
  const std::string step = "step " + text_with_commas(event.step);
  canvas.write(row, 0, right_aligned(step, step_columns), Role::dim);
  canvas.write(row, step_columns + 1, right_aligned(text_of(event.time), time_columns),
               Role::compile);
  const bool below = canvas.columns() < narrow;
  if (below) canvas.write(row++, cause_column, name_of(event), Role::text);
  const int column = below ? 2 : cause_column;
  const int room = std::max(1, canvas.columns() - column);
  const std::string words = below ? event.cause : name_of(event) + ": " + event.cause;
  for (const std::string& line : wrapped(words, room)) {
    if (row >= canvas.rows()) break;
    canvas.write(row++, column, clipped(line, room, glyphs), Role::text);
  }
  return row;
}

// The newest first; those of evaluation, which few ask for, behind all others, but for one that
// takes longer than all others together.
std::vector<const CompileEvent*> in_order(const CompileView& compiles) {
  std::vector<const CompileEvent*> events;
  for (auto event = compiles.events.rbegin(); event != compiles.events.rend(); ++event) {
    events.push_back(&*event);
  }
  std::stable_partition(events.begin(), events.end(), [&compiles](const CompileEvent* event) {
    return event->graph != "evaluation" || event->time * 2 > compiles.total;
  });
  return events;
}

int items(const Snapshot& now, const ViewState& /*view*/) {
  return static_cast<int>(now.compiles.events.size());
}

std::size_t chosen(const Snapshot& now, const ViewState& view) {
  if (view.focused != "compiles" || view.chosen < 0) return 0;
  return std::min(static_cast<std::size_t>(view.chosen), now.compiles.events.size() - 1);
}

// So that the chosen one is seen as a whole where there is room for it.
std::size_t first_shown(const std::vector<const CompileEvent*>& events, std::size_t chosen,
                        const Canvas& canvas, Glyphs glyphs) {
  std::size_t first = chosen;
  Canvas trial(canvas.rows() + 1, canvas.columns());
  int used = draw_event(trial, 0, *events[chosen], glyphs);
  while (first > 0) {
    used += draw_event(trial, 0, *events[first - 1], glyphs);
    if (used > canvas.rows()) break;
    --first;
  }
  return first;
}

std::string_view why_none(const CompileView& compiles) {
  return compiles.cached > 0 ? "none in this run: the cache had every program"
                             : "none yet: the first step of a run compiles";
}

// "+ 4 more" at the end of the last row, over what stands there.
void write_hidden(Canvas& canvas, std::size_t count, Glyphs glyphs) {
  const std::string words = fmt::format(" + {} more", count);
  const int start = canvas.columns() - display_width(words);
  const int row = canvas.rows() - 1;
  if (count == 0 || row < 1 || start < step_columns) return;
  const auto under = canvas.row(row).subspan(static_cast<std::size_t>(start));
  const bool cuts = std::ranges::any_of(under, [](const Cell& c) { return c.glyph != U' '; });
  const std::string_view mark = !cuts ? "" : glyphs == Glyphs::ascii ? ".." : "…";
  canvas.write(row, start - display_width(mark), mark, Role::text);
  for (int column = start; column < canvas.columns(); ++column) {
    canvas.put(row, column, U' ', Role::text);
  }
  canvas.write(row, start, words, Role::dim);
}

void draw(const Snapshot& now, const ViewState& view, Canvas& canvas) {
  if (now.compiles.events.empty()) return draw_note(canvas, why_none(now.compiles));
  const std::vector<const CompileEvent*> events = in_order(now.compiles);
  const std::size_t first = first_shown(events, chosen(now, view), canvas, view.glyphs);
  std::size_t at = first;
  for (int row = 0; at < events.size() && row < canvas.rows(); ++at) {
    const int next = draw_event(canvas, row, *events[at], view.glyphs);
    canvas.mark({row, 0, next - row, canvas.columns()}, static_cast<int>(at));
    row = next;
  }
  write_hidden(canvas, events.size() - (at - first), view.glyphs);
}

Opened open(const Snapshot& now, const ViewState& view) {
  if (now.compiles.events.empty()) return {"compiles", {std::string(why_none(now.compiles))}};
  const CompileEvent& event = *in_order(now.compiles)[chosen(now, view)];
  return {fmt::format("compile of the {}, step {}", event.graph, event.step),
          compile_lines(now, event)};
}

std::string caption(const Snapshot& now) {
  const std::int64_t loaded = now.compiles.loaded;
  const std::int64_t again = now.compiles.again;
  const std::int64_t first = now.compiles.compiled - again;
  const std::string_view which = first > 0 ? " first" : "";
  const std::string firsts = first > 0 || again == 0 ? fmt::format("{}{}", first, which) : "";
  return fmt::format("{}{}{}{}, {} TPU time, {} cached", firsts,
                     first > 0 && again > 0 ? " + " : "",
                     again > 0 ? fmt::format("{} again", again) : "",
                     loaded > 0 ? fmt::format(" and {} loaded", loaded) : "",
                     text_of(now.compiles.total), text_with_commas(now.compiles.cached));
}

}  // namespace

extern const Panel row;
const Panel row{"compiles", "compiles", draw, caption, items, open};

}  // namespace tpulab::compiles_panel
