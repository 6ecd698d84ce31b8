// What is under the cursor of a run's timeline: what, how long, and why.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tui/timeline/cells.h"

namespace tpulab {

inline constexpr int timeline_label_columns = 14;  // "host of core 5"
// Of the axis, in a pane of so many columns inside its edge.
constexpr int timeline_columns(int pane_columns) {
  return pane_columns - timeline_label_columns - 1;
}
TimeAxis timeline_axis(const RunTimeline& timeline, const TimeView& view, int columns);

// The lanes in which something happened, from the top; the path comes last.
std::vector<std::size_t> timeline_lanes(const RunTimeline& timeline);
std::string_view timeline_label(const RunTimeline& timeline, std::size_t lane);
std::int64_t timeline_step_at(const RunTimeline& timeline, Picoseconds time);

struct TimelineCursor {
  std::size_t lane = 0;
  int column = 0;
  TimelineFound found;
};
// `chosen_lane` counts the lanes shown.
TimelineCursor timeline_cursor(const RunTimeline& timeline, const TimeAxis& axis,
                               const TimeView& view, int chosen_lane);
// "cores 0-7, step 112 (train): dot+add+maximum, 5.73 us"
std::string timeline_what(const RunTimeline& timeline, const TimelineCursor& cursor);
// What explains it: where the lane idles or waits, or is the path's, what the run waited for then.
TimelineCursor timeline_reason(const RunTimeline& timeline, const TimeAxis& axis,
                               const TimelineCursor& cursor);
std::string timeline_why(const RunTimeline& timeline, const TimeAxis& axis,
                         const TimelineCursor& cursor);

}  // namespace tpulab
