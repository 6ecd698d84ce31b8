// Where each pane goes on a screen of a given size. Pure: depends on sizes only, never on figures,
// so that nothing jumps while a run goes on.
#pragma once

#include <string_view>
#include <vector>

#include "tui/draw/canvas.h"

namespace tpulab {

enum class LayoutKind : std::uint8_t {
  tiny,      // below 60x16: status line and prompt
  reduced,   // from 60x16: figures in words, output
  compact,   // from 80x24: every pane, rules instead of frames
  bordered,  // from 100x30: frames, tiles, two columns
};

enum class Edge : std::uint8_t { none, rule, frame };

struct PlacedPane {
  std::string_view panel;
  Rect area;  // edge included
  Edge edge = Edge::none;
};

struct Layout {
  LayoutKind kind = LayoutKind::tiny;
  std::vector<PlacedPane> panes;  // empty for tiny screens, and reduced ones unless one is zoomed
};

inline constexpr int least_rows = 16;
inline constexpr int least_columns = 60;

// With the advice below it where there is room; on small screens the hint line says it.
constexpr int status_rows(int screen_rows) { return screen_rows >= 26 ? 2 : 1; }

// The first rows are the status line's; the last two are the hint line and the prompt.
// `each_device`: devices that do the same are not drawn as one.
Layout layout_for(int rows, int columns, int cores, bool each_device = false, bool differ = false);
// One pane has all of the room that a layout's panes share; none on tiny screens.
Layout zoomed_layout(int rows, int columns, std::string_view panel);

// The cells inside the edge.
Rect inside_of(const PlacedPane& pane);

}  // namespace tpulab
