// What PyTorch/XLA prints with PT_XLA_DEBUG=1 (PT_XLA_DEBUG_LEVEL=2 and the profiler's lines), of a
// run here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/session/answers/run_evidence.h"

namespace tpulab {

// An analysis for each compile and each execution of the newest steps, `most` of them, and the
// profiler's complaints behind each sync; what is counted since the run began counts all. Lines
// with a # say what of the real output no run here can know. Throws Error for a run of another
// stack.
std::vector<std::string> xla_debug_of(const RunEvidence& run, std::int64_t most);

}  // namespace tpulab
