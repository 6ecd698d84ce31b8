// Files that are compiled into the program.
#pragma once

#include <string_view>

namespace tpulab {

// Its text. Throws Error if this build has no such file.
std::string_view embedded_file(std::string_view name);

}  // namespace tpulab
