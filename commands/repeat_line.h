// The line for a shell that does a run again.
#pragma once

#include <string>
#include <vector>

#include "engine/session/settings/settings.h"
#include "engine/session/snapshot.h"

namespace tpulab {

// "tpulab -c 'set slice=v3-32 straggler=host:1:2; run'": every setting that is not as in a `fresh`
// start or not as built in, all at once, as some fit together only. The pace is the screen's, not
// the run's.
std::string repeat_line(const Settings& settings, const Settings& fresh);
// What the line needs beside itself where it is typed elsewhere: the file of a machine of the
// user's own; empty without one.
std::vector<std::string> needed_elsewhere(const Settings& settings);
// Of a run with these settings, as far as it went where it was stopped: one that went on from a
// checkpoint does so again. Beneath it, what the line does not repeat and what it needs.
std::vector<std::string> repeat_lines(const RunView& run, Settings settings, const Settings& fresh);

}  // namespace tpulab
