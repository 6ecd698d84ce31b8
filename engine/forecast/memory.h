// HBM of one device for a step, and what to say when it is too small.
#pragma once

#include "engine/forecast/resolved_step.h"

namespace tpulab {

ForecastMemory memory_of(const ResolvedStep& step, const Slice& slice);
// While a run takes such steps one after the other, its loader's batches included.
ForecastMemory memory_in_run(const ResolvedStep& step, const Machine& machine);

// Of a validation whose one graph reads so many batches: their rows are all there when it runs.
// One batch after the other is looked at, so that two arrays of the largest layer are, too.
ForecastMemory memory_of_validation(const ResolvedStep& step, std::int64_t batches,
                                    const Slice& slice);

// XLA's sentence with the largest parts and arrays. Empty if it fits.
std::string out_of_memory_text(const ForecastMemory& memory, const StepWork& step);

}  // namespace tpulab
