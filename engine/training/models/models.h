// One function per family of networks: its sizes -> the blocks of one training step.
#pragma once

#include "engine/training/workload.h"

namespace tpulab {

// Traced and compiled, once for each model and set of options. Rows, remat and tensor groups of
// other families do not apply.
StepWork work_of(const TracedNetwork& network, const WorkOptions& options);
StepWork work_of(const EncoderSizes& sizes, const WorkOptions& options);
StepWork work_of(const TranslatorSizes& sizes, const WorkOptions& options);
StepWork work_of(const DecoderSizes& sizes, const WorkOptions& options);

// Throws Error unless the tensor group divides `extent`.
std::int64_t share_of_group(const char* what, std::int64_t extent, const WorkOptions& options);

}  // namespace tpulab
