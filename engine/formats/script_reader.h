// Reads what the recorder of `help script` writes: a JSON object a line.
#pragma once

#include <string>
#include <string_view>

#include "engine/runtime/script_steps.h"

namespace tpulab {

// `name` is that of the file. Throws Error with name, line and what was expected. A last line that
// was cut off is left out.
ScriptSteps read_script(std::string_view text, const std::string& name);

}  // namespace tpulab
