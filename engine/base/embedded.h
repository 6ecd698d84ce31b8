// Data files compiled into the program by embed() in the root CMakeLists.txt.
#pragma once

#include <span>
#include <string_view>

namespace tpulab {

struct EmbeddedFile {
  std::string_view name;  // file name without its folder
  std::string_view text;
};

}  // namespace tpulab
