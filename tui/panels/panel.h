// A panel is a constant row in a file of its own here: a snapshot -> cells.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/session/snapshot.h"
#include "tui/draw/canvas.h"
#include "tui/timeline/time_axis.h"

namespace tpulab {

// What the map of a pod shows of each device.
enum class MapMetric : std::uint8_t { wait, busy, useful, memory, fallback, link };
inline constexpr int map_metrics = 6;
std::string_view name_of(MapMetric metric);  // "wait"

struct PricedProgram;

inline constexpr int default_kernel_field = 1;  // the time

// What a panel may know beside the snapshot.
struct ViewState {
  Glyphs glyphs = Glyphs::unicode;
  bool compact = false;      // 80x24: no borders
  bool each_device = false;  // a tile for each, also for those that do the same
  MapMetric metric = MapMetric::wait;
  std::string_view zoomed;                 // the panel that has the screen for itself; empty: none
  int output_scroll = 0;                   // lines back from the newest
  std::span<const OutputLine> output;      // engine lines and replies, merged
  std::string_view focused;                // the panel that keys act on; empty: the prompt has them
  int chosen = 0;                          // in that panel, counted from 0; may be too large
  const PricedProgram* program = nullptr;  // the newest step's kernels, for who looks into a core
  std::int64_t clock = 0;                  // of the chosen kernel's product
  TimeView time;                           // of the timeline
  TimeView beside;                         // of two runs
  int pane_columns = 0;                    // of the focused pane, inside its edge
  int pane_rows = 0;
  std::string_view sought;                  // in the output; empty: nothing
  std::string_view sought_kernel;           // only those whose name or bound holds it; empty: all
  int kernel_field = default_kernel_field;  // what kernels are sorted by (kernel_fields.h)
  bool roofline = false;                    // in place of the list of kernels
};

// What Enter shows of what is chosen.
struct Opened {
  std::string title;
  std::vector<std::string> lines;
  std::string command = {};  // whose answer follows the lines; empty: none
};

struct Panel {
  std::string_view name;  // "cores", "strip", "loss", "compiles", "fallbacks", "output"
  std::string_view title;
  // Draws into a canvas of exactly the panel's inner size (inside the border if there is one).
  void (*draw)(const Snapshot& now, const ViewState& view, Canvas& canvas);
  // Text right of the title, for example counts; may be null.
  std::string (*caption)(const Snapshot& now) = nullptr;
  // How many items can be chosen; null: none. draw() marks where they are.
  int (*items)(const Snapshot& now, const ViewState& view) = nullptr;
  // Of the chosen item, or of the pane; also where there is nothing yet. Null: Enter zooms.
  Opened (*open)(const Snapshot& now, const ViewState& view) = nullptr;
  bool side_by_side = false;  // the items
  // The item above, below or beside the chosen one, -1 at the edge; nothing where items lie one
  // after the other. Null: they always do.
  std::optional<int> (*neighbour)(const Snapshot& now, const ViewState& view, int rows,
                                  int columns) = nullptr;
};

std::span<const Panel* const> all_panels();
const Panel& panel_named(std::string_view name);

}  // namespace tpulab
