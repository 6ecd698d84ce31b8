// A run as it would have been without the programs that earlier runs had compiled.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/machine/machine.h"
#include "engine/runtime/record.h"

namespace tpulab {

struct ColdRun {
  std::int64_t found = 0;                  // programs the run found compiled
  std::int64_t compiles = 0;               // of its own and of those
  Picoseconds compile{};                   // all of them, TPU time
  Picoseconds time{};                      // of the whole run
  std::vector<Picoseconds> evaluations{};  // when each ended, but the sanity check
};

// The records simulated again, with a compile before the first use of what was found. None if the
// first of them are no longer kept.
std::optional<ColdRun> cold_run(std::span<const StepRecord> records, const Machine& machine);

}  // namespace tpulab
