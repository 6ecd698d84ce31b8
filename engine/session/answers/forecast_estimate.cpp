#include "engine/session/answers/forecast_estimate.h"

#include <fmt/format.h>

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
                     {"temporaries", memory.temporaries}};
  if (memory.validation_rows.value == 0) return;
  estimate.memory[2].name = "activations";
  estimate.memory[3] = {"rows of validation in one graph", memory.validation_rows};
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
  const Forecast told = forecast_of(run.step_now(), run.machine());
  estimate.model = model_text(settings);
  if (!names_kernel(settings.model)) estimate.mesh = text_of(told.mesh);
  add_memory(run.memory(), estimate);
  // Model operations: what is computed again counts for nothing. A step of the run may hold fewer
  // rows than a whole one, or several batches.
  const double speed = told.samples_per_second > 0
                           ? estimate.samples_per_second / told.samples_per_second
                           : in_seconds(told.step) / in_seconds(estimate.step);
  estimate.mfu = told.mfu * speed * row.operations;
  estimate.tflops_per_chip = told.tflops_per_chip * speed * row.operations;
  estimate.tokens_per_second = told.samples_per_second > 0
                                   ? row.tokens * estimate.samples_per_second *
                                         told.tokens_per_second / told.samples_per_second
                                   : 0;
  const ForecastBand band = band_of(told);
  estimate.band = band.width;
  estimate.slower = band.slower;
  estimate.band_source = band.source;
  estimate.nearest = band.nearest.id;
  estimate.nearest_found = band.nearest.found;
  estimate.nearest_error = band.nearest.error;
}

}  // namespace tpulab
