// How much memory this process may use.
#pragma once

#include <filesystem>
#include <optional>

#include "engine/base/units.h"

namespace tpulab {

// The computer's, or less where a container's limit is lower.
Bytes available_memory();

// What the control groups of this process (versions 1 and 2) let it have, the narrowest of them;
// nothing without a limit. `root` is "/", or a copy of a computer's files.
std::optional<Bytes> memory_limit(const std::filesystem::path& root);

}  // namespace tpulab
