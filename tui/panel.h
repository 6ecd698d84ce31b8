// A panel is a constant row in a file of its own (tui/panels): a snapshot -> cells.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/session/snapshot.h"
#include "tui/canvas.h"

namespace tpulab {

enum class Glyphs : std::uint8_t { unicode, ascii };

// What the map of a pod shows of each device.
enum class MapMetric : std::uint8_t { wait, busy, useful, memory, fallback };
inline constexpr int map_metrics = 5;
std::string_view name_of(MapMetric metric);  // "wait"

// What a panel may know beside the snapshot.
struct ViewState {
  Glyphs glyphs = Glyphs::unicode;
  bool compact = false;      // 80x24: no borders
  bool each_device = false;  // a tile for each, also for those that do the same
  MapMetric metric = MapMetric::wait;
  std::string_view zoomed;             // the panel that has the screen for itself; empty: none
  int output_scroll = 0;               // lines back from the newest
  std::span<const OutputLine> output;  // engine lines and replies, merged
};

struct Panel {
  std::string_view name;  // "cores", "strip", "loss", "compiles", "fallbacks", "output"
  std::string_view title;
  // Draws into a canvas of exactly the panel's inner size (inside the border if there is one).
  void (*draw)(const Snapshot& now, const ViewState& view, Canvas& canvas);
  // Text right of the title, for example counts; may be null.
  std::string (*caption)(const Snapshot& now) = nullptr;
};

std::span<const Panel* const> all_panels();
const Panel& panel_named(std::string_view name);

}  // namespace tpulab
