#include "tui/screen/layout.h"

#include <algorithm>

#include "tui/cores/core_views.h"

namespace tpulab {

namespace {

constexpr int bottom_rows = 2;           // hint and prompt
constexpr int least_with_kernels = 180;  // columns: loss, kernels and events side by side

LayoutKind kind_for(int rows, int columns) {
  if (rows >= 30 && columns >= 100) return LayoutKind::bordered;
  if (rows >= 24 && columns >= 80) return LayoutKind::compact;
  if (rows >= least_rows && columns >= least_columns) return LayoutKind::reduced;
  return LayoutKind::tiny;
}

struct Devices {
  int count = 0;
  bool each = false;    // one by one, not those that do the same as one
  int first_row = 1;    // of their pane
  bool differ = false;  // on small screens the lanes need a row that names their signs
  bool alike() const { return count <= most_tiled_cores && !each; }
};

// Tiles draw frames of their own; a list and a map get one.
PlacedPane cores_pane(const Devices& devices, int columns, int rows_to_spare) {
  const int cores = devices.count;
  if (devices.alike() && cores > 0) {
    return {"cores", {devices.first_row, 0, alike_rows, columns}, Edge::none};
  }
  const TileGrid grid = tile_grid(cores, columns, rows_to_spare);
  if (grid.height > 0) return {"cores", {devices.first_row, 0, grid.height, columns}, Edge::none};
  const int list = core_list_rows(cores, columns - 2) + 2;
  const bool listed = cores <= most_tiled_cores && list <= rows_to_spare;
  const int tall = rows_to_spare >= 40 ? 36 : 14;  // a row for each of 32 chips
  const int map = std::min(rows_to_spare, std::max(tall, columns / 10));
  return {"cores", {devices.first_row, 0, listed ? list : map, columns}, Edge::frame};
}

// Compiles over fallbacks.
void add_events(std::vector<PlacedPane>& panes, const Rect& area) {
  const int above = (area.rows + 1) / 2;
  panes.push_back({"compiles", {area.row, area.column, above, area.columns}, Edge::frame});
  panes.push_back(
      {"fallbacks", {area.row + above, area.column, area.rows - above, area.columns}, Edge::frame});
}

// Loss and, beside it, what compiled and fell back; where there is room, the kernels between them.
void add_middle(std::vector<PlacedPane>& panes, const Rect& area) {
  const bool three = area.columns >= least_with_kernels;
  const int loss = area.columns * (three ? 8 : 9) / 25;
  const int kernels = three ? area.columns * 9 / 25 : 0;
  panes.push_back({"loss", {area.row, 0, area.rows, loss}, Edge::frame});
  if (three) panes.push_back({"profile", {area.row, loss, area.rows, kernels}, Edge::frame});
  add_events(panes, {area.row, loss + kernels, area.rows, area.columns - loss - kernels});
}

// Status | cores | steps | loss, kernels, events | output.
std::vector<PlacedPane> bordered_panes(int rows, int columns, const Devices& devices) {
  constexpr int least_below_cores = 20;
  const int available = rows - devices.first_row - bottom_rows;
  std::vector<PlacedPane> panes{cores_pane(devices, columns, available - least_below_cores)};
  int row = devices.first_row + panes[0].area.rows;
  int left = available - panes[0].area.rows;
  // Tiles have the legend: then three lanes and their steps.
  const int steps = devices.alike() ? 6 : std::clamp(left * 3 / 10, 6, 8);
  panes.push_back({"strip", {row, 0, steps, columns}, Edge::frame});
  row += steps;
  left -= steps;
  const int output = left * 2 / 5;
  add_middle(panes, {row, 0, left - output, columns});
  panes.push_back({"output", {row + left - output, 0, output, columns}, Edge::frame});
  return panes;
}

// Status | cores and, beside them, loss | steps | compiles beside fallbacks | output.
std::vector<PlacedPane> compact_panes(int rows, int columns, const Devices& devices) {
  constexpr int map_rows = 8;
  const bool mapped = devices.count > most_tiled_cores;
  const int least_output = mapped && devices.differ ? 4 : 5;
  const int least_below_cores = 7 + least_output;  // steps 4, events 3
  const int available = rows - devices.first_row - bottom_rows;
  const int core_columns = std::max(48, columns / 2);
  const int loss_start = core_columns + 1;
  const int listed = mapped ? map_rows : core_list_rows(devices.count, core_columns);
  const int core_rows = std::clamp(devices.alike() ? alike_compact_rows : listed,
                                   alike_compact_rows, available - least_below_cores);
  int spare = available - least_below_cores - core_rows;
  const int extra_key = devices.differ ? std::min(1, spare) : 0;
  const int extra_events = std::min(2, spare - extra_key);  // a whole cause
  const int extra_steps = extra_key > 0 || spare - extra_events > 1 ? 1 : 0;
  spare -= extra_events + extra_steps;
  int row = devices.first_row;
  std::vector<PlacedPane> panes{
      {"cores", {row, 0, core_rows, core_columns}, devices.count > 0 ? Edge::none : Edge::rule},
      {"loss", {row, loss_start, core_rows, columns - loss_start}, Edge::rule}};
  row += core_rows;
  panes.push_back({"strip", {row, 0, 4 + extra_steps, columns}, Edge::rule});
  row += 4 + extra_steps;
  const int events = 3 + extra_events;
  const int half = columns / 2;
  panes.push_back({"compiles", {row, 0, events, half}, Edge::rule});
  panes.push_back({"fallbacks", {row, half, events, columns - half}, Edge::rule});
  row += events;
  panes.push_back({"output", {row, 0, least_output + spare, columns}, Edge::rule});
  return panes;
}

}  // namespace

Layout layout_for(int rows, int columns, int cores, bool each_device, bool differ) {
  const Devices devices{cores, each_device, status_rows(rows), differ};
  Layout layout{kind_for(rows, columns), {}};
  if (layout.kind == LayoutKind::bordered) layout.panes = bordered_panes(rows, columns, devices);
  if (layout.kind == LayoutKind::compact) layout.panes = compact_panes(rows, columns, devices);
  return layout;
}

Layout zoomed_layout(int rows, int columns, std::string_view panel) {
  Layout layout{kind_for(rows, columns), {}};
  if (layout.kind == LayoutKind::tiny) return layout;
  const int first = status_rows(rows);
  const Rect area{first, 0, rows - first - bottom_rows, columns};
  layout.panes.push_back({panel, area, Edge::frame});
  return layout;
}

Rect inside_of(const PlacedPane& pane) {
  const Rect& area = pane.area;
  switch (pane.edge) {
    case Edge::none:
      return area;
    case Edge::rule:
      return {area.row + 1, area.column + 1, std::max(0, area.rows - 1),
              std::max(0, area.columns - 2)};
    case Edge::frame:
      return {area.row + 1, area.column + 2, std::max(0, area.rows - 2),
              std::max(0, area.columns - 4)};
  }
  return area;
}

}  // namespace tpulab
