// The whole run on one axis of TPU time: host, loader, devices and collectives, what the run waited
// for at each moment, and what is under the cursor.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.h"
#include "tui/draw/fit.h"
#include "tui/draw/widgets.h"
#include "tui/panels/panel.h"
#include "tui/timeline/opened_moment.h"
#include "tui/timeline/strips.h"

namespace tpulab::timeline_panel {

namespace {

constexpr int most_words_rows = 5;  // what, why: two each; and of how much
constexpr int least_words_rows = 3;
constexpr int axis_rows = timeline_axis_rows;

// Where everything is in so many rows.
struct Places {
  int lane_rows = 1;  // of each lane; the path has one
  int path = 0;
  int axis = 0;
  int words = 0;
  int words_rows = most_words_rows;
};

Places places_for(std::size_t lanes, int rows) {
  const auto above = static_cast<int>(lanes) - 1;
  Places places;
  if (rows < above + 1 + axis_rows + most_words_rows + 2) places.words_rows = least_words_rows;
  const int spare = rows - 1 - axis_rows - places.words_rows - 2;
  places.lane_rows = std::clamp(spare / std::max(1, above), 1, 4);
  places.path = above * places.lane_rows;
  places.axis = places.path + 1;
  places.words = places.axis + axis_rows;
  return places;
}

// Over at most so many rows; what is longer ends in an ellipsis, and Enter shows it. Answers the
// next row.
int write_words(Canvas& canvas, int row, int rows, const std::string& words, Role role,
                Glyphs glyphs) {
  std::vector<std::string> lines = wrapped(words, canvas.columns());
  if (std::ssize(lines) > rows) {
    const auto last = static_cast<std::size_t>(rows) - 1;
    lines[last] = clipped(lines[last] + " " + lines[last + 1], canvas.columns(), glyphs);
    lines.resize(last + 1);
  }
  for (const std::string& line : lines) canvas.write(row++, 0, line, role);
  return row;
}

void draw_words(Canvas& canvas, const Places& places, const RunTimeline& timeline,
                const TimeAxis& axis, const TimelineCursor& cursor, Glyphs glyphs) {
  const int each = places.words_rows / 2;
  const int row =
      write_words(canvas, places.words, each, timeline_what(timeline, cursor), Role::title, glyphs);
  write_words(canvas, row, each, timeline_why(timeline, axis, cursor), Role::text, glyphs);
  const TimeSpan window = axis.window();
  const Picoseconds seen = std::min(window.end, timeline.span().end) - window.start;
  std::string about = fmt::format("{} of {} of TPU time (est.); bold and the last row: waited for",
                                  text_of(seen), text_of(timeline.span().length()));
  if (!timeline.whole) about += "; the oldest steps are gone";
  canvas.write(places.words + 2 * each, 0, clipped(about, canvas.columns(), glyphs), Role::dim);
}

void draw_rows(const RunTimeline& timeline, const TimeAxis& axis, const ViewState& view,
               Canvas& canvas, const Places& places) {
  const std::vector<std::size_t> lanes = timeline_lanes(timeline);
  const TimelineCells cells = timeline_cells(timeline, axis);
  const std::vector<TimelineCell>& path = cells.back();
  for (std::size_t i = 0; i + 1 < lanes.size(); ++i) {
    std::vector<bool> on_path;
    on_path.reserve(path.size());
    for (const TimelineCell& cell : path) {
      on_path.push_back(cell.covered > 0 && lane_of_path(timeline, cell.share) == lanes[i]);
    }
    const int row = static_cast<int>(i) * places.lane_rows;
    canvas.write(row + places.lane_rows - 1, 0,
                 clipped(timeline_label(timeline, lanes[i]), timeline_label_columns, view.glyphs),
                 Role::text);
    draw_timeline_lane(canvas, row, places.lane_rows, cells[lanes[i]], on_path, view.glyphs);
  }
  canvas.write(places.path, 0, timeline_label(timeline, lanes.back()), Role::title);
  draw_timeline_path(canvas, places.path, path, view.glyphs);
}

void draw(const Snapshot& now, const ViewState& view, Canvas& canvas) {
  const int columns = timeline_columns(canvas.columns());
  if (now.timeline == nullptr || columns < 8) {
    draw_note(canvas, "no step yet: run shows here what host and devices did, over the whole run");
    return;
  }
  const RunTimeline& timeline = *now.timeline;
  const std::size_t lanes = timeline_lanes(timeline).size();
  const Places places = places_for(lanes, canvas.rows());
  const TimeAxis axis = timeline_axis(timeline, view.time, columns);
  const TimelineCursor cursor = timeline_cursor(timeline, axis, view.time, view.chosen);
  draw_rows(timeline, axis, view, canvas, places);
  draw_timeline_axis(canvas, places.axis, timeline, axis, view.glyphs);
  const char32_t mark = view.glyphs == Glyphs::ascii ? U'^' : U'▲';
  canvas.put(places.axis, timeline_label_columns + 1 + cursor.column, mark, Role::title, true);
  for (std::size_t i = 0; i < lanes; ++i) {
    const bool path = i + 1 == lanes;
    const int row = path ? places.path : (static_cast<int>(i) + 1) * places.lane_rows - 1;
    canvas.mark({row, timeline_label_columns + 1 + cursor.column, 1, 1}, static_cast<int>(i));
  }
  draw_words(canvas, places, timeline, axis, cursor, view.glyphs);
  const int below = places.words + places.words_rows;
  if (below < canvas.rows()) {
    draw_legend(canvas, {below, 0, canvas.rows() - below, canvas.columns()},
                path_shares(timeline, axis.window()), view.glyphs);
  }
}

int items(const Snapshot& now, const ViewState& /*view*/) {
  return now.timeline == nullptr ? 0 : static_cast<int>(timeline_lanes(*now.timeline).size());
}

Opened open(const Snapshot& now, const ViewState& view) {
  if (now.timeline == nullptr) return {"timeline", {"No step yet: run trains one."}};
  const TimeAxis axis =
      timeline_axis(*now.timeline, view.time, timeline_columns(view.pane_columns));
  const TimelineCursor cursor = timeline_cursor(*now.timeline, axis, view.time, view.chosen);
  return opened_moment(now, axis, cursor);
}

std::string caption(const Snapshot& now) {
  if (now.timeline == nullptr) return "TPU time (est.)";
  return fmt::format("of run {}, TPU time (est.), + - zoom", now.run.number);
}

}  // namespace

extern const Panel row;
const Panel row{"timeline", "timeline", draw, caption, items, open};

}  // namespace tpulab::timeline_panel
