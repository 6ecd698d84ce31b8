// Parts of a step's time by name: of a run that has ended, or of an estimate.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "engine/base/units.h"

namespace tpulab {

// A share of a device's steady steps, as a time of one of them.
struct PhaseTime {
  std::string name;  // "host tracing", "collective transfer"
  Picoseconds time{};
};
using Phases = std::vector<PhaseTime>;

// 0 if there is none of that name.
inline Picoseconds time_of(const Phases& phases, std::string_view name) {
  const auto found = std::ranges::find(phases, name, &PhaseTime::name);
  return found == phases.end() ? Picoseconds{} : found->time;
}

}  // namespace tpulab
