// The records of a run, simulated again on any machine until they settle. Every answer about steady
// steps is made from it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/machine/machine.h"
#include "engine/runtime/record.h"
#include "engine/session/run/steady_steps.h"

namespace tpulab {

// The newest once, so that pipelines are full, and again until loaders have used up what they had
// ready, and then all, whose steps are told: the same on every machine. Compiles take no time.
// Exact within the model; computes no number.
// Of a short run that lives on what loaders had ready behind a compile, all records are simulated
// once, from its cold start as it went: all of its steps tell, or those that SteadySteps counts.
enum class Told : std::uint8_t { settled, all_steps, counted_steps };
SteadySteps replay(std::span<const StepRecord> records, const Machine& machine,
                   Told told = Told::settled);

struct ToldRecords {
  std::span<const StepRecord> records{};
  Told told = Told::settled;
  SteadySteps steps{};  // they, replayed
};
ToldRecords replayed(std::span<const StepRecord> records, const Machine& machine,
                     Told told = Told::settled);

// What tells of a run whose steady steps take `step` in the mean.
ToldRecords told_records(std::span<const StepRecord> all, Picoseconds step, const Machine& machine);

// Without the events of that kind. Steps that shared their events share them still.
std::vector<StepRecord> without_events(std::span<const StepRecord> records, EventKind kind);

// A training step that compiles nothing, on `machine`, in the mean.
Picoseconds steady_step(std::span<const StepRecord> records, const Machine& machine,
                        Told told = Told::settled);

}  // namespace tpulab
