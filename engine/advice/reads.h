// Values that the host reads in training steps.
#pragma once

#include "engine/advice/recorded_run.h"

namespace tpulab {

// Over the newest steady steps. Inside: another program of the step follows, so the graph was cut.
struct Reads {
  std::int64_t steps = 0;
  std::int64_t inside = 0;
  std::int64_t after = 0;
  std::int64_t least_after = 0;  // of any one step
  Picoseconds inside_time{};     // waiting for the devices included
  Picoseconds after_time{};
  std::int64_t newest_inside = -1;  // the step of the newest one
};

Reads reads_of(const RecordedRun& run);

}  // namespace tpulab
