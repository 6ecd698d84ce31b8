// The rows of a timeline: what a lane did, what the run waited for, and the axis below them.
#pragma once

#include <vector>

#include "tui/draw/canvas.h"
#include "tui/timeline/cells.h"

namespace tpulab {

inline constexpr int timeline_axis_rows = 2;

// Over `rows` rows, the lowest last; bold where the run waited for it.
void draw_timeline_lane(Canvas& canvas, int row, int rows, const std::vector<TimelineCell>& cells,
                        const std::vector<bool>& on_path, Glyphs glyphs);
// The path says at each moment what all waited for, however little of the cell it is.
void draw_timeline_path(Canvas& canvas, int row, const std::vector<TimelineCell>& cells,
                        Glyphs glyphs);
// Time since the window's begin above the steps; "//" where a compile is cut short.
void draw_timeline_axis(Canvas& canvas, int row, const RunTimeline& timeline, const TimeAxis& axis,
                        Glyphs glyphs);

}  // namespace tpulab
