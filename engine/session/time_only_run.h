// The digits experiment, traced and simulated but not computed: what estimates are made of.
#pragma once

#include <stop_token>

#include "engine/base/error.h"
#include "engine/base/workers.h"
#include "engine/compiler/cache.h"
#include "engine/session/meter.h"
#include "engine/session/plan.h"

namespace tpulab {

class TimeOnlyRun {
 public:
  explicit TimeOnlyRun(const Settings& settings)
      : trainer_(machine_for(settings), cache_, workers_, metrics_, options_of(settings),
                 execution_of(settings)) {}

  void run(const std::stop_token& stop) {
    int steady = 0;
    for (int step = 0; step < most_steps && steady < steady_steps_wanted; ++step) {
      if (stop.stop_requested()) throw Error("the estimate was cancelled");
      const StepReport report = trainer_.advance();
      meter_.add(report);
      steady += report.optimizer_step && !report.timeline.compiled;
    }
  }
  const Trainer& trainer() const { return trainer_; }
  const Meter& meter() const { return meter_; }

  // The steady step on another machine, from the records alone.
  Picoseconds step_on(const Machine& machine) const {
    Meter other;
    for (StepTimeline& step : simulate(trainer_.runtime().records(), machine).steps) {
      StepReport report;
      report.timeline = std::move(step);
      other.add(report);
    }
    return other.steady_step_time();
  }

 private:
  // Steady steps that are enough, as a pipeline settles within its depth.
  static constexpr int steady_steps_wanted = 12;
  static constexpr int most_steps = 200;

  static TrainerOptions options_of(const Settings& settings) {
    TrainerOptions options = trainer_options(settings);
    options.max_epochs = -1;
    options.max_steps = -1;
    return options;
  }
  static ExecuteOptions execution_of(const Settings& settings) {
    ExecuteOptions execution = execute_options(settings);
    execution.numbers = false;
    return execution;
  }

  ProgramCache cache_;
  Metrics metrics_;
  WorkerPool workers_{1};
  Trainer trainer_;
  Meter meter_;
};

}  // namespace tpulab
