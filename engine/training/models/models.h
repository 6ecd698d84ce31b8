// One function per family of networks: its sizes -> the blocks of one training step.
#pragma once

#include "engine/training/workload.h"

namespace tpulab {

StepWork work_of(const MlpSizes& sizes, const WorkOptions& options);
StepWork work_of(const MnistCnnSizes& sizes, const WorkOptions& options);
StepWork work_of(const ResNetSizes& sizes, const WorkOptions& options);
StepWork work_of(const EncoderSizes& sizes, const WorkOptions& options);
StepWork work_of(const TranslatorSizes& sizes, const WorkOptions& options);
StepWork work_of(const DecoderSizes& sizes, const WorkOptions& options);

// Throws Error unless the tensor group divides `extent`.
std::int64_t share_of_group(const char* what, std::int64_t extent, const WorkOptions& options);

}  // namespace tpulab
