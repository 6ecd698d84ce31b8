// The page `help plain`: the program without a screen.
#pragma once

#include <string_view>

namespace tpulab {

// Lines of at most 78 columns.
std::string_view plain_text();

}  // namespace tpulab
