#include "engine/session/run_timeline.h"

namespace tpulab {

TimeSpan RunTimeline::span() const {
  if (blocks.empty()) return {};
  return {blocks.front()->front().begin, blocks.back()->back().end()};
}

}  // namespace tpulab
