// HBM of one device for a step, and what to say when it is too small.
#pragma once

#include "engine/forecast/step_time.h"

namespace tpulab {

ForecastMemory memory_of(const PricedStep& step, const Slice& slice);

// Of a validation whose one graph reads so many batches: their rows are all there when it runs.
// What it makes of a batch is taken to be no more than that.
ForecastMemory memory_of_validation(const PricedStep& step, std::int64_t batches,
                                    const Slice& slice);

// XLA's sentence with the largest parts and arrays. Empty if it fits.
std::string out_of_memory_text(const ForecastMemory& memory, const StepWork& step);

}  // namespace tpulab
