// Whether a gain is worth naming, and how much of it counts in the order of remedies.
#pragma once

#include "engine/session/answers/advise.h"

namespace tpulab {

// A gain that is seen in the figures.
inline constexpr double little = 0.01;

// More rows a step make a run of so many steps longer: what that gains once is no gain.
bool gains_enough(const Diagnosis& cause, const Gain& gain);
double rank_of(const Remedy& remedy);
// Neither another way to train nor other software or another mesh, which are choices.
bool is_a_fault(const Diagnosis& cause);

}  // namespace tpulab
