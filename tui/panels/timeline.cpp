// The whole run on one axis of TPU time: host, loader, devices and collectives, what the run waited
// for at each moment, and what is under the cursor.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/text.h"
#include "tui/draw/fit.h"
#include "tui/draw/widgets.h"
#include "tui/panels/panel.h"
#include "tui/timeline/words.h"

namespace tpulab {

namespace {

constexpr int words_rows = 3;
constexpr int axis_rows = 2;
constexpr int tick_columns = 14;

// Where everything is in so many rows.
struct Places {
  int lane_rows = 1;  // of each lane; the path has one
  int path = 0;
  int axis = 0;
  int words = 0;
};

Places places_for(std::size_t lanes, int rows) {
  const auto above = static_cast<int>(lanes) - 1;
  Places places;
  const int spare = rows - 1 - axis_rows - words_rows - 2;
  places.lane_rows = std::clamp(spare / std::max(1, above), 1, 4);
  places.path = above * places.lane_rows;
  places.axis = places.path + 1;
  places.words = places.axis + axis_rows;
  return places;
}

// As high as the lane is busy in the cell; what there is at all shows as a line.
char32_t part_glyph(double filled, const TimelineCell& cell, Glyphs glyphs) {
  static constexpr char32_t eighths[] = U"▁▂▃▄▅▆▇";
  if (filled >= 0.94) return glyph_of(cell.share, glyphs);
  if (glyphs == Glyphs::ascii) return filled < 0.25 ? U'.' : filled < 0.5 ? U':' : U'|';
  return eighths[std::clamp(static_cast<int>(filled * 8), 0, 6)];
}

void draw_lane(Canvas& canvas, int row, int rows, const std::vector<TimelineCell>& cells,
               const std::vector<bool>& on_path, Glyphs glyphs) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const TimelineCell& cell = cells[i];
    if (cell.covered <= 0) continue;
    const double level = std::max(cell.covered * rows, 0.05);
    for (int up = 0; up < rows; ++up) {
      const double filled = std::min(1.0, level - up);
      if (filled <= 0) break;
      canvas.put(row + rows - 1 - up, timeline_label_columns + 1 + static_cast<int>(i),
                 part_glyph(filled, cell, glyphs), look_of(cell.share).role, on_path[i]);
    }
  }
}

// The path says at each moment what all waited for, however little of the cell it is.
void draw_path(Canvas& canvas, int row, const std::vector<TimelineCell>& cells, Glyphs glyphs) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].covered <= 0) continue;
    canvas.put(row, timeline_label_columns + 1 + static_cast<int>(i),
               glyph_of(cells[i].share, glyphs), look_of(cells[i].share).role, true);
  }
}

// The columns in which a compile is cut short.
std::vector<bool> cut_columns(const TimeAxis& axis) {
  std::vector<bool> cut(static_cast<std::size_t>(axis.columns()));
  for (const TimeSpan& pause : axis.breaks()) {
    const int first = std::max(0, static_cast<int>(axis.column_of(pause.start)));
    const int end =
        std::min(axis.columns(), static_cast<int>(std::lround(axis.column_of(pause.end))));
    for (int column = first; column < end; ++column) cut[static_cast<std::size_t>(column)] = true;
  }
  return cut;
}

// Time since the window's begin above the steps; "//" where a compile is cut short.
void draw_axis(Canvas& canvas, int row, const RunTimeline& timeline, const TimeAxis& axis,
               Glyphs glyphs) {
  constexpr int least_label = 8;
  const bool ascii = glyphs == Glyphs::ascii;
  const int left = timeline_label_columns + 1;
  const std::vector<bool> cut = cut_columns(axis);
  const auto label = [&](int i, int column, int room, const std::string& words) {
    canvas.put(row + i, left + column, ascii ? U'|' : U'└', Role::border);
    canvas.write(row + i, left + column + 1, words, Role::dim, false, room - 2);
  };
  canvas.write(row, 0, "TPU time", Role::dim);
  canvas.write(row + 1, 0, "step", Role::dim);
  for (int column = 0; column + least_label <= axis.columns();) {
    const auto at = cut.begin() + column;
    const auto room = static_cast<int>(
        std::find(at, at + std::min(tick_columns, axis.columns() - column), true) - at);
    if (room < least_label) {
      column += room + 1;
      continue;
    }
    const Picoseconds time = axis.time_at(column);
    const Picoseconds since = time - axis.window().start;
    label(0, column, room, since.count() == 0 ? text_of(time) : "+" + text_of(since));
    label(1, column, room, text_with_commas(timeline_step_at(timeline, time)));
    column += tick_columns;
  }
  for (std::size_t column = 0; column < cut.size(); ++column) {
    for (int i = 0; i < axis_rows && cut[column]; ++i) {
      canvas.put(row + i, left + static_cast<int>(column), ascii ? U'/' : U'╱', Role::compile);
    }
  }
}

void draw_words(Canvas& canvas, int row, const RunTimeline& timeline, const TimeAxis& axis,
                const TimelineCursor& cursor, Glyphs glyphs) {
  const int columns = canvas.columns();
  canvas.write(row, 0, clipped(timeline_what(timeline, cursor), columns, glyphs), Role::title);
  canvas.write(row + 1, 0, clipped(timeline_why(timeline, axis, cursor), columns, glyphs),
               Role::text);
  const TimeSpan window = axis.window();
  const Picoseconds seen = std::min(window.end, timeline.span().end) - window.start;
  std::string about = fmt::format("{} of {} of TPU time (est.); bold and the last row: waited for",
                                  text_of(seen), text_of(timeline.span().length()));
  if (!timeline.whole) about += "; the oldest steps are gone";
  canvas.write(row + 2, 0, clipped(about, columns, glyphs), Role::dim);
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
    draw_lane(canvas, row, places.lane_rows, cells[lanes[i]], on_path, view.glyphs);
  }
  canvas.write(places.path, 0, timeline_label(timeline, lanes.back()), Role::title);
  draw_path(canvas, places.path, path, view.glyphs);
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
  draw_axis(canvas, places.axis, timeline, axis, view.glyphs);
  const char32_t mark = view.glyphs == Glyphs::ascii ? U'^' : U'▲';
  canvas.put(places.axis, timeline_label_columns + 1 + cursor.column, mark, Role::title, true);
  for (std::size_t i = 0; i < lanes; ++i) {
    const bool path = i + 1 == lanes;
    const int row = path ? places.path : (static_cast<int>(i) + 1) * places.lane_rows - 1;
    canvas.mark({row, timeline_label_columns + 1 + cursor.column, 1, 1}, static_cast<int>(i));
  }
  draw_words(canvas, places.words, timeline, axis, cursor, view.glyphs);
  const int below = places.words + words_rows + 1;
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
  const std::string& name = cursor.found.name;
  Opened opened{
      name, {timeline_what(*now.timeline, cursor), timeline_why(*now.timeline, axis, cursor), ""}};
  opened.command =
      cursor.found.kernel ? "explain " + name.substr(0, name.find_first_of("+ ")) : "explain step";
  return opened;
}

std::string caption(const Snapshot& now) {
  if (now.timeline == nullptr) return "TPU time (est.)";
  return fmt::format("of run {}, TPU time (est.), + - zoom", now.run.number);
}

}  // namespace

extern const Panel timeline_panel;
const Panel timeline_panel{"timeline", "timeline", draw, caption, items, open};

}  // namespace tpulab
