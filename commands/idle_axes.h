// Axes of a table that change nothing.
#pragma once

#include <string>
#include <vector>

#include "commands/grid.h"

namespace tpulab {

// "straggler: no effect on mlp, where nothing uses core 3, in 1 of 4 rows". Of more than a thousand
// rows only what acts in none is told.
std::vector<std::string> idle_axes(const std::vector<Axis>& axes,
                                   const std::vector<const Settings*>& rows);

}  // namespace tpulab
