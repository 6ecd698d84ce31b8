// What stays on the terminal when the dashboard closes.
#pragma once

#include <string>

#include "engine/session/settings.h"
#include "engine/session/snapshot.h"

namespace tpulab {

// What ran, what bound it, and the line for a shell that does it again; empty without a run.
std::string farewell(const RunView& run, const Settings& settings);

// "tpulab -c 'slice v3-32; straggler host:1:2; run'": every setting that is not as built in. The
// pace is the screen's, not the run's.
std::string repeat_line(const Settings& settings);

}  // namespace tpulab
