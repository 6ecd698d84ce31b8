// A priced step as a Program: what a time-only run of a named network hands to the devices.
#pragma once

#include "engine/compiler/program.h"
#include "engine/forecast/step_time.h"

namespace tpulab {

// Has kernels and a fingerprint, but no graph: it is priced and simulated, never executed. Its peak
// is the memory that forecast() tells.
Program step_program(const PricedStep& step, const Machine& machine);

}  // namespace tpulab
