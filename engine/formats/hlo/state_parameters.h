// Which parameters of a compiled step are its state: those that come back changed.
#pragma once

#include <cstdint>
#include <set>

#include "engine/formats/hlo/module.h"

namespace tpulab::hlo {

// By number: those whose memory a result takes over, and of the others the first whose type a
// result has that is left, as each result is the successor of one parameter.
std::set<std::int64_t> state_parameters(const Module& module, const Computation& entry);

}  // namespace tpulab::hlo
