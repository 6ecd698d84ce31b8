#include "engine/session/trial.h"

#include <algorithm>

#include "engine/base/error.h"
#include "engine/base/workers.h"
#include "engine/compiler/cache.h"
#include "engine/session/meter.h"
#include "engine/session/stepper.h"

namespace tpulab {

namespace {

// Enough for what settles late; the default experiment is shorter.
constexpr std::int64_t most_tried = 600;

class TrialSteps {
 public:
  explicit TrialSteps(const Settings& settings)
      : steps_(without_numbers(settings), cache_, workers_, metrics_) {}

  TriedRun run(const std::stop_token& stop) {
    while (!steps_.done() && steps_.step() < most_tried) {
      if (stop.stop_requested()) throw Error("the answer was cancelled");
      steps_.advance();
    }
    RecordedRun recorded(steps_.records(), steps_.machine(), counters_of(metrics_.copy()));
    Trial trial = trial_of(recorded);
    return {trial, std::move(recorded)};
  }

 private:
  static Settings without_numbers(Settings settings) {
    settings.numbers = false;
    return settings;
  }

  ProgramCache cache_;
  Metrics metrics_;
  WorkerPool workers_{1};
  Stepper steps_;
};

}  // namespace

TriedRun tried_run(const Settings& settings, const std::stop_token& stop) {
  return TrialSteps(settings).run(stop);
}

Trial trial_of(const RecordedRun& run) {
  Meter meter;
  Trial trial{.time = run.time};
  for (const StepTimeline& step : run.steps) {
    StepReport report;
    report.timeline = step;
    report.optimizer_step = step.kind == StepKind::train;
    meter.add(report);
    trial.steps += report.optimizer_step ? 1 : 0;
    trial.largest_step = std::max(trial.largest_step, step.samples);
  }
  trial.steady_rate = meter.steady_rate();
  trial.rate_with_compile = meter.rate_with_compile(trial.time);
  trial.step = meter.steady_step_time();
  return trial;
}

}  // namespace tpulab
