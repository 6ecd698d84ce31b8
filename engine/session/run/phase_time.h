// Parts of a step's time by name: of a run that has ended, or of an estimate.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/share.h"
#include "engine/base/units.h"

namespace tpulab {

// Validations of a run, the sanity check among them.
struct Evaluations {
  std::int64_t count = 0;
  double seconds = 0;  // of TPU time; so many that a clock might not hold them
};

// A share of a device's steady steps, as a time of one of them.
struct PhaseTime {
  std::string name;  // "host tracing", "collective transfer"
  Picoseconds time{};
};
using Phases = std::vector<PhaseTime>;

// Of a step, in their order; none of those that take no time.
inline Phases phases_of(const Shares& shares, Picoseconds step) {
  Phases phases;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (shares[i] <= 0) continue;
    phases.push_back({std::string(name_of(static_cast<Share>(i))),
                      picoseconds_from_seconds(in_seconds(step) * shares[i])});
  }
  return phases;
}

// 0 if there is none of that name.
inline Picoseconds time_of(const Phases& phases, std::string_view name) {
  const auto found = std::ranges::find(phases, name, &PhaseTime::name);
  return found == phases.end() ? Picoseconds{} : found->time;
}

}  // namespace tpulab
