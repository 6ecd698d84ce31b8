// Everything the prompt may ask of the engine thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/session/prediction.h"
#include "engine/session/settings.h"
#include "engine/session/snapshot.h"

namespace tpulab {

struct StartRun {
  Settings settings;                          // the whole set the run begins with
  std::optional<Prediction> prediction = {};  // its summary tells what came of it
};
struct StopRun {};
struct PauseRun {};
struct ResumeRun {};
struct StepRun {
  std::int64_t steps = 1;  // train that many steps, then pause; starts a run if none is there
  Settings settings;
};
struct ChangeSettings {
  Settings settings;
  Effect effect = Effect::next_step;
  // The ones to take over (take_settings): a run keeps its own values of all others.
  std::vector<std::string> names;
};
struct Reset {};  // forget the run, the counters and the program cache
struct Tell {
  std::vector<OutputLine> lines;  // to be said; their ids are given then
};

using Request =
    std::variant<StartRun, StopRun, PauseRun, ResumeRun, StepRun, ChangeSettings, Reset, Tell>;

}  // namespace tpulab
