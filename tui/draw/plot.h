// A curve with axes in any number of cells: braille dots, or one ASCII mark a cell.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "tui/draw/canvas.h"

namespace tpulab {

struct PlotPoint {
  double x = 0;
  double y = 0;
};

struct PlotLook {
  bool axis = true;  // labels at the left and below; left out by itself where there is no room
  std::string_view x_title;
  // Earlier curves, dotted and dim behind it. They widen the axes, but x no further than this and
  // y to no more than twice what the curve itself reaches.
  std::span<const std::vector<PlotPoint>> behind{};
  double furthest_x = std::numeric_limits<double>::infinity();
};

// Points in any order; those that are not finite are left out. Where several fall on one column of
// dots, the span from the smallest to the largest is drawn, so that noise stays visible.
void draw_plot(Canvas& canvas, Rect area, std::span<const PlotPoint> points, const PlotLook& look,
               Glyphs glyphs);

}  // namespace tpulab
