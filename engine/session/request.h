// Everything the prompt may ask of the engine thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/session/run/prediction.h"
#include "engine/session/run/run_record.h"
#include "engine/session/run/save_checkpoint.h"
#include "engine/session/settings/settings.h"
#include "engine/session/snapshot.h"

namespace tpulab {

struct TrainerState;  // training/checkpoint.h

struct StartRun {
  Settings settings;                              // the whole set the run begins with
  std::optional<Prediction> prediction = {};      // its summary tells what came of it
  std::shared_ptr<const RunRecord> again = {};    // the kept run that it does again; may be null
  std::shared_ptr<const TrainerState> from = {};  // where it goes on; null at the beginning
  std::string from_file = {};                     // which holds that
  bool keeps_quiet = false;                       // about devices that the others wait for
};
struct StopRun {};
struct PauseRun {};
struct ResumeRun {};
struct StepRun {
  std::int64_t steps = 1;  // train that many steps, then pause; starts a run if none is there
  Settings settings;
  bool keeps_quiet = false;  // as StartRun
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

using Request = std::variant<StartRun, StopRun, PauseRun, ResumeRun, StepRun, ChangeSettings, Reset,
                             Tell, SaveCheckpoint>;

}  // namespace tpulab
