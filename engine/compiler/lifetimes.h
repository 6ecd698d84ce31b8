// The HBM of a program: from when to when each of its values has memory of its own.
#pragma once

#include "engine/compiler/program.h"
#include "engine/compiler/waiting.h"

namespace tpulab {

// Padded as it lies in HBM.
Bytes device_bytes(const Program& program, NodeId id);
// Whether a kernel copies from the host's memory.
bool taken_from_host(const Program& program, int kernel);
// Of all values but the inputs; `results_first`: results that take over no input have memory from
// the start. Kernels are scheduled and measured.
Bytes hbm_of_values(const Program& program, const WaitingValues& waiting, bool results_first);

}  // namespace tpulab
