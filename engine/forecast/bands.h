// How far an estimate may be off: the held-out error of its class, and the nearest measured point.
#pragma once

#include "engine/forecast/forecast.h"

namespace tpulab {

ForecastBand band_of(const Forecast& forecast);

// The 90th percentile of the errors of training steps left out of the fit, the larger of model by
// model and generation by generation, rounded up to whole percents; a test holds it against
// validate().
double held_out_width_of_steps();

}  // namespace tpulab
