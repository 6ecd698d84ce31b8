// Causes that were found in something from elsewhere, and those that it cannot tell.
#pragma once

#include <string>
#include <vector>

#include "commands/answer.h"
#include "engine/session/answers/analyse.h"

namespace tpulab {

// Rows are called `event`.found and `event`.cannot_tell.
void add_diagnosed(Answer& answer, const std::string& event, const std::vector<Diagnosed>& found,
                   const std::vector<Diagnosed>& cannot_tell);

}  // namespace tpulab
