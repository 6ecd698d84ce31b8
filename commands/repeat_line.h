// The line for a shell that does a run again.
#pragma once

#include <string>

#include "engine/session/settings/settings.h"

namespace tpulab {

// "tpulab -c 'set slice=v3-32 straggler=host:1:2; run'": every setting that is not as in a `fresh`
// start or not as built in, all at once, as some fit together only. The pace is the screen's, not
// the run's.
std::string repeat_line(const Settings& settings, const Settings& fresh);

}  // namespace tpulab
