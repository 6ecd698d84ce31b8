// A run as it would be, traced and simulated but not computed: what every estimate replays.
#pragma once

#include <stop_token>

#include "engine/base/error.h"
#include "engine/base/workers.h"
#include "engine/compiler/cache.h"
#include "engine/session/replay.h"
#include "engine/session/stepper.h"

namespace tpulab {

class TimeOnlyRun {
 public:
  // Throws Error as a run with these settings does.
  explicit TimeOnlyRun(const Settings& settings)
      : steps_(endless(settings), cache_, workers_, metrics_) {}

  void run(const std::stop_token& stop) {
    int steady = 0;
    for (int step = 0; step < most_steps && steady < steady_steps_wanted; ++step) {
      if (stop.stop_requested()) throw Error("the estimate was cancelled");
      const StepReport report = steps_.advance();
      if (!report.optimizer_step || report.timeline.compiled) continue;
      newest_ = report.timeline;
      ++steady;
    }
    meter_ = replay(steps_.records(), steps_.machine());
  }
  const Stepper& steps() const { return steps_; }
  const Meter& meter() const { return meter_; }
  // With its events, which the meter does not keep.
  const StepTimeline& newest_steady_step() const { return newest_; }

 private:
  // 16 of them make the median; the others are where pipelines fill.
  static constexpr int steady_steps_wanted = 20;
  static constexpr int most_steps = 200;

  static Settings endless(Settings settings) {
    settings.numbers = false;
    settings.max_epochs = -1;
    settings.max_steps = -1;
    return settings;
  }

  ProgramCache cache_;
  Metrics metrics_;
  WorkerPool workers_{1};
  Stepper steps_;
  Meter meter_;
  StepTimeline newest_;
};

}  // namespace tpulab
