// What stays on the terminal when the dashboard closes.
#pragma once

#include <string>

#include "engine/session/settings/settings.h"
#include "engine/session/snapshot.h"

namespace tpulab {

// What ran, what bound it, and the line for a shell that does it again with the run's own settings;
// empty without a run.
std::string farewell(const RunView& run, const Settings& settings, const Settings& fresh);

}  // namespace tpulab
