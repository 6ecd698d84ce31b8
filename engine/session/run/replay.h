// The records of a run, simulated again on any machine until they settle. Every answer about steady
// steps is made from it.
#pragma once

#include <span>
#include <vector>

#include "engine/machine/machine.h"
#include "engine/runtime/record.h"
#include "engine/session/run/steady_steps.h"

namespace tpulab {

struct Replayed {
  SteadySteps steady;
  Picoseconds time{};  // of all records that compile nothing, evaluation too
};

// Where loaders are slower than the steps, the newest records are repeated until the batches they
// had ready are used up. Exact within the model; computes no number.
Replayed replay(std::span<const StepRecord> records, const Machine& machine);

// Without the events of that kind. Steps that shared their events share them still.
std::vector<StepRecord> without_events(std::span<const StepRecord> records, EventKind kind);

// A training step that compiles nothing, on `machine`, in the mean.
Picoseconds steady_step(std::span<const StepRecord> records, const Machine& machine);

}  // namespace tpulab
