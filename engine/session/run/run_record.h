// What is kept of a run that has ended: enough to compare it with another one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/session/cold_run.h"
#include "engine/session/snapshot.h"

namespace tpulab {

struct PhaseTime {
  std::string name;  // "host tracing"
  Picoseconds time{};
};

struct AccuracyPoint {
  std::int64_t epoch = 0;
  double accuracy = 0;
  Picoseconds tpu_time{};  // since the run began, estimated
  double wall_seconds = 0;
};

struct RunRecord {
  RunView view;
  std::string stack;
  std::string host;
  std::vector<PhaseTime> phases;  // of a mean steady step; they add up to it
  Picoseconds compile{};          // of the whole run
  std::int64_t compiles = 0;
  std::optional<ColdRun> cold{};          // from an empty cache; none of a run too long to be kept
  std::vector<AccuracyPoint> accuracies;  // one an epoch; empty for a time-only run
};

}  // namespace tpulab
