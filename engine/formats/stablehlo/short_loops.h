// Loops of a few turns that move values about and work element by element, as random bits are made
// (threefry's five rounds): for a TPU, JAX writes them turn by turn.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/formats/stablehlo/module.h"

namespace tpulab::stablehlo {

using Known = std::optional<std::int64_t>;  // of a whole scalar, as far as the text tells

// How often such a loop runs that begins with `initial`; nothing if it is none, or runs more than
// eight times.
std::optional<int> turns_of_short_loop(const Module& module, const Operation& loop,
                                       const std::vector<Known>& initial);

}  // namespace tpulab::stablehlo
