#include "engine/session/run/run_timeline.h"

#include <algorithm>

namespace tpulab {

TimeSpan RunTimeline::span() const {
  if (blocks.empty()) return {};
  return {blocks.front()->front().begin, blocks.back()->back().end()};
}

std::size_t RunTimeline::first_lane(TimelineRow row) const {
  return static_cast<std::size_t>(std::ranges::find(lanes, row, &TimelineLane::row) -
                                  lanes.begin());
}

}  // namespace tpulab
