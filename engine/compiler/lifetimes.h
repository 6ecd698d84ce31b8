// The HBM of a program: from when to when each of its values has memory of its own.
#pragma once

#include <vector>

#include "engine/compiler/compile.h"
#include "engine/compiler/program.h"
#include "engine/compiler/waiting.h"

namespace tpulab {

// Padded as it lies in HBM.
Bytes device_bytes(const Program& program, NodeId id);
// Per node the kernel that makes it; -1: none, it goes in.
std::vector<int> makers_of(const Program& program);
// An all-reduce leaves its results where its operands lie, unless these are read later.
bool sums_in_place(const Kernel& kernel);
// Whether a kernel copies from the host's memory.
bool taken_from_host(const Program& program, int kernel);
// Of all values but the inputs. Kernels are scheduled and measured.
Bytes hbm_of_values(const Program& program, const WaitingValues& waiting, const Scheduling& how);

}  // namespace tpulab
