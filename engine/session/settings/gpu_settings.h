// Settings whose slice names GPUs: they are forecast and compared, nothing runs on them.
#pragma once

#include "engine/gpus/gpu_forecast.h"
#include "engine/session/settings/settings.h"

namespace tpulab {

bool on_gpus(const Settings& settings);
// "8 x V100 SXM2 16 GB (NVLink 2, 150 GB/s each way), mixed precision; forecast and compare only".
std::string gpus_in_words(const Settings& settings);
// Throws Error where a setting means TPUs alone, or where a run is asked for.
void check_gpu_settings(const Settings& settings);
void refuse_to_run_on_gpus(const Settings& settings);
// The digits model is the perceptron that it is. Throws Error as the settings' values do.
GpuForecastRequest gpu_request(const Settings& settings);

}  // namespace tpulab
