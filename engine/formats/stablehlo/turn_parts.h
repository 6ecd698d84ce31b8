// Which arguments a step takes some rows of: a data set whose batches the program cuts itself, a
// replay buffer, a table.
#pragma once

#include <vector>

#include "engine/formats/part_trails.h"
#include "engine/formats/stablehlo/module.h"

namespace tpulab::stablehlo {

// For each argument of `entry`. Moved as a whole, as shuffled or reshaped, and computed element by
// element, they are followed to where some of their rows are taken (gather, dynamic_slice), and
// these to where they are worked on. The turns are those of the loops of steps, else the whole
// program is one.
std::vector<TurnPart> parts_of_turns(const Module& module, const Function& entry,
                                     const PartsAsked& which);

}  // namespace tpulab::stablehlo
