// A run as it would have been without the programs that earlier runs had compiled.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/compiler/cache.h"
#include "engine/machine/machine.h"
#include "engine/runtime/record.h"
#include "engine/session/run/phase_time.h"

namespace tpulab {

// In the mean.
struct ColdStep {
  Phases phases;       // they add up to its time
  Picoseconds time{};  // 0: there is none
  double rate = 0;     // samples a second
};

struct ColdRun {
  std::int64_t found = 0;                  // programs the run found compiled
  std::int64_t compiles = 0;               // of its own and of those, none loaded from a disk
  Picoseconds compile{};                   // these and the loads, TPU time
  Picoseconds time{};                      // of the whole run
  std::vector<Picoseconds> evaluations{};  // when each ended, but the sanity check
  std::optional<ColdStep> steady{};        // none of a run that an older version kept
};

struct ColdRecords {
  std::vector<StepRecord> records;
  std::int64_t found = 0;  // programs the run found compiled
};

// With a compile before the first use of what was found in memory, or on a disk that `kept` does
// not fill before the run. As they are if the first of them are no longer kept.
ColdRecords cold_records(std::span<const StepRecord> records, const Machine& machine,
                         Persistence kept);

// Those simulated again. None if the first of them are no longer kept. Steady steps are told from
// step `since` on.
std::optional<ColdRun> cold_run(std::span<const StepRecord> records, const Machine& machine,
                                Persistence kept, std::int64_t since = 0);

}  // namespace tpulab
