// HBM of one device for a step, and what to say when it is too small.
#pragma once

#include "engine/forecast/step_time.h"

namespace tpulab {

ForecastMemory memory_of(const PricedStep& step, const Slice& slice);

// XLA's sentence with the largest parts and arrays. Empty if it fits.
std::string out_of_memory_text(const ForecastMemory& memory, const StepWork& step);

}  // namespace tpulab
