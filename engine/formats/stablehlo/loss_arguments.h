// Which arguments a result follows from: of a step's loss, its weights; the optimizer's moments and
// running averages come back changed as well, but no loss is made of them.
#pragma once

#include <vector>

#include "engine/formats/stablehlo/module.h"

namespace tpulab::stablehlo {

// For each argument of `entry` whether its result `result` is computed from it; how often a loop
// runs counts for nothing. None where loops inside of loops take too long to follow.
std::vector<bool> arguments_behind(const Module& module, const Function& entry, int result);

}  // namespace tpulab::stablehlo
