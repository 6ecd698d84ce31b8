// Meshes and batches near those that were asked for and divide nothing evenly.
#pragma once

#include <vector>

#include "engine/session/settings/remedies.h"

namespace tpulab {

// Another mesh, another batch, or both where neither alone is enough, the nearest first: of each
// the first that fits HBM, or that divides where none fits. Empty if nothing that is tried divides.
std::vector<WayToFit> ways_to_divide(const Settings& settings, const Fits& fits);

}  // namespace tpulab
