// What is known of a run that goes on or has ended, as far as its newest records tell.
#pragma once

#include <vector>

#include "engine/runtime/counters.h"
#include "engine/runtime/simulate.h"
#include "engine/session/run/run_record.h"
#include "engine/session/settings/settings.h"

namespace tpulab {

struct RunEvidence {
  std::int64_t number = 0;
  Settings settings;  // its own
  Machine machine;
  std::vector<StepRecord> records;  // since the last change of its settings
  Counters counters;
  RunCurves curves;    // of the whole run
  bool ended = false;  // no step follows the newest record
};

// Its records in TPU time.
std::vector<StepTimeline> timeline_of(const RunEvidence& run, Detail detail);

}  // namespace tpulab
