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
  std::vector<StepRecord> records;  // the newest of those since its settings changed
  Counters counters;
  RunCurves curves;  // of the whole run
};

// Its records in TPU time since the run began, of which they may be the newest part.
std::vector<StepTimeline> timeline_of(const RunEvidence& run, Detail detail);
// Programs that it found compiled by an earlier run.
std::int64_t found_programs(const RunEvidence& run);
// The step that this timeline of it begins with; 0: it is of the whole run.
std::int64_t first_step_of(const RunEvidence& run, const std::vector<StepTimeline>& timeline);

}  // namespace tpulab
