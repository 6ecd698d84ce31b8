// The page `help slices`: the machines there are, and how one of the user's own is described.
#pragma once

#include <string_view>

namespace tpulab {

// Lines of at most 78 columns.
std::string_view slices_text();

}  // namespace tpulab
