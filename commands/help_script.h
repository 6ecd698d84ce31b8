// The page `help script`: how steps of one's own are recorded.
#pragma once

#include <string_view>

namespace tpulab {

// Lines of at most 78 columns; the recorder, a Python file, is what begins with "import".
std::string_view script_text();

}  // namespace tpulab
