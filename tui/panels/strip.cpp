// The step strip: what host and cores did over the latest steps, in TPU time.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/text.h"
#include "tui/cores/alike_devices.h"
#include "tui/cores/core_views.h"
#include "tui/draw/fit.h"
#include "tui/draw/widgets.h"
#include "tui/panels/panel.h"

namespace tpulab::strip_panel {

namespace {

struct Scale {
  Picoseconds start{};
  Picoseconds end{};
  int columns = 0;

  double column_of(Picoseconds time) const {
    const double span = static_cast<double>((end - start).count());
    return span > 0 ? static_cast<double>((time - start).count()) / span * columns : 0.0;
  }
};

// How much a piece counts in the fight for a cell: a short program must not vanish under the
// host's work, and idle time gives way to everything.
double weight(Share share) {
  if (share == Share::idle) return 0.05;
  return inside_program(share) ? 4 : 1;
}

// One share per cell: the heaviest; what no piece covers is idle.
std::vector<Share> cells_of(const StripLane& lane, const Scale& scale) {
  const auto columns = static_cast<std::size_t>(scale.columns);
  std::vector<Share> cells(columns, Share::idle);
  std::vector<double> heaviest(columns, 0.0);
  for (const StripPiece& piece : lane.pieces) {
    const double from = std::clamp(scale.column_of(piece.start), 0.0, static_cast<double>(columns));
    const double to = std::clamp(scale.column_of(piece.end), 0.0, static_cast<double>(columns));
    for (auto cell = static_cast<std::size_t>(from);
         cell < columns && static_cast<double>(cell) < to; ++cell) {
      const double left = std::max(from, static_cast<double>(cell));
      const double right = std::min(to, static_cast<double>(cell) + 1);
      const double heavy = (right - left) * weight(piece.share);
      if (heavy <= heaviest[cell]) continue;
      heaviest[cell] = heavy;
      cells[cell] = piece.share;
    }
  }
  return cells;
}

int label_columns(const StripView& strip) {
  int widest = 4;
  for (const StripLane& lane : strip.lanes) widest = std::max(widest, display_width(lane.label));
  return std::min(widest, 14);
}

// "|409          |410": a mark where each step begins, its number where there is room.
void draw_steps(Canvas& canvas, int row, int left, const Scale& scale, const StripView& strip,
                Glyphs glyphs) {
  Picoseconds begin = strip.start;
  std::int64_t step = strip.first_step;
  int free_from = left;
  for (const Picoseconds end : strip.step_ends) {
    const int column = left + static_cast<int>(scale.column_of(begin));
    const int next = left + static_cast<int>(scale.column_of(end));
    const std::string number = std::to_string(step++);
    begin = end;
    if (column < free_from) continue;
    canvas.put(row, column, glyphs == Glyphs::ascii ? U'|' : U'└', Role::border);
    if (display_width(number) + 1 > next - column) continue;
    free_from =
        canvas.write(row, column + 1, number, Role::dim, false, left + scale.columns - column - 1);
  }
}

void draw_lanes(const StripView& strip, Canvas& canvas, int rows, Glyphs glyphs) {
  const int labels = label_columns(strip);
  const int left = labels + 1;
  const Scale scale{strip.start, strip.step_ends.back(), canvas.columns() - left};
  if (scale.columns < 4) return;
  const bool with_steps = rows > static_cast<int>(strip.lanes.size());
  const int lanes = std::min(static_cast<int>(strip.lanes.size()), with_steps ? rows - 1 : rows);
  for (int i = 0; i < lanes; ++i) {
    const StripLane& lane = strip.lanes[static_cast<std::size_t>(i)];
    canvas.write(i, 0, clipped(lane.label, labels, glyphs), Role::text);
    int column = left;
    for (const Share share : cells_of(lane, scale)) {
      put_share(canvas, i, column++, share, glyphs);
    }
  }
  if (with_steps) draw_steps(canvas, lanes, left, scale, strip, glyphs);
}

// Of the bars of devices and of the lanes, that of the host among them, together.
Shares drawn_shares(const Snapshot& now) {
  Shares shares = mean_shares(now.cores);
  const double span = in_seconds(now.strip.step_ends.back() - now.strip.start);
  for (const StripLane& lane : now.strip.lanes) {
    for (const StripPiece& piece : lane.pieces) {
      shares[index_of(piece.share)] += in_seconds(piece.end - piece.start) / span;
    }
  }
  return shares;
}

void draw(const Snapshot& now, const ViewState& view, Canvas& canvas) {
  const StripView& strip = now.strip;
  if (strip.lanes.empty() || strip.step_ends.empty() || strip.step_ends.back() <= strip.start) {
    draw_note(canvas, "no step yet: host and cores will show here what they do");
    return;
  }
  // Tiles say the shares, too, but several on a small screen: then the legend comes only zoomed.
  const bool tiled = std::ssize(now.cores) <= most_tiled_cores && view.zoomed.empty();
  const bool crowded = view.compact && devices_differ(now);
  const bool told = tiled && !crowded;
  const auto lanes = static_cast<int>(strip.lanes.size());
  const int wanted = lanes + (view.compact && !tiled ? 0 : 1);
  const int room = std::max(1, canvas.rows());
  const int lane_rows = std::min({wanted, told ? room : std::max(lanes, room - 1), room});
  draw_lanes(strip, canvas, lane_rows, view.glyphs);
  if (told) return;
  const Rect below{lane_rows, 0, canvas.rows() - lane_rows, canvas.columns()};
  if (crowded && below.rows == 1) {
    draw_key(canvas, below, drawn_shares(now), view.glyphs);
  } else {
    draw_legend(canvas, below, mean_shares(now.cores), view.glyphs);
  }
}

bool is_steady(const RunView& run) { return run.step_time > Picoseconds{}; }

Opened open(const Snapshot& now, const ViewState& /*view*/) {
  std::vector<std::string> lines;
  if (now.run.step > 0) {
    const std::string time =
        is_steady(now.run)
            ? fmt::format("{} of TPU time (est.), the mean of the steady steps.",
                          text_of(now.run.step_time))
            : "none so far is steady: all had programs to compile or waited for rows.";
    lines = {fmt::format("Step {} of run {}: {}", now.run.step, now.run.number, time), ""};
  }
  return {"the step", std::move(lines), "explain step"};
}

std::string caption(const Snapshot& now) {
  if (now.run.state == RunState::none || now.run.step == 0) return "TPU time (est.)";
  const std::string steady = is_steady(now.run)
                                 ? fmt::format("step {}, {} samples/s", text_of(now.run.step_time),
                                               text_of_count(now.run.tpu_rate_steady))
                                 : "no steady step yet";
  return fmt::format("{}, run {} TPU time (est.), {} wall", steady, text_of(now.run.tpu_time),
                     text_of(picoseconds_from_seconds(now.run.wall_seconds)));
}

}  // namespace

extern const Panel row;
const Panel row{"strip", "steps", draw, caption, nullptr, open};

}  // namespace tpulab::strip_panel
