// Holds drawn screens against files in tests/tui/golden; UPDATE_GOLDEN=1 rewrites them.
#pragma once

#include <string>

#include "tui/draw/canvas.h"

namespace tpulab {

// Compares NAME.screen with the text and NAME.roles with the roles of the canvas.
void expect_golden(const std::string& name, const Canvas& canvas);

}  // namespace tpulab
