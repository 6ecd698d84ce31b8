// The page `help import`: what one brings along.
#pragma once

#include <string_view>

namespace tpulab {

// Lines of at most 78 columns.
std::string_view import_text();

}  // namespace tpulab
