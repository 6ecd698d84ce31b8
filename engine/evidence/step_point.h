// A measured training run as a prediction that constants of the stack can be varied on.
#pragma once

#include <string>

#include "engine/evidence/points.h"
#include "engine/forecast/steady_step.h"

namespace tpulab {

// What the point asks a forecast. Throws Error where the point does not say enough.
ForecastRequest request_of(const MeasuredPoint& point);
// Empty if it can be asked; else why not ("model gnmt is not described").
std::string why_not_predicted(const MeasuredPoint& point);

// Priced once, and what a measured value holds beside steps.
struct StepPoint {
  SteadyStep step{};
  SteadyStep late{};      // of a second sequence length
  double late_share = 0;  // of all steps
  SteadyStep evaluation{};
  double shared_norm = 0;  // seconds of a step that wait for the sums of other cores
  double evaluations = 0;  // batches of evaluation for each step of training
  double switches = 0;     // from training to evaluation and back, for each step
  double compiles = 0;     // seconds of compiling for each step
  Machine machine{};
  double per_second = 0;  // what a step of one second would be in the point's unit
  bool rate = false;      // the unit is one over time
  bool fits = true;       // HBM of a device
};
StepPoint step_point(const MeasuredPoint& point);
// In the point's unit, with this stack's constants.
double predicted_step(const StepPoint& point, const StackRow& stack);

}  // namespace tpulab
