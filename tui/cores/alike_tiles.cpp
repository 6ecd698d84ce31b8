#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "engine/base/text.h"
#include "tui/cores/alike_devices.h"
#include "tui/cores/core_views.h"
#include "tui/draw/fit.h"
#include "tui/draw/widgets.h"
#include "tui/kernels/padding.h"

namespace tpulab {

namespace {

// "duty 5.2 %   useful 0.03 %           of the last 16 steps and what lies between", or less of it
void write_use(Canvas& canvas, Rect row, const CoreView& each, const RunView& run) {
  const std::string use = fmt::format("duty {}   useful {}", text_of_share(each.duty_cycle),
                                      text_of_share(each.utilisation));
  const int end = canvas.write(row.row, row.column, use, Role::text, true, row.columns);
  std::string span = fmt::format("of the last {} steps and what lies between", run.recent_steps);
  const int last_column = row.column + row.columns;
  const auto fits = [&] { return end + 2 + display_width(span) <= last_column; };
  if (!fits()) span.resize(span.find(" and"));
  if (!fits()) span.erase(0, span.find("last"));
  const int start = last_column - display_width(span);
  if (run.recent_steps > 1 && start >= end + 2) canvas.write(row.row, start, span, Role::dim);
}

// "duty a step ▁▂▃▃▃▃ 0-20 %"
void draw_history(Canvas& canvas, Rect row, const CoreView& each, double scale, Glyphs glyphs) {
  constexpr int most_columns = 64;  // steps that are kept
  const std::string_view label = "duty a step ";
  const std::string range = " 0-" + text_of_share(scale);
  const int room = row.columns - display_width(label) - display_width(range);
  const int columns = std::min(room, most_columns);
  if (columns < 8 || each.history.empty()) return;
  int at = canvas.write(row.row, row.column, label, Role::dim);
  draw_sparkline(canvas, row.row, at, columns, each.history, scale, Role::compute, glyphs);
  at += columns;
  canvas.write(row.row, at, range, Role::dim);
}

struct Tile {
  const AlikeDevices& group;
  std::string title;
  WaitWords wait;
  double scale;
  bool alarm;
};

// The words on a tile's upper edge: blanks, corners and a line between are there beside them.
FrameWords edge_words(const Tile& tile, int columns, std::string_view footer) {
  const int room = columns - display_width(tile.title) - 7;
  const bool full = display_width(tile.wait.full) <= room;
  return {tile.title, full ? tile.wait.full : tile.wait.brief, footer, tile.alarm};
}

// What fits into the rows of the area, the most telling first.
void draw_inside(Canvas& canvas, Rect area, const Tile& tile, const Snapshot& now,
                 const ViewState& view) {
  const Glyphs glyphs = view.glyphs;
  const CoreView& each = tile.group.each;
  Rect row{area.row, area.column, 1, area.columns};
  if (!each.used) {
    canvas.write(row.row, row.column, "not used by this run", Role::dim, false, row.columns);
    return;
  }
  write_use(canvas, row, each, now.run);
  ++row.row;
  if (area.rows < 2) return;
  draw_named_share_bar(canvas, row.row, row.column, row.columns, each.shares, glyphs);
  ++row.row;
  // Without numbers the kernels have a pane of their own, which says it.
  const bool says_padding = view.program != nullptr && now.run.numbers;
  const std::string padding = says_padding ? worst_padding(*view.program, row.columns) : "";
  const int most = padding.empty() || area.rows < 5 ? 2 : 1;
  const int legend = std::clamp(area.rows - 3, std::min(1, area.rows - 2), most);
  draw_legend(canvas, {row.row, row.column, legend, row.columns}, each.shares, glyphs);
  row.row += legend;
  if (most == 1) {
    canvas.write(row.row++, row.column, clipped(padding, row.columns, glyphs), Role::text, true);
  }
  if (area.rows >= 5) draw_history(canvas, row, each, tile.scale, glyphs);
}

std::string memory_of(const AlikeDevices& group) {
  const CoreView& each = group.each;
  const bool nearly_full = each.hbm_limit.value > 0 && each.hbm_used / each.hbm_limit > 0.9;
  return fmt::format("{}HBM {} / {}{}", nearly_full ? "! " : "", text_of(each.hbm_used),
                     text_of(each.hbm_limit), group.devices.size() > 1 ? " each" : "");
}

void draw_framed(Canvas& canvas, Rect area, const Tile& tile, const Snapshot& now,
                 const ViewState& view) {
  const std::string memory = tile.group.each.used ? memory_of(tile.group) : "";
  draw_frame(canvas, area, edge_words(tile, area.columns, memory), view.glyphs);
  draw_inside(canvas, {area.row + 1, area.column + 2, area.rows - 2, area.columns - 4}, tile, now,
              view);
}

}  // namespace

void draw_alike_devices(const Snapshot& now, const ViewState& view, Canvas& canvas) {
  const std::vector<AlikeDevices> groups = alike_devices(now.cores);
  const auto count = std::min(static_cast<int>(groups.size()), most_alike_tiles);
  const double scale = duty_scale(now.cores);
  for (int i = 0; i < count; ++i) {
    const AlikeDevices& group = groups[static_cast<std::size_t>(i)];
    WaitWords wait = wait_of(group, groups, now.run);
    const bool alarm = group.slow || (has_slow_link(group, now.run) && !wait.full.empty());
    const Tile tile{group, title_of(group, groups.size(), now.run), std::move(wait), scale, alarm};
    if (!view.compact) {
      const int left = canvas.columns() * i / count;
      const int right = canvas.columns() * (i + 1) / count;
      const Rect area{0, left, canvas.rows(), right - left};
      draw_framed(canvas, area, tile, now, view);
      canvas.mark(area, i);
      continue;
    }
    const int top = canvas.rows() * i / count;
    const int below = canvas.rows() * (i + 1) / count;
    const FrameWords words = edge_words(tile, canvas.columns(), "");
    canvas.mark({top, 0, below - top, canvas.columns()}, i);
    draw_rule(canvas, top, 0, canvas.columns(), words.title, words.caption, view.glyphs,
              words.alarm);
    draw_inside(canvas, {top + 1, 1, below - top - 1, canvas.columns() - 2}, tile, now, view);
  }
}

}  // namespace tpulab
