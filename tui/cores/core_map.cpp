#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "engine/base/text.h"
#include "tui/cores/alike_devices.h"
#include "tui/cores/core_views.h"
#include "tui/draw/fit.h"
#include "tui/draw/widgets.h"

namespace tpulab {

namespace {

constexpr int words_columns = 32;
constexpr int least_words_columns = 29;
constexpr int label_columns = 7;  // "#9,152 "; none where there is no room
constexpr int wide = 60;

double busy_share(const CoreView& core) { return core.duty_cycle; }
double useful_share(const CoreView& core) { return core.utilisation; }
double memory_share(const CoreView& core) {
  return core.hbm_limit.value > 0 ? core.hbm_used / core.hbm_limit : 0;
}
double fallback_share(const CoreView& core) { return core.shares[index_of(Share::cpu_fallback)]; }

// Colours mean what they mean in every pane: grey waits, blue computes.
struct MetricLook {
  std::string_view name;
  std::string_view about;
  double (*share)(const CoreView& core);
  bool most_is_worst;  // what a cell shows of the devices it stands for
  Role role;
};
constexpr std::array<MetricLook, map_metrics> metric_looks{{
    {"wait", "waits for slower ones", wait_share, true, Role::idle},
    {"busy", "a program runs", busy_share, false, Role::compute},
    {"useful", "of the peak, unpadded", useful_share, false, Role::compute},
    {"HBM", "of the memory in use", memory_share, true, Role::text},
    {"fallback", "the CPU works", fallback_share, true, Role::fallback},
}};

const MetricLook& look_of(MapMetric metric) {
  return metric_looks.at(static_cast<std::size_t>(metric));
}

// The grid of cells: `group` neighbouring devices in one cell of so many rows and columns.
struct MapGrid {
  int group = 1;
  int across = 1;
  int cell_rows = 1;
  int cell_columns = 1;
};

// Powers of two, so that rows of the map are rows of the torus; near-square where there is room.
MapGrid grid_for(int cores, int rows, int columns) {
  MapGrid grid;
  int cells = cores;
  for (;; grid.group *= 2) {
    cells = (cores + grid.group - 1) / grid.group;
    grid.across = 1;
    while (grid.across * grid.across < cells || grid.across * rows < cells) grid.across *= 2;
    if (grid.across <= columns || cells <= 1) break;
  }
  grid.across = std::min(grid.across, std::max(1, columns));
  const int down = (cells + grid.across - 1) / grid.across;
  grid.cell_columns = std::clamp(columns / grid.across, 1, 8);
  grid.cell_rows = std::clamp(rows / std::max(1, down), 1, 3);
  return grid;
}

struct MapCell {
  bool used = false;
  bool slow = false;
  double share = 0;
};

std::vector<MapCell> cells_of(const Snapshot& now, const MapGrid& grid, const MetricLook& look) {
  const auto group = static_cast<std::size_t>(grid.group);
  std::vector<MapCell> cells((now.cores.size() + group - 1) / group);
  for (std::size_t i = 0; i < now.cores.size(); ++i) {
    if (!now.cores[i].used) continue;
    MapCell& cell = cells[i / group];
    const double share = look.share(now.cores[i]);
    const bool worse = look.most_is_worst ? share > cell.share : share < cell.share;
    if (!cell.used || worse) cell.share = share;
    cell.used = true;
  }
  for (const int device : slow_devices(now.cores)) {
    cells[static_cast<std::size_t>(device) / group].slow = true;
  }
  return cells;
}

// Of 100 %, whatever the figures are: a shade means the same in every run.
char32_t level_glyph(const MapCell& cell, Glyphs glyphs) {
  static constexpr char32_t shades[] = U"░▒▓█";
  const bool ascii = glyphs == Glyphs::ascii;
  if (!cell.used) return ascii ? U'.' : U' ';
  const double part = std::clamp(cell.share, 0.0, 1.0);
  if (ascii) return U'0' + static_cast<char32_t>(std::min(9.0, part * 10));
  if (part < 0.01) return U'·';
  return shades[static_cast<std::size_t>(std::min(3.0, part * 4))];
}

void draw_cell(Canvas& canvas, int row, int column, const MapGrid& grid, const MapCell& cell,
               const MetricLook& look, Glyphs glyphs) {
  const int gap = grid.cell_columns > 2 ? 1 : 0;
  for (int i = 0; i < grid.cell_rows - (grid.cell_rows > 2 ? 1 : 0); ++i) {
    for (int j = 0; j < grid.cell_columns - gap; ++j) {
      if (cell.slow) {
        canvas.put(row + i, column + j, U'!', Role::warning, true, true);
      } else {
        canvas.put(row + i, column + j, level_glyph(cell, glyphs),
                   cell.used ? look.role : Role::idle);
      }
    }
  }
}

std::vector<const CoreView*> used_worst_first(const Snapshot& now, const MetricLook& look) {
  std::vector<const CoreView*> used;
  for (const CoreView& core : now.cores) {
    if (core.used) used.push_back(&core);
  }
  std::ranges::stable_sort(used, [&look](const CoreView* a, const CoreView* b) {
    return look.most_is_worst ? look.share(*a) > look.share(*b) : look.share(*a) < look.share(*b);
  });
  return used;
}

struct MapLine {
  std::string text;
  Role role = Role::text;
};

// "#77", "host 1", "cores 8-15": those that the others wait for.
std::string short_name(const AlikeDevices& slow, const RunView& run) {
  const std::string name = name_of(slow, 2, run);
  if (slow.devices.size() == 1) return fmt::format("#{}", slow.devices.front());
  const std::size_t host = name.find(" (host ");
  return host == std::string::npos ? name : name.substr(host + 2, name.size() - host - 3);
}

// "! #77 slow: 2,047 wait", "  1.20 ms a step, on host 9"
void add_culprit(std::vector<MapLine>& lines, std::span<const AlikeDevices> groups,
                 const RunView& run) {
  const AlikeDevices& slow = groups.front();
  std::int64_t waiting = 0;
  Picoseconds longest{};
  for (const AlikeDevices& group : groups) {
    if (!group.each.used || group.slow) continue;
    waiting += std::ssize(group.devices);
    longest = std::max(longest, group.each.wait);
  }
  const std::string who = short_name(slow, run);
  lines.push_back(
      {fmt::format("! {} slow: {} wait", who, text_with_commas(waiting)), Role::warning});
  std::string where;
  if (slow.devices.size() > 1) {
    where = fmt::format(", #{}-{}", slow.devices.front(), slow.devices.back());
  } else if (run.devices_per_host > 0) {
    where = fmt::format(", on host {}", slow.devices.front() / run.devices_per_host);
  }
  lines.push_back({fmt::format("  {} a step{}", text_of(longest - slow.each.wait), where)});
}

std::vector<MapLine> lines_of(const Snapshot& now, const MapGrid& grid, const MetricLook& look,
                              Glyphs glyphs) {
  const std::string& device = now.run.device;
  const std::vector<const CoreView*> used = used_worst_first(now, look);
  if (used.empty()) {
    if (now.run.state != RunState::none) return {{fmt::format("no {} is used", device)}};
    return {{fmt::format("no run yet: every {} is off", device)}};
  }
  const auto percent = [&look](const CoreView& core) {
    return right_aligned(text_of_share(look.share(core)), 7);
  };
  const CoreView& median = *used[used.size() / 2];
  const std::string_view worst = look.most_is_worst ? "most" : "least";
  std::vector<MapLine> lines;
  const std::vector<AlikeDevices> groups = alike_devices(now.cores);
  if (groups.front().slow) add_culprit(lines, groups, now.run);
  lines.push_back({fmt::format("{} of {} {}s work{}", used.size(), now.cores.size(), device,
                               groups.size() == 1 ? ", alike" : "")});
  lines.push_back({fmt::format("{}: {}", look.name, look.about), Role::title});
  lines.push_back({glyphs == Glyphs::ascii ? "0-9 is 0-100 %" : "░▒▓█ 0-100 %, · under 1 %"});
  lines.push_back({fmt::format("{:<5}  {}", worst, percent(*used.front()))});
  lines.push_back({"median " + percent(median)});
  lines.push_back(
      {fmt::format("{:<5}  {}", look.most_is_worst ? "least" : "most", percent(*used.back()))});
  if (grid.group > 1)
    lines.push_back({fmt::format("a cell: the {} of {} {}s", worst, grid.group, device)});
  // Where all do the same, none stands out.
  const bool alike = look.share(*used.front()) == look.share(*used.back());
  if (!alike && !look.most_is_worst) {
    for (std::size_t i = 0; i < std::min<std::size_t>(3, used.size()); ++i) {
      lines.push_back({fmt::format("{} #{:<6}", worst, used[i]->index) + percent(*used[i])});
    }
  }
  return lines;
}

// What does not fit below goes into a second column.
void draw_lines(Canvas& canvas, int left, const std::vector<MapLine>& lines) {
  const int room = canvas.columns() - left;
  const auto rows = static_cast<std::size_t>(canvas.rows());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const int column = left + static_cast<int>(i / rows) * words_columns;
    if (i >= rows && column + words_columns > canvas.columns()) break;
    canvas.write(static_cast<int>(i % rows), column, lines[i].text, lines[i].role,
                 lines[i].role == Role::warning, std::clamp(room, 0, words_columns - 1));
  }
}

}  // namespace

std::string_view name_of(MapMetric metric) { return look_of(metric).name; }

void draw_core_map(const Snapshot& now, const ViewState& view, Canvas& canvas) {
  const auto count = static_cast<int>(now.cores.size());
  if (count == 0 || canvas.rows() == 0) return;
  const MetricLook& look = look_of(view.metric);
  const int labels = canvas.columns() < wide ? 0 : label_columns;
  const int words = canvas.columns() < wide ? least_words_columns : words_columns;
  const int map_columns = std::max(1, canvas.columns() - words - 2 - labels);
  const MapGrid grid = grid_for(count, canvas.rows(), map_columns);
  const std::vector<MapCell> cells = cells_of(now, grid, look);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const int row = static_cast<int>(i) / grid.across * grid.cell_rows;
    const int column = static_cast<int>(i) % grid.across;
    if (column == 0 && labels > 0) {
      const auto first = static_cast<std::int64_t>(i) * grid.group;
      canvas.write(row, 0, right_aligned("#" + text_with_commas(first), label_columns - 1),
                   Role::dim);
    }
    draw_cell(canvas, row, labels + column * grid.cell_columns, grid, cells[i], look, view.glyphs);
  }
  const int width = std::min(map_columns, grid.across * grid.cell_columns);
  draw_lines(canvas, labels + width + 2, lines_of(now, grid, look, view.glyphs));
}

}  // namespace tpulab
