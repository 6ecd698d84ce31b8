// Which slice has as many devices as somebody wants.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/machine/machine.h"

namespace tpulab {

// One of the names that are offered: of this generation if there is one, else the first.
std::optional<Slice> slice_with(std::int64_t devices, const Generation& generation);

}  // namespace tpulab
