// What binds a step: the resource, or the cause, without which steady steps would be shortest. The
// status line, the summary of a run, forecast, compare and explain all ask here.
#pragma once

#include <string>

#include "engine/machine/machine.h"
#include "engine/session/run/replay.h"

namespace tpulab {

// Of training steps that compiled nothing, TPU time estimated.
struct Bounds {
  Picoseconds step{};     // in the mean, as simulated
  std::string first;      // "host tracing", "stragglers"; empty if nothing makes a step shorter
  Picoseconds without{};  // a step if that cost nothing
  std::string next;       // what binds then
};

// The records simulated again on `machine`, once for each cause; exact within the model.
Bounds bounds_of(const ToldRecords& told, const Machine& machine);

}  // namespace tpulab
