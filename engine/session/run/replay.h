// The records of a run, simulated again on any machine until they settle. Every answer about steady
// steps is made from it.
#pragma once

#include <span>
#include <vector>

#include "engine/machine/machine.h"
#include "engine/runtime/record.h"
#include "engine/session/run/steady_steps.h"

namespace tpulab {

// The newest once, so that pipelines are full, and again until loaders have used up what they had
// ready, and then all, whose steps are told: the same on every machine. Compiles take no time in it.
// Exact within the model; computes no number.
SteadySteps replay(std::span<const StepRecord> records, const Machine& machine);

// Without the events of that kind. Steps that shared their events share them still.
std::vector<StepRecord> without_events(std::span<const StepRecord> records, EventKind kind);

// A training step that compiles nothing, on `machine`, in the mean.
Picoseconds steady_step(std::span<const StepRecord> records, const Machine& machine);

}  // namespace tpulab
