// HBM of one device for a step, and what to say when it is too small.
#pragma once

#include "engine/forecast/forecast.h"

namespace tpulab {

ForecastMemory memory_of(const StepWork& step, const ForecastRequest& request, const Mesh& mesh,
                         const Slice& slice, OptimizerKind optimizer);

// What a step sends to the host and takes back, each way: the layer inputs of remat offload.
Bytes offloaded_bytes(const StepWork& step, Remat remat, int tensor);

// XLA's sentence with the largest parts and arrays, then what would fit. `request` and `mesh` are
// resolved. Empty if it fits.
std::string out_of_memory_text(const ForecastMemory& memory, const StepWork& step,
                               const ForecastRequest& request, const Mesh& mesh, std::int64_t rows);

}  // namespace tpulab
