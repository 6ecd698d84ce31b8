// Values that the host reads in training steps.
#pragma once

#include "engine/advice/recorded_run.h"

namespace tpulab {

// Over the newest steady steps. Inside: another program of the step follows, so the graph was cut.
// Times include waiting for the devices.
struct Reads {
  std::int64_t steps = 0;
  std::int64_t inside = 0;          // those of a bar not counted
  std::int64_t steps_inside = 0;    // that have some
  std::int64_t newest_inside = -1;  // the step of the newest one
  Picoseconds inside_time{};
  std::int64_t of_bar = 0;  // inside, between the batches of a step
  Picoseconds bar_time{};
  std::int64_t after = 0;
  std::int64_t least_after = 0;  // of any one step
  Picoseconds after_time{};
};

Reads reads_of(const RecordedRun& run);

}  // namespace tpulab
