// The step that a run of a request goes on with, priced once, so that the stack's constants can be
// varied on it: by the prices and the clocks of the run itself.
#pragma once

#include <memory>
#include <vector>

#include "engine/compiler/price_program.h"
#include "engine/forecast/forecast.h"

namespace tpulab {

// A step that compiles nothing: its program, and what goes beside it.
struct SteadyStep {
  std::shared_ptr<const Program> program{};
  std::vector<Price> kernels{};               // of the program, each by itself
  std::vector<std::size_t> between_slices{};  // those that depend on the stack
  double others = 0;                          // seconds of such a step if its program took no time
  double handing = 0;                         // seconds between two programs, where devices bind
};

// Throws Error, and RESOURCE_EXHAUSTED where HBM is too small.
SteadyStep steady_step(const ForecastRequest& request, const Machine& machine);
// The forward pass of a batch that is validated; nothing goes beside it.
SteadyStep evaluation_step(const ForecastRequest& request, const Machine& machine);
// On that machine, or on one with another row of constants of its stack.
double seconds_of(const SteadyStep& step, const Machine& machine);

}  // namespace tpulab
