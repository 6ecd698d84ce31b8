// The error for a row that does not exist: what was typed, the nearest name, and what there is.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/base/error.h"

namespace tpulab {

// "unknown host 'tpu-wm'; did you mean tpu-vm? There are: tpu-vm, colab-node-2021".
Error unknown_name(std::string_view kind, std::string_view typed,
                   std::span<const std::string> names);

}  // namespace tpulab
