#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "engine/base/text.h"
#include "tui/cores/alike_devices.h"
#include "tui/cores/core_views.h"
#include "tui/draw/fit.h"
#include "tui/draw/widgets.h"

namespace tpulab {

namespace {

constexpr int tile_rows = 6;
constexpr int comfortable_columns = 27;
constexpr int least_tile_columns = 25;

struct DeviceTile {
  const CoreView& core;
  const RunView& run;
  bool slow;
  double scale;
};

TileGrid grid_of(int cores, int columns, int tile_columns) {
  const int most_per_row = std::max(1, columns / tile_columns);
  const int lines = (cores + most_per_row - 1) / most_per_row;
  return {(cores + lines - 1) / lines, lines * tile_rows};
}

// "HBM 18.0 MiB / 16.0 GiB", closer together where it would not fit; never cut.
std::string memory_text(const CoreView& core, int columns) {
  const bool nearly_full = core.hbm_limit.value > 0 && core.hbm_used / core.hbm_limit > 0.9;
  const std::string mark = nearly_full ? "! " : "";
  const std::string used = text_of(core.hbm_used);
  const std::string limit = text_of(core.hbm_limit);
  std::string words = fmt::format("{}HBM {} / {}", mark, used, limit);
  if (display_width(words) > columns) words = fmt::format("{}HBM {}/{}", mark, used, limit);
  return display_width(words) > columns ? fmt::format("{}{}/{}", mark, used, limit) : words;
}

// "duty 5.2 %       useful 0.03 %"
void write_use(Canvas& canvas, Rect inner, const CoreView& core) {
  const std::string duty = "duty " + text_of_share(core.duty_cycle);
  std::string useful = "useful " + text_of_share(core.utilisation);
  if (display_width(duty) + 1 + display_width(useful) > inner.columns) useful.erase(3, 3);
  canvas.write(inner.row, inner.column, duty, Role::text, true, inner.columns);
  canvas.write(inner.row, inner.column + inner.columns - display_width(useful), useful, Role::text,
               true);
}

// "H host tracing           94 %"
void write_rest(Canvas& canvas, Rect inner, const Shares& shares, Glyphs glyphs) {
  const Share share = largest_other(shares);
  const ShareLook& look = look_of(share);
  const std::string number = text_of_share(shares[static_cast<std::size_t>(share)]);
  const int room = inner.columns - 3 - display_width(number);
  const std::string_view name =
      display_width(name_of(share)) <= room ? name_of(share) : look.short_name;
  put_share(canvas, inner.row, inner.column, share, glyphs);
  canvas.write(inner.row, inner.column + 2, clipped(name, room, glyphs), Role::text);
  canvas.write(inner.row, inner.column + inner.columns - display_width(number), number, Role::text);
}

void draw_history(Canvas& canvas, Rect inner, const DeviceTile& tile, Glyphs glyphs) {
  const std::string scale = "0-" + text_of_share(tile.scale);
  const int columns = inner.columns - display_width(scale) - 1;
  draw_sparkline(canvas, inner.row, inner.column, columns, tile.core.history, tile.scale,
                 Role::compute, glyphs);
  canvas.write(inner.row, inner.column + columns + 1, scale, Role::dim);
}

void draw_tile(Canvas& canvas, Rect area, const DeviceTile& tile, Glyphs glyphs) {
  const CoreView& core = tile.core;
  const std::string title =
      tile.run.device + " " + std::to_string(core.index) + (core.used ? "" : " (off)");
  const std::string memory = memory_text(core, area.columns - 4);
  draw_frame(canvas, area, {title, tile.slow ? "! slow" : "", memory, tile.slow}, glyphs);
  const int pad = area.columns >= 30 ? 2 : 1;
  Rect inner{area.row + 1, area.column + pad, 1, area.columns - 2 * pad};
  if (!core.used) {
    const std::string_view why =
        tile.run.state == RunState::none ? "no run yet" : "not used by this run";
    const int start = std::max(0, (inner.columns - display_width(why)) / 2);
    canvas.write(inner.row + 1, inner.column + start, why, Role::dim, false, inner.columns);
    return;
  }
  write_use(canvas, inner, core);
  ++inner.row;
  draw_share_bar(canvas, inner.row, inner.column, inner.columns, core.shares, glyphs);
  ++inner.row;
  write_rest(canvas, inner, core.shares, glyphs);
  ++inner.row;
  draw_history(canvas, inner, tile, glyphs);
}

}  // namespace

TileGrid tile_grid(int cores, int columns, int rows) {
  if (cores <= 0 || cores > most_tiled_cores || columns < least_tile_columns) return {};
  for (const int tile_columns : {comfortable_columns, least_tile_columns}) {
    const TileGrid grid = grid_of(cores, columns, tile_columns);
    if (grid.height <= rows) return grid;
  }
  return {};
}

void draw_core_tiles(const Snapshot& now, Canvas& canvas, Glyphs glyphs) {
  const auto count = static_cast<int>(now.cores.size());
  const TileGrid grid = tile_grid(count, canvas.columns(), canvas.rows());
  if (grid.height == 0) return;
  const std::vector<int> slow = slow_devices(now.cores);
  const double scale = duty_scale(now.cores);
  for (int i = 0; i < count; ++i) {
    const CoreView& core = now.cores[static_cast<std::size_t>(i)];
    const int place = i % grid.per_row;
    const int left = canvas.columns() * place / grid.per_row;
    const int right = canvas.columns() * (place + 1) / grid.per_row;
    const Rect area{i / grid.per_row * tile_rows, left, tile_rows, right - left};
    draw_tile(canvas, area, {core, now.run, std::ranges::binary_search(slow, core.index), scale},
              glyphs);
    canvas.mark(area, i);
  }
}

}  // namespace tpulab
