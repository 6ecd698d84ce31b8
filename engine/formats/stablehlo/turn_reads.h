// Which arguments loops read one part a turn, as layers that lie below each other.
#pragma once

#include <vector>

#include "engine/formats/stablehlo/module.h"

namespace tpulab::stablehlo {

// For each argument of `entry` whether a turn reads one of its first axis.
std::vector<bool> read_by_turns(const Module& module, const Function& entry);

}  // namespace tpulab::stablehlo
