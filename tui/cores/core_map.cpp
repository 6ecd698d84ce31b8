#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "engine/base/text.h"
#include "engine/session/answers/priced_program.h"
#include "tui/cores/alike_devices.h"
#include "tui/cores/core_views.h"
#include "tui/cores/pod_grid.h"
#include "tui/draw/fit.h"
#include "tui/draw/widgets.h"

namespace tpulab {

namespace {

constexpr int words_columns = 32;
constexpr int least_words_columns = 29;
constexpr int wide = 60;
constexpr double least_shaded = 0.01;

double busy_share(const CoreView& core) { return core.duty_cycle; }
double useful_share(const CoreView& core) { return core.utilisation; }
double memory_share(const CoreView& core) {
  return core.hbm_limit.value > 0 ? core.hbm_used / core.hbm_limit : 0;
}
double link_share(const CoreView& core) {
  return core.shares[index_of(Share::collective_transfer)];
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
    {"link", "all-reduce, not hidden", link_share, true, Role::collective},
}};

const MetricLook& look_of(MapMetric metric) {
  return metric_looks.at(static_cast<std::size_t>(metric));
}

// All of it on a canvas of some size.
struct PodMap {
  const MetricLook& look;
  PodShape shape;
  PodGrid grid;
  int cursor;  // the chosen cell; -1: none
};

PodMap pod_map(const Snapshot& now, const ViewState& view, int rows, int columns) {
  const PodShape shape = pod_shape(now.run, static_cast<int>(now.cores.size()));
  const int words = columns < wide ? least_words_columns : words_columns;
  const PodGrid grid(shape, rows, std::max(1, columns - words - 2));
  const int last = grid.cells() - 1;
  const int cursor = view.focused == "cores" ? std::clamp(view.chosen, 0, last) : -1;
  return {look_of(view.metric), shape, grid, cursor};
}

struct MapCell {
  bool used = false;
  bool slow = false;
  double share = 0;
};

std::vector<MapCell> cells_of(const Snapshot& now, const PodGrid& grid, const MetricLook& look) {
  std::vector<MapCell> cells(static_cast<std::size_t>(grid.cells()));
  for (const CoreView& core : now.cores) {
    if (!core.used) continue;
    MapCell& cell = cells[static_cast<std::size_t>(grid.cell_of(core.index))];
    const double share = look.share(core);
    const bool worse = look.most_is_worst ? share > cell.share : share < cell.share;
    if (!cell.used || worse) cell.share = share;
    cell.used = true;
  }
  for (const int device : slow_devices(now.cores)) {
    cells[static_cast<std::size_t>(grid.cell_of(device))].slow = true;
  }
  const int on_chip = now.run.torus.devices_per_chip;
  const int linked = now.run.slow_link * on_chip;
  for (int device = std::max(linked, 0); device < linked + on_chip; ++device) {
    cells[static_cast<std::size_t>(grid.cell_of(device))].slow = true;
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
  if (part < least_shaded) return U'·';
  return shades[static_cast<std::size_t>(std::min(3.0, part * 4))];
}

void draw_cell(Canvas& canvas, const Rect& place, const MapCell& cell, const MetricLook& look,
               Glyphs glyphs) {
  for (int i = 0; i < place.rows; ++i) {
    for (int j = 0; j < place.columns; ++j) {
      if (cell.slow) {
        canvas.put(place.row + i, place.column + j, U'!', Role::warning, true, true);
      } else {
        canvas.put(place.row + i, place.column + j, level_glyph(cell, glyphs),
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

// The device of a cell that is worst, or the one the others wait for.
const CoreView* worst_of(const Snapshot& now, const std::vector<int>& devices,
                         const MetricLook& look) {
  const std::vector<int> slow = slow_devices(now.cores);
  const CoreView* worst = nullptr;
  for (const int device : devices) {
    const CoreView& core = now.cores[static_cast<std::size_t>(device)];
    if (std::ranges::binary_search(slow, device)) return &core;
    if (!core.used) continue;
    const bool worse =
        worst == nullptr || (look.most_is_worst ? look.share(core) > look.share(*worst)
                                                : look.share(core) < look.share(*worst));
    if (worse) worst = &core;
  }
  return worst != nullptr || devices.empty()
             ? worst
             : &now.cores[static_cast<std::size_t>(devices.front())];
}

std::string place_words(const PodShape& shape, int device) {
  const int on_chip = shape.torus.devices_per_chip;
  const std::string chip = "chip " + coordinates_of(shape, device);
  return on_chip > 1 ? fmt::format("core {} of {}", device % on_chip, chip) : chip;
}

// Of the cursor: "> #77 on host 9", where it is and what it does.
void add_cursor(std::vector<MapLine>& lines, const Snapshot& now, const PodMap& map) {
  const std::vector<int> devices = map.grid.devices_of(map.cursor);
  const CoreView* core = worst_of(now, devices, map.look);
  if (core == nullptr) return;
  std::string name = fmt::format("> #{}", core->index);
  if (map.shape.devices_per_host > 0) {
    name += fmt::format(" on host {}", core->index / map.shape.devices_per_host);
  }
  if (devices.size() > 1) name += fmt::format(", worst of {}", devices.size());
  lines.push_back({name, Role::title});
  lines.push_back({"  " + place_words(map.shape, core->index)});
  if (!core->used) {
    lines.push_back({"  not used by this run", Role::dim});
    return;
  }
  lines.push_back({fmt::format("  wait {}, busy {}", text_of_share(wait_share(*core)),
                               text_of_share(core->duty_cycle))});
  lines.push_back({fmt::format("  useful {}, link {}", text_of_share(core->utilisation),
                               text_of_share(link_share(*core)))});
  lines.push_back({fmt::format("  HBM {}", text_of(core->hbm_used))});
}

// What each link carries, of its peak: "x ring of 32: 3.1 % of a link".
void add_links(std::vector<MapLine>& lines, const Snapshot& now, const PodShape& shape,
               const LinkLoad& links) {
  const double step = in_seconds(now.run.step_time);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (links.carried[axis].value <= 0 || step <= 0 || links.bytes <= 0) continue;
    const double load = static_cast<double>(links.carried[axis].value) / step / links.bytes;
    lines.push_back({fmt::format("{} {} of {}: {} of a link", "xyz"[axis],
                                 shape.torus.rings[axis] ? "ring" : "line", shape.torus.chips[axis],
                                 text_of_share(load))});
    lines.push_back({fmt::format("  {} a step each way", text_of(links.carried[axis]))});
  }
}

// "all 2048 cores, last 16 steps": what the figures are of.
std::string span_of_figures(const Snapshot& now, std::size_t used) {
  const std::size_t all = now.cores.size();
  const std::string of = used < all ? fmt::format("{} of", used) : "all";
  const std::int64_t steps = now.run.recent_steps;
  const std::string span = steps > 1 ? fmt::format(", last {} steps", steps) : "";
  return fmt::format("{} {} {}s{}", of, all, now.run.device, span);
}

std::vector<MapLine> lines_of(const Snapshot& now, const PodMap& map, const ViewState& view) {
  const MetricLook& look = map.look;
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
  if (now.run.slow_link >= 0) {
    const int first = now.run.slow_link * now.run.torus.devices_per_chip;
    lines.push_back({fmt::format("! links of chip {} slow", now.run.slow_link), Role::warning});
    const SlowPart& slow = now.run.slow;
    if (!slow.empty() && !slow.hidden) {
      lines.push_back({fmt::format("  all exchange {} longer", text_of(slow.costs))});
    }
    lines.push_back({"  chip " + coordinates_of(map.shape, first)});
  }
  const MapLine metric{fmt::format("{}: {}", look.name, look.about), Role::title};
  if (map.cursor >= 0) {  // whose lines may be all that fits behind it
    lines.push_back(metric);
    add_cursor(lines, now, map);
  }
  lines.push_back({span_of_figures(now, used.size())});
  if (map.cursor < 0) lines.push_back(metric);
  lines.push_back({view.glyphs == Glyphs::ascii ? "0-9 is 0-100 %" : "░▒▓█ 0-100 %, · under 1 %"});
  if (map.grid.group() > 1) {
    lines.push_back({fmt::format("a cell: the {} of {} {}s", worst, map.grid.group(), device)});
  }
  lines.push_back({fmt::format("{:<5}  {}", worst, percent(*used.front()))});
  lines.push_back(
      {fmt::format("median {}, {} {}", percent(median), look.most_is_worst ? "least" : "most",
                   text_of_share(look.share(*used.back())))});
  if (view.metric == MapMetric::link && view.program != nullptr) {
    add_links(lines, now, map.shape, view.program->links);
  }
  // Where all do the same, none stands out.
  const bool alike = std::abs(look.share(*used.front()) - look.share(*used.back())) < least_shaded;
  if (!alike && !look.most_is_worst && !groups.front().slow) {
    for (std::size_t i = 0; i < std::min<std::size_t>(3, used.size()); ++i) {
      lines.push_back({fmt::format("{} #{:<6}", worst, used[i]->index) + percent(*used[i])});
    }
  }
  return lines;
}

// Below the map, where there is room: what those that do the same do with their time.
void draw_groups(Canvas& canvas, const Snapshot& now, const ViewState& view) {
  if (canvas.rows() > alike_rows) {
    Canvas tiles(alike_rows, canvas.columns());
    draw_alike_devices(now, view, tiles);
    for (int row = 0; row < tiles.rows(); ++row) {  // of the map cells alone can be chosen
      for (int column = 0; column < tiles.columns(); ++column) {
        const Cell& cell = tiles.at(row, column);
        canvas.put(row + 1, column, cell.glyph, cell.role, cell.bold, cell.reverse);
      }
    }
    return;
  }
  const std::vector<AlikeDevices> groups = alike_devices(now.cores);
  constexpr int label_columns = 18;
  const int bars = std::min(canvas.rows() - 1, static_cast<int>(groups.size()));
  for (int i = 0; i < bars; ++i) {
    const AlikeDevices& group = groups[static_cast<std::size_t>(i)];
    if (!group.each.used) continue;
    const std::string name = name_of(group, groups.size(), now.run);
    canvas.write(i, 0, clipped(name, label_columns, view.glyphs), Role::text);
    draw_named_share_bar(canvas, i, label_columns + 1, canvas.columns() - label_columns - 1,
                         group.each.shares, view.glyphs);
  }
  if (bars < 1 || view.zoomed.empty()) return;  // the steps below it have one
  draw_legend(canvas, {bars, 0, canvas.rows() - bars, canvas.columns()}, mean_shares(now.cores),
              view.glyphs);
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

MapMetric fitting_metric(const Snapshot& now) {
  const auto shows = [](const CoreView& core) { return wait_share(core) >= least_shaded; };
  return std::ranges::any_of(now.cores, shows) ? MapMetric::wait : MapMetric::busy;
}

std::optional<int> neighbour_on_map(const Snapshot& now, const ViewState& view, int rows,
                                    int columns) {
  const PodMap map = pod_map(now, view, view.pane_rows, view.pane_columns);
  return map.grid.neighbour(std::max(0, view.chosen), rows, columns);
}

int cells_of_map(const Snapshot& now, const ViewState& view) {
  return pod_map(now, view, view.pane_rows, view.pane_columns).grid.cells();
}

const CoreView& chosen_on_map(const Snapshot& now, const ViewState& view) {
  const PodMap map = pod_map(now, view, view.pane_rows, view.pane_columns);
  const CoreView* core = worst_of(now, map.grid.devices_of(std::max(0, map.cursor)), map.look);
  return core != nullptr ? *core : now.cores.front();
}

std::string place_of_device(const Snapshot& now, int device) {
  const PodShape shape = pod_shape(now.run, static_cast<int>(now.cores.size()));
  std::string words = place_words(shape, device);
  if (shape.devices_per_host > 0) {
    words += fmt::format(", host {}", device / shape.devices_per_host);
  }
  return words;
}

void draw_core_map(const Snapshot& now, const ViewState& view, Canvas& canvas) {
  if (now.cores.empty() || canvas.rows() == 0) return;
  const PodMap map = pod_map(now, view, canvas.rows(), canvas.columns());
  const std::vector<MapCell> cells = cells_of(now, map.grid, map.look);
  map.grid.draw_labels(canvas, view.glyphs);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Rect place = map.grid.place_of(static_cast<int>(i));
    draw_cell(canvas, place, cells[i], map.look, view.glyphs);
    canvas.mark(place, static_cast<int>(i));
  }
  draw_lines(canvas, map.grid.columns() + 2, lines_of(now, map, view));
  const bool works = std::ranges::any_of(now.cores, &CoreView::used);
  const int spare = canvas.rows() - map.grid.rows();
  if (!works || spare < 2 || map.grid.columns() < wide) return;
  Canvas groups(spare, map.grid.columns());  // beside the words
  draw_groups(groups, now, view);
  canvas.paste(groups, map.grid.rows(), 0);
}

}  // namespace tpulab
