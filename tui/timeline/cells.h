// What each lane of a run's timeline did in each column of a time axis.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/session/run/run_timeline.h"
#include "tui/timeline/time_axis.h"

namespace tpulab {

struct TimelineCell {
  Share share = Share::idle;  // what counts most in it
  double covered = 0;         // of the cell by anything, at most 1
};

// A row of cells for each lane, the last row is the path's. Steps narrower than a cell are added up
// by their description, so it takes no longer for many.
using TimelineCells = std::vector<std::vector<TimelineCell>>;
TimelineCells timeline_cells(const RunTimeline& timeline, const TimeAxis& axis);

// The lane on which the path is while it does that; none while it idles.
std::optional<std::size_t> lane_of_path(const RunTimeline& timeline, Share share);

// What of a lane fills most of a moment, of the path where `lane` is their number.
struct TimelineFound {
  std::string kind;  // of the step
  std::int64_t step = 0;
  std::int64_t steps = 0;  // above 1: it is no single thing, but what so many steps did most
  TimeSpan time{};
  Share share = Share::idle;
  double part = 0;   // of the moment
  std::string name;  // "dot+add+maximum", "host tracing"
  std::string why;   // may be empty
  bool kernel = false;
  std::shared_ptr<const StepShape> shape{};  // of the step; null where there are several
};
TimelineFound found_at(const RunTimeline& timeline, std::size_t lane, TimeSpan moment);

// Shares of the path's time in the window.
Shares path_shares(const RunTimeline& timeline, TimeSpan window);

}  // namespace tpulab
