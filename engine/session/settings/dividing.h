// Meshes and batches near those that were asked for and divide nothing evenly.
#pragma once

#include <span>
#include <vector>

#include "engine/session/settings/remedies.h"

namespace tpulab {

// What was typed with changes in its place, or behind it.
std::vector<Assignment> with_later(std::span<const Assignment> typed,
                                   std::span<const Assignment> changes);

struct WaysToDivide {
  std::vector<WayToFit> ways{};
  bool fit = false;  // HBM, too; else all of them divide alone
};

// Another mesh, another batch, or both where neither alone is enough, the nearest first: of each
// the first that fits HBM. Where none does, the nearest that divides; `further`: with what more it
// needs to fit. Empty if nothing that is tried divides, or only what the settings are `now`.
WaysToDivide ways_to_divide(const Settings& settings, const Settings& now, bool further);

}  // namespace tpulab
