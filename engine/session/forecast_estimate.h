// Estimates of named models: forecasts in the words that estimates of digits have.
#pragma once

#include <vector>

#include "engine/session/estimate.h"
#include "engine/session/priced_program.h"
#include "engine/session/speed_ups.h"

namespace tpulab {

// "bert-large of 128 tokens".
std::string model_text(const Settings& settings);
// All throw Error for settings that do not fit together.
Estimate forecast_estimate(const Settings& settings);
std::vector<SpeedUp> forecast_speed_ups(const Settings& settings, double factor);
PricedProgram forecast_program(const Settings& settings);

}  // namespace tpulab
