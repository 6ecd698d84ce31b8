// What crosses the link to the host's memory, in which layouts with S(5) lie.
#pragma once

#include <optional>

#include "engine/base/work.h"
#include "engine/formats/hlo/module.h"

namespace tpulab::hlo {

// A copy to there or back, one that only begins (copy-start) included. Nothing for all else.
std::optional<HostLinkWork> host_transfer_of(const Computation& in, const Instruction& one);

}  // namespace tpulab::hlo
