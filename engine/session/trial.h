// A run tried out: its own stepper from a cold start, only without numbers. What advice says of a
// change is what the summary of the run with it will say.
#pragma once

#include <span>
#include <stop_token>

#include "engine/advice/recorded_run.h"
#include "engine/session/settings.h"

namespace tpulab {

// TPU time throughout, estimated.
struct Trial {
  double steady_rate = 0;         // samples a second, of steps that compile nothing
  double rate_with_compile = 0;   // samples a second of the whole time
  Picoseconds step{};             // a steady step, the median of the newest
  Picoseconds time{};             // of the steps tried
  std::int64_t steps = 0;         // the run's own, or as many as are tried of a longer one
  std::int64_t largest_step = 0;  // its samples over all devices
};

struct TriedRun {
  Trial trial;
  RecordedRun run;
};

// Throws Error as a run with these settings does, and when `stop` is asked for.
TriedRun tried_run(const Settings& settings, const std::stop_token& stop);
// Of a run that went already.
Trial trial_of(const RecordedRun& run);

}  // namespace tpulab
