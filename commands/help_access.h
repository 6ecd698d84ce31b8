// The page `help access`: how one gets a TPU.
#pragma once

#include <string_view>

namespace tpulab {

// Lines of at most 78 columns.
std::string_view access_text();

}  // namespace tpulab
