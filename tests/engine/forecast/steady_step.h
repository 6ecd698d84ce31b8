// The step that a time-only run of a request goes on with.
#pragma once

#include "engine/forecast/timed_training.h"

namespace tpulab::test {

inline StepTimeline steady_timeline(const ForecastRequest& request, const Machine& machine) {
  ProgramCache cache;
  Metrics metrics;
  TimedTraining training(
      machine, cache, metrics,
      {.request = request, .plan = {.max_steps = 40}, .habits = {.log_every_n_steps = 1000}});
  StepTimeline step;
  while (!training.done()) step = training.advance().timeline.without_events();
  return step;
}

inline double steady_seconds(const ForecastRequest& request) {
  return in_seconds(steady_timeline(request, machine_of(request)).duration());
}

}  // namespace tpulab::test
