// Which parameters a step takes some rows of, as of StableHLO.
#pragma once

#include <vector>

#include "engine/formats/hlo/module.h"
#include "engine/formats/part_trails.h"

namespace tpulab::hlo {

// For each array of the parameters of `entry`, in the order of their numbers; `asked`: those that
// may be a batch. Rows are those of one device.
std::vector<TurnPart> parts_of_turns(const Module& module, const Computation& entry,
                                     const PartsAsked& which);

}  // namespace tpulab::hlo
