// What is kept of a run that has ended: enough to compare it with another one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/session/run/cold_run.h"
#include "engine/session/run/phase_time.h"
#include "engine/session/snapshot.h"

namespace tpulab {

struct AccuracyPoint {
  std::int64_t epoch = 0;
  double accuracy = 0;
  Picoseconds tpu_time{};  // since the run began, estimated
  double wall_seconds = 0;
  std::int64_t step = 0;  // optimizer steps done
};

// What a run has reached so far, by its steps.
struct RunCurves {
  std::vector<LossPoint> losses;  // thinned to at most 2,048
  std::vector<AccuracyPoint> accuracies;
  std::int64_t began = 0;      // seconds since 1970, UTC
  std::int64_t from_step = 0;  // of the checkpoint from which it went on
  std::int64_t step = 0;
  Picoseconds tpu_time{};
  double wall_seconds = 0;
};

struct RunRecord {
  RunView view;
  std::string stack;
  std::string host;
  Phases phases;          // of a mean steady step; they add up to it
  Picoseconds compile{};  // of the whole run
  std::int64_t compiles = 0;
  std::optional<ColdRun> cold{};          // from an empty cache; none of a run too long to be kept
  std::vector<AccuracyPoint> accuracies;  // one an evaluation; empty for a time-only run
  std::int64_t began = 0;                 // seconds since 1970, UTC
  std::string version{};                  // of the program
  std::uint64_t contents = 0;             // a hash of its model's file; 0: of none, or not kept
  std::string own_machine{};              // "base v6e, hbm 64 GiB"; empty: built in, or not kept
  bool preempted = false;                 // its newest steps are of other processes
  std::uint64_t losses = 0;               // a hash of the bits of all of them, in order
};

// "went on from a checkpoint behind step 1500"
std::string beginning_of(const RunView& run);

}  // namespace tpulab
