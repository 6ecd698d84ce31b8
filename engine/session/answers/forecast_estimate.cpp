#include "engine/session/answers/forecast_estimate.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/evidence/bands.h"
#include "engine/forecast/mesh.h"
#include "engine/forecast/single_kernel.h"
#include "engine/session/settings/plan.h"

namespace tpulab {

namespace {

void add_memory(const ForecastMemory& memory, Estimate& estimate) {
  estimate.hbm_used = memory.total();
  estimate.hbm_limit = memory.limit;
  estimate.memory = {{"weights", memory.weights},
                     {"optimizer state", memory.optimizer_state},
                     {"activations and gradients", memory.activations},
                     {"batches kept ready", memory.batches_ahead},
                     {"temporaries", memory.temporaries}};
  if (memory.validation_rows.value > 0) {
    estimate.memory[2].name = "activations";
    estimate.memory[4] = {"rows of validation in one graph", memory.validation_rows};
  }
  if (!memory.with_state) return;
  estimate.memory[0].name = "weights and optimizer state";
  estimate.memory.erase(estimate.memory.begin() + 1);
}

// What is computed again counts for nothing; the backward pass has twice the products.
double model_operations(const ResolvedStep& step) {
  const bool trains = std::ranges::any_of(
      step.work.blocks, [](const Block& block) { return !block.backward.empty(); });
  return (trains ? 3 : 1) * static_cast<double>(step.forward_flops.value);
}

}  // namespace

std::string model_text(const Settings& settings) {
  std::string text = settings.model;
  if (settings.sequence > 0) text += fmt::format(" of {} tokens", settings.sequence);
  if (settings.image > 0) text += fmt::format(" at {} pixels", settings.image);
  return text;
}

void add_forecast(const Settings& settings, const TimedTraining& run, const RowShare& row,
                  Estimate& estimate) {
  const ResolvedStep& step = run.step_now();
  const Machine& machine = run.machine();
  estimate.model = model_text(settings);
  if (!names_kernel(settings.model)) estimate.mesh = text_of(step.mesh);
  add_memory(run.memory(), estimate);
  estimate.squeezed = step.work.squeezed;
  // A step of the run may hold fewer rows than a whole one, or several batches.
  const double whole_steps = estimate.samples_per_second / static_cast<double>(step.request.batch);
  const double of_device = model_operations(step) * row.operations * whole_steps;
  estimate.mfu = of_device / estimate.peak;
  estimate.tflops_per_chip =
      of_device * machine.world() / static_cast<double>(machine.chips().size()) / 1e12;
  estimate.tokens_per_second =
      row.tokens * estimate.samples_per_second * static_cast<double>(step.work.tokens_per_row);
  const ForecastBand band = band_of(step, machine.slice);
  estimate.band = band.width;
  estimate.slower = band.slower;
  estimate.band_source = band.source;
  estimate.band_wider = band.wider;
  estimate.nearest = band.nearest.id;
  estimate.nearest_found = band.nearest.found;
  estimate.nearest_error = band.nearest.error;
}

}  // namespace tpulab
