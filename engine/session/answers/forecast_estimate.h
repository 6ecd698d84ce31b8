// What a forecast knows of a named model beside the replay of its run.
#pragma once

#include <string>

#include "engine/forecast/timed_training.h"
#include "engine/session/answers/estimate.h"

namespace tpulab {

// "bert-large of 128 tokens".
std::string model_text(const Settings& settings);
// Adds mesh, memory by parts, tokens, model operations, and how well such steps are measured.
// `row`: what is trained of a row, in the mean, where lengths vary.
void add_forecast(const Settings& settings, const TimedTraining& run, const RowShare& row,
                  Estimate& estimate);

}  // namespace tpulab
