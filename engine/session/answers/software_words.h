// Hosts and software stacks in words, with every constant's mark and source.
#pragma once

#include <string_view>

#include "engine/session/answers/described.h"

namespace tpulab {

// Throw Error with the nearest name.
Described host_in_words(std::string_view name);
Described stack_in_words(std::string_view name);

}  // namespace tpulab
