// A curve with axes in any number of cells: braille dots, or one ASCII mark a cell.
#pragma once

#include <span>
#include <string>

#include "tui/draw/canvas.h"

namespace tpulab {

struct PlotPoint {
  double x = 0;
  double y = 0;
};

struct PlotLook {
  bool axis = true;  // labels at the left and below; left out by itself where there is no room
  std::string_view x_title;
};

// Points in any order; those that are not finite are left out. Where several fall on one column of
// dots, the span from the smallest to the largest is drawn, so that noise stays visible.
void draw_plot(Canvas& canvas, Rect area, std::span<const PlotPoint> points, const PlotLook& look,
               Glyphs glyphs);

}  // namespace tpulab
