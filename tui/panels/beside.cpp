// The newest run beside the one before it: two strips on one scale of TPU time, the difference of
// each phase below them.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/text.h"
#include "tui/draw/fit.h"
#include "tui/draw/widgets.h"
#include "tui/panels/panel.h"
#include "tui/timeline/strips.h"
#include "tui/timeline/two_runs.h"
#include "tui/timeline/words.h"

namespace tpulab::beside_panel {

namespace {

constexpr std::string_view no_second_run =
    "one run so far: change a setting, run again, and both stand here on one scale";
constexpr std::string_view no_run = "no step yet: run twice, and both runs stand here on one scale";
constexpr int lanes_of_a_run = 3;  // host, the devices that the others wait for, the path

std::array<std::size_t, lanes_of_a_run> lanes_of(const RunTimeline& timeline) {
  return {timeline.first_lane(TimelineRow::host), timeline.path_lane, timeline.lanes.size()};
}

int cursor_column(const TwoRuns& runs, const TwoAxes& axes, const TimeView& view) {
  const TimeAxis& axis = axes.axes[axes.leads];
  const Picoseconds at = cursor_of(view, runs[axes.leads].timeline->span());
  return std::clamp(static_cast<int>(axis.column_of(at) + 1e-6), 0, axis.columns() - 1);
}

// Answers the row below it.
int draw_run(Canvas& canvas, int row, int lane_rows, const TwoRuns& runs, std::size_t side,
             const TimeAxis& axis, int cursor, Glyphs glyphs) {
  const RunSide& run = runs[side];
  canvas.write(row++, 0, in_whole_parts(side_words(runs, side), canvas.columns(), glyphs),
               Role::title);
  const TimelineCells cells = timeline_cells(*run.timeline, axis);
  for (const std::size_t lane : lanes_of(*run.timeline)) {
    const bool path = lane == run.timeline->lanes.size();
    const int rows = path ? 1 : lane_rows;
    const std::string label(timeline_label(*run.timeline, lane));
    canvas.write(row + rows - 1, 0, clipped(label, timeline_label_columns, glyphs), Role::text);
    if (path) {
      draw_timeline_path(canvas, row, cells[lane], glyphs);
    } else {
      const std::vector<bool> on_path(cells[lane].size());
      draw_timeline_lane(canvas, row, rows, cells[lane], on_path, glyphs);
    }
    row += rows;
  }
  draw_timeline_axis(canvas, row, *run.timeline, axis, glyphs);
  canvas.put(row, timeline_label_columns + 1 + cursor, glyphs == Glyphs::ascii ? U'^' : U'▲',
             Role::title, true);
  return row + timeline_axis_rows;
}

// "run 1: step 8 (train): trace 109 ops, 2.18 ms": what the run waited for there.
std::string moment_words(const RunSide& run, const TimeAxis& axis, int column) {
  const TimeSpan moment = axis.cell(column);
  if (moment.start >= run.timeline->span().end) {
    return fmt::format("run {} has ended there", run.view->number);
  }
  const std::size_t path = run.timeline->lanes.size();
  const TimelineCursor at{path, column, found_at(*run.timeline, path, moment)};
  const TimelineCursor reason = timeline_reason(*run.timeline, axis, at);
  return fmt::format("run {}: {}", run.view->number, timeline_what(*run.timeline, reason));
}

Role role_of(const PhasePair& pair) {
  if (pair.of_a_step && pair.name.starts_with(' ')) return Role::dim;
  const double before = in_seconds(pair.time[0]);
  const double after = in_seconds(pair.time[1]);
  constexpr double told = 0.05;
  if (after < before * (1 - told)) return Role::good;
  return after > before * (1 + told) ? Role::warning : Role::text;
}

void draw_phases(Canvas& canvas, int row, const TwoRuns& runs) {
  const int room = canvas.rows() - row;
  std::vector<PhasePair> pairs = phase_pairs(runs, room >= 10);
  for (const PhasePair& pair : pairs) {
    canvas.write(row++, 0, phase_words(pair), role_of(pair));
  }
}

void draw(const Snapshot& now, const ViewState& view, Canvas& canvas) {
  const int columns = timeline_columns(canvas.columns());
  const auto runs = two_runs(now);
  if (!runs || columns < 8) {
    draw_note(canvas, now.timeline == nullptr ? no_run : no_second_run);
    return;
  }
  const TwoAxes axes = two_axes(*runs, view.beside, columns);
  const int cursor = cursor_column(*runs, axes, view.beside);
  const int lane_rows = canvas.rows() >= 36 ? 3 : canvas.rows() >= 30 ? 2 : 1;
  int row = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    row = draw_run(canvas, row, lane_rows, *runs, i, axes.axes[i], cursor, view.glyphs);
  }
  if (canvas.rows() >= 24) {
    for (std::size_t i = 0; i < 2; ++i) {
      const std::string words = moment_words((*runs)[i], axes.axes[i], cursor);
      canvas.write(row++, 0, clipped(words, canvas.columns(), view.glyphs), Role::text);
    }
    ++row;
  }
  draw_phases(canvas, row, *runs);
}

Opened open(const Snapshot& now, const ViewState& view) {
  const auto runs = two_runs(now);
  if (!runs) {
    return {"runs beside each other",
            {std::string(now.timeline == nullptr ? no_run : no_second_run)}};
  }
  const TwoAxes axes = two_axes(*runs, view.beside, timeline_columns(view.pane_columns));
  const int cursor = cursor_column(*runs, axes, view.beside);
  Opened opened{"runs beside each other", {}};
  for (std::size_t i = 0; i < 2; ++i) {
    opened.lines.push_back(side_words(*runs, i));
    opened.lines.push_back("at the mark: " + moment_words((*runs)[i], axes.axes[i], cursor));
  }
  opened.lines.emplace_back();
  opened.lines.emplace_back("As they ran, TPU time (est.); read-backs lie within the others:");
  for (const PhasePair& pair : phase_pairs(*runs, true)) {
    opened.lines.push_back("  " + phase_words(pair));
  }
  if ((*runs)[1].record == nullptr) return opened;
  opened.lines.emplace_back();
  opened.command = "compare last";
  return opened;
}

std::string caption(const Snapshot& now) {
  const auto runs = two_runs(now);
  if (!runs) return "TPU time (est.)";
  return fmt::format("{} and {}, TPU time (est.)", (*runs)[0].view->number,
                     (*runs)[1].view->number);
}

}  // namespace

extern const Panel row;
const Panel row{"beside", "runs beside each other", draw, caption, nullptr, open};

}  // namespace tpulab::beside_panel
