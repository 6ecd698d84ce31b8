// The page `help causes`, made of the diagnoses themselves.
#pragma once

#include <string>

namespace tpulab {

// A cause, the settings that bring it about here, and those that cure it; lines of at most 78
// columns.
std::string causes_text();

}  // namespace tpulab
