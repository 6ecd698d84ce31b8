// How often a while runs.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/formats/hlo/module.h"

namespace tpulab::hlo {

// Said in its backend_config, else from the counter that its condition compares with a constant:
// where it starts and what a trip adds. Nothing if the text does not tell. Throws Error for calls
// of what is not there.
std::optional<std::int64_t> trip_count(const Module& module, const Computation& in,
                                       const Instruction& loop);

}  // namespace tpulab::hlo
