// Which arguments loops read one part a turn, as layers that lie below each other.
#pragma once

#include <set>
#include <span>
#include <vector>

#include "engine/formats/stablehlo/module.h"

namespace tpulab::stablehlo {

// For each argument of `entry` whether a turn reads one of its first axis.
std::vector<bool> read_by_turns(const Module& module, const Function& entry);

// Of those that are read `by_turns`, whether these loops go over microbatches: each adds up
// gradients, arrays like `weights` that hold half of their elements. Loops of steps, by their
// lines, are none.
std::vector<bool> read_by_microbatches(const Module& module, const Function& entry,
                                       const std::vector<bool>& by_turns,
                                       std::span<const Shape> weights,
                                       const std::set<int>& loops_of_steps);

}  // namespace tpulab::stablehlo
