// The work of a network: its step traced, compiled and taken apart.
#pragma once

#include "engine/training/workload.h"

namespace tpulab {

// Once for each model and set of options. Throws Error where a mesh does not divide it.
StepWork work_of(const TracedNetwork& network, const WorkOptions& options);

}  // namespace tpulab
