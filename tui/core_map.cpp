#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/base/text.h"
#include "tui/core_views.h"
#include "tui/fit.h"
#include "tui/widgets.h"

namespace tpulab {

namespace {

constexpr int words_columns = 30;

// The grid of cells: `group` neighbouring cores in one cell.
struct MapGrid {
  int group = 1;
  int across = 1;
  int cell_columns = 1;
};

// Powers of two, so that rows of the map are rows of the torus; near-square where there is room.
MapGrid grid_for(int cores, int rows, int columns) {
  MapGrid grid;
  for (;; grid.group *= 2) {
    const int cells = (cores + grid.group - 1) / grid.group;
    grid.across = 1;
    while (grid.across * grid.across < cells || grid.across * rows < cells) grid.across *= 2;
    if (grid.across <= columns || cells <= 1) break;
  }
  grid.across = std::min(grid.across, std::max(1, columns));
  grid.cell_columns = grid.across * 2 <= columns ? 2 : 1;
  return grid;
}

struct MapCell {
  bool used = false;
  double lowest = 1;
};

std::vector<MapCell> cells_of(const std::vector<CoreView>& cores, int group) {
  std::vector<MapCell> cells((cores.size() + static_cast<std::size_t>(group) - 1) /
                             static_cast<std::size_t>(group));
  for (std::size_t i = 0; i < cores.size(); ++i) {
    if (!cores[i].used) continue;
    MapCell& cell = cells[i / static_cast<std::size_t>(group)];
    cell.used = true;
    cell.lowest = std::min(cell.lowest, cores[i].duty_cycle);
  }
  return cells;
}

char32_t level_glyph(const MapCell& cell, double scale, Glyphs glyphs) {
  static constexpr char32_t shades[] = U"░▒▓█";
  if (!cell.used) return glyphs == Glyphs::ascii ? U'.' : U'·';
  const double part = std::clamp(cell.lowest / scale, 0.0, 1.0);
  if (glyphs == Glyphs::ascii) return U'0' + static_cast<char32_t>(std::min(9.0, part * 10));
  return shades[static_cast<std::size_t>(std::min(3.0, part * 4))];
}

std::vector<const CoreView*> used_by_duty(const std::vector<CoreView>& cores) {
  std::vector<const CoreView*> used;
  for (const CoreView& core : cores) {
    if (core.used) used.push_back(&core);
  }
  std::stable_sort(used.begin(), used.end(), [](const CoreView* a, const CoreView* b) {
    return a->duty_cycle < b->duty_cycle;
  });
  return used;
}

std::vector<std::string> words_of(const Snapshot& now, const MapGrid& grid, double scale,
                                  Glyphs glyphs) {
  const std::string& device = now.run.device;
  const std::vector<const CoreView*> used = used_by_duty(now.cores);
  if (used.empty()) {
    if (now.run.state != RunState::none) return {fmt::format("no {} is used", device)};
    return {fmt::format("no run yet: every {} is off", device)};
  }
  const auto percent = [](double share) { return right_aligned(text_of_share(share), 7); };
  const CoreView& median = *used[used.size() / 2];
  const Share rest = largest_other(median.shares);
  std::vector<std::string> words{
      fmt::format("{} of {} {}s work", used.size(), now.cores.size(), device),
      "duty min    " + percent(used.front()->duty_cycle),
      "     median " + percent(median.duty_cycle),
      "     max    " + percent(used.back()->duty_cycle),
      "useful med. " + percent(median.utilisation),
      std::string(look_of(rest).short_name) + " " +
          text_of_share(median.shares[static_cast<std::size_t>(rest)]),
      std::string(glyphs == Glyphs::ascii ? "0-9" : "░▒▓█") + " = duty 0-" + text_of_share(scale),
  };
  if (grid.group > 1)
    words.push_back(fmt::format("a cell: the lowest of {} {}s", grid.group, device));
  // Where all do the same, none stands out.
  const bool alike = used.front()->duty_cycle == used.back()->duty_cycle;
  for (std::size_t i = 0; i < std::min<std::size_t>(alike ? 0 : 5, used.size()); ++i) {
    words.push_back(fmt::format("lowest #{:<6}", used[i]->index) + percent(used[i]->duty_cycle));
  }
  return words;
}

}  // namespace

void draw_core_map(const Snapshot& now, Canvas& canvas, Glyphs glyphs) {
  const int map_columns = std::max(1, canvas.columns() - words_columns - 2);
  const auto count = static_cast<int>(now.cores.size());
  if (count == 0 || canvas.rows() == 0) return;
  const MapGrid grid = grid_for(count, canvas.rows(), map_columns);
  const double scale = duty_scale(now.cores);
  const std::vector<MapCell> cells = cells_of(now.cores, grid.group);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const int row = static_cast<int>(i) / grid.across;
    const int column = static_cast<int>(i) % grid.across * grid.cell_columns;
    const char32_t glyph = level_glyph(cells[i], scale, glyphs);
    for (int j = 0; j < grid.cell_columns; ++j) {
      canvas.put(row, column + j, glyph, cells[i].used ? Role::compute : Role::idle);
    }
  }
  const int left = std::min(map_columns, grid.across * grid.cell_columns) + 2;
  const std::vector<std::string> words = words_of(now, grid, scale, glyphs);
  // What does not fit below goes into a second column.
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto rows = static_cast<std::size_t>(canvas.rows());
    const int column = left + static_cast<int>(i / rows) * words_columns;
    if (i >= rows && column + words_columns > canvas.columns()) break;
    canvas.write(static_cast<int>(i % rows), column, words[i], Role::text, false,
                 std::max(0, words_columns - 1));
  }
}

}  // namespace tpulab
