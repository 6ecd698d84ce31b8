// Sums over devices that a loop does nothing with but add them up: one behind it in place of one a
// turn.
#pragma once

#include "engine/formats/stablehlo/module.h"

namespace tpulab::stablehlo {

// In the loops of a program of one device, the inner ones first. Each name in `region` is given
// once, and stands for one value.
void sum_behind_loops(Module& module, Region& region);

}  // namespace tpulab::stablehlo
