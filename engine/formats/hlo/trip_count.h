// How often a while runs.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/formats/hlo/module.h"

namespace tpulab::hlo {

struct Trips {
  std::int64_t most = 0;
  bool may_end_early = false;  // its condition asks for more than a counter
};

// Said in its backend_config, else from the counter that its condition compares with a constant:
// where it starts and what a trip adds. Nothing if the text does not tell. Throws Error for calls
// of what is not there.
std::optional<Trips> trips_of(const Module& module, const Computation& in, const Instruction& loop);

}  // namespace tpulab::hlo
