// What stays on the terminal when the dashboard closes.
#pragma once

#include <string>

#include "engine/session/settings.h"
#include "engine/session/snapshot.h"

namespace tpulab {

// What ran, what bound it, and the line for a shell that does it again with the run's own settings;
// empty without a run.
std::string farewell(const RunView& run, const Settings& settings, const Settings& fresh);

// "tpulab -c 'set slice=v3-32 straggler=host:1:2; run'": every setting that is not as in a `fresh`
// start, all at once, as some fit together only. The pace is the screen's, not the run's.
std::string repeat_line(const Settings& settings, const Settings& fresh);

}  // namespace tpulab
