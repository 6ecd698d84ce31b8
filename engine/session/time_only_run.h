// A run as it would be, traced and simulated but not computed: what every estimate replays.
#pragma once

#include <algorithm>
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
      : settings_(settings), steps_(endless(settings), cache_, workers_, metrics_) {}

  void run(const std::stop_token& stop) {
    int steady = 0;
    for (int step = 0; step < most_steps && steady < steady_steps_wanted; ++step) {
      if (stop.stop_requested()) throw Error("the estimate was cancelled");
      const StepReport report = steps_.advance();
      if (!report.optimizer_step || report.timeline.compiled) continue;
      newest_ = report.timeline;
      if (++steady == steady_steps_before_skip) skip_to_last_steps();
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
  static constexpr int steady_steps_before_skip = 2;
  static constexpr int most_steps = 200;
  static constexpr std::int64_t endless_steps = 1'000'000;

  // What a step costs may settle late, as scalars that the host sends do; and the newest steps of a
  // run tell its step: these here are its last.
  void skip_to_last_steps() {
    if (steps_.trainer() == nullptr) return;
    steps_.change(settings_);
    const std::int64_t limit = steps_.planned_steps();
    steps_.change(endless(settings_));
    const std::int64_t planned = limit > 0 ? limit : endless_steps;
    const int wanted = steady_steps_wanted - steady_steps_before_skip;
    steps_.skip(std::max<std::int64_t>(planned - wanted - steps_.step(), 0));
  }

  static Settings endless(Settings settings) {
    settings.numbers = false;
    settings.max_epochs = -1;
    settings.max_steps = -1;
    return settings;
  }

  Settings settings_;
  ProgramCache cache_;
  Metrics metrics_;
  WorkerPool workers_{1};
  Stepper steps_;
  Meter meter_;
  StepTimeline newest_;
};

}  // namespace tpulab
