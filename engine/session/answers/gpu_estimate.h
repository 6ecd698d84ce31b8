// Estimates of GPUs, in the words that estimates of TPUs have.
#pragma once

#include "engine/session/answers/estimate.h"

namespace tpulab {

// The settings' slice names GPUs. Throws Error as gpu_forecast() does.
Estimate gpu_estimate(const Settings& settings);

}  // namespace tpulab
