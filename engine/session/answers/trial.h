// A run tried out, from a cold start to its end and without numbers. What advice says of a change
// is what whatif says of it, and the summary of the run with it.
#pragma once

#include <stop_token>
#include <vector>

#include "engine/advice/recorded_run.h"
#include "engine/session/settings/settings.h"

namespace tpulab {

// TPU time throughout, estimated. Of a run without end: its first 600 steps.
struct Trial {
  double steady_rate = 0;  // samples a second, of steps that compile nothing
  // Samples a second of the whole time; 0 of a run that is longer than 100 days, or has let go of
  // how it began.
  double rate_with_compile = 0;
  std::int64_t largest_step = 0;  // its samples over all devices
  std::int64_t steps = 0;         // of the whole time; 0 where that is not known
  std::int64_t evaluations = 0;   // the sanity check among them
  bool told_behind = false;       // no step of it is steady: told are those that would follow
};

struct TriedRun {
  Trial trial;
  RecordedRun run;
};

// Of records from a cold start those steps are evidence whose mean the summary of the run and its
// bound tell.
RecordedRun recorded_run(std::vector<StepRecord> cold, const Machine& machine, Counters counters);

// Throws Error as a run with these settings does, and when `stop` is asked for.
Trial tried(const Settings& settings, const std::stop_token& stop, std::int64_t times_as_long = 1);
// With its newest records: of a long run those until its steps repeat.
TriedRun tried_run(const Settings& settings, const std::stop_token& stop);
// Of a run that goes on or has ended, with a compile of each program that it found compiled.
Trial trial_of(const RecordedRun& run);

}  // namespace tpulab
