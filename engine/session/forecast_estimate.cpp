#include "engine/session/forecast_estimate.h"

#include <fmt/format.h>

#include "engine/forecast/bands.h"
#include "engine/forecast/mesh.h"
#include "engine/forecast/single_kernel.h"
#include "engine/forecast/step_program.h"
#include "engine/machine/scaled_machine.h"
#include "engine/session/plan.h"
#include "engine/session/price_rows.h"

namespace tpulab {

namespace {

void add_memory(const ForecastMemory& memory, Estimate& estimate) {
  estimate.hbm_used = memory.total();
  estimate.hbm_limit = memory.limit;
  estimate.memory = {{"weights", memory.weights},
                     {"gradients", memory.gradients},
                     {"optimizer state", memory.optimizer_state},
                     {"activations", memory.activations},
                     {"temporaries", memory.temporaries}};
}

void add_terms(const Forecast& forecast, Estimate& estimate) {
  for (const ForecastTerm& term : forecast.terms) {
    const std::string name = term.name.substr(0, term.name.find(", hidden"));
    (term.exposed ? estimate.terms : estimate.hidden).push_back({name, term.time});
  }
}

}  // namespace

std::string model_text(const Settings& settings) {
  std::string text = settings.model;
  if (settings.sequence > 0) text += fmt::format(" of {} tokens", settings.sequence);
  if (settings.image > 0) text += fmt::format(" at {} pixels", settings.image);
  return text;
}

Estimate forecast_estimate(const Settings& settings) {
  const Machine machine = machine_for(settings);
  const ForecastRequest request = forecast_request(settings);
  const Forecast forecast = forecast_on(request, machine);
  Estimate estimate;
  estimate.machine = machine.slice.name;
  estimate.model = model_text(settings);
  estimate.global_batch = forecast.request.batch;
  estimate.batch = batch_text(settings);
  if (!names_kernel(settings.model)) estimate.mesh = text_of(forecast.mesh);
  estimate.failure = forecast.out_of_memory;
  add_memory(forecast.memory, estimate);
  if (!estimate.failure.empty()) return estimate;
  estimate.step = forecast.step;
  estimate.samples_per_second = forecast.samples_per_second;
  estimate.tokens_per_second = forecast.tokens_per_second;
  estimate.duty_cycle = forecast.duty_cycle;
  estimate.utilisation = forecast.mfu;
  estimate.tflops_per_chip = forecast.tflops_per_chip;
  estimate.compile_least = forecast.compile_least;
  estimate.compile_most = forecast.compile_most;
  estimate.compile = scaled(forecast.compile_least, compile_spread);
  const ForecastBand band = band_of(forecast);
  estimate.band = band.width;
  estimate.band_source = band.source;
  estimate.nearest = band.nearest;
  add_terms(forecast, estimate);
  estimate.bound = forecast.bounds[0].name;
  estimate.next_bound = forecast.next_bound;
  estimate.next_bound_step = forecast.bounds[0].step;
  return estimate;
}

std::vector<SpeedUp> forecast_speed_ups(const Settings& settings, double factor) {
  const Machine machine = machine_for(settings);
  const ForecastRequest request = forecast_request(settings);
  std::vector<SpeedUp> all;
  for (const Resource resource : resources()) {
    ScaledMachine faster(machine);
    faster.speed_up(resource, factor);
    all.push_back({std::string(name_of(resource)), forecast_on(request, faster.machine()).step});
  }
  return all;
}

PricedProgram forecast_program(const Settings& settings) {
  const Machine machine = machine_for(settings);
  const PricedStep step = priced_step(forecast_request(settings), machine);
  return priced_program(
      step_program(step, machine), machine,
      fmt::format("train step of {} on {}, estimated", model_text(settings), machine.slice.name));
}

}  // namespace tpulab
