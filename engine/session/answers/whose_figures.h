// Whose figures are told where hosts and devices of a run differ: those that most are like.
#pragma once

#include <string>
#include <vector>

#include "engine/machine/machine.h"

namespace tpulab {

// A report is of one process: "as host 0 counts it: host 2 takes 1.4x as long ...", a line each;
// none where all hosts are alike.
std::vector<std::string> whose_counters(const Machine& machine);
// "shares are those of core 0, as of 24 cores in all: ..."; empty where all devices are alike.
std::string whose_shares(const Machine& machine);

}  // namespace tpulab
