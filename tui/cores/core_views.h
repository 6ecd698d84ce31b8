// Four ways to show the devices of a slice: a wide tile for all that do the same, framed tiles, one
// row each, a heat map.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "engine/session/snapshot.h"
#include "tui/panels/panel.h"

namespace tpulab {

inline constexpr int most_tiled_cores = 16;  // above that, the heat map
inline bool has_map(const Snapshot& now) { return std::ssize(now.cores) > most_tiled_cores; }

// Devices that do the same share a tile; odd ones have their own, first and named. The height is
// the same however many tiles there are, so that nothing moves when one falls behind.
inline constexpr int alike_rows = 7;          // tiles in frames, side by side
inline constexpr int alike_compact_rows = 6;  // below each other, under rules
inline constexpr int most_alike_tiles = 3;
void draw_alike_devices(const Snapshot& now, const ViewState& view, Canvas& canvas);

// Tiles side by side; height 0: they do not fit into `rows` x `columns`.
struct TileGrid {
  int per_row = 0;
  int height = 0;
};
TileGrid tile_grid(int cores, int columns, int rows);
void draw_core_tiles(const Snapshot& now, Canvas& canvas, Glyphs glyphs);

// Rows needed with one row a core and a header, in as many columns as fit.
int core_list_rows(int cores, int columns);
void draw_core_list(const Snapshot& now, Canvas& canvas, Glyphs glyphs);

// One metric on a fixed scale of 0 to 100 %. A cell shows the worst of the devices it stands for,
// never the mean; those that the others wait for are marked and named first.
void draw_core_map(const Snapshot& now, const ViewState& view, Canvas& canvas);
// What of the devices a shade can show: that some wait for others, else how busy they are.
MapMetric fitting_metric(const Snapshot& now);
// Of the map in the focused pane, whose size the view has: its cells, the one beside the chosen one
// (-1 at the edge), and the worst device of the chosen one.
int cells_of_map(const Snapshot& now, const ViewState& view);
std::optional<int> neighbour_on_map(const Snapshot& now, const ViewState& view, int rows,
                                    int columns);
const CoreView& chosen_on_map(const Snapshot& now, const ViewState& view);
// "core 1 of chip (6, 1), host 9"
std::string place_of_device(const Snapshot& now, int device);

// The mean over the cores that take part; all zero if none does.
Shares mean_shares(std::span<const CoreView> cores);
// The share other than compute that took most of a core's time.
Share largest_other(const Shares& shares);
// Upper end of the duty-cycle scale that all cores share: a round number.
double duty_scale(std::span<const CoreView> cores);

}  // namespace tpulab
