// Which mesh a step has where nobody said who holds which weights.
#pragma once

#include "engine/forecast/resolved_step.h"

namespace tpulab {

// As resolved_step(). Where replicas of a large network's weights fit, shares of them (fsdp) are
// tried as well: the one of both whose program takes less time, or alone fits HBM.
ResolvedStep step_of_open_mesh(const ForecastRequest& request, const Machine& machine);

}  // namespace tpulab
