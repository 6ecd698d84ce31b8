// Kernels of a priced step as a Program: what a time-only run of a named network hands to the
// devices.
#pragma once

#include "engine/compiler/program.h"
#include "engine/forecast/resolved_step.h"

namespace tpulab {

// Has these kernels, but no graph: it is priced and simulated, never executed. Its peak is the
// memory that memory_of() tells, its fingerprint has no key
// yet, and nobody has looked which kernels are alike.
Program step_program(const ResolvedStep& step, std::vector<Kernel> kernels, const Machine& machine);

}  // namespace tpulab
