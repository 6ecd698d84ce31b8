#include "engine/session/answers/estimate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>

#include "engine/base/error.h"
#include "engine/session/answers/forecast_estimate.h"
#include "engine/session/answers/gpu_estimate.h"
#include "engine/session/answers/mean_step.h"
#include "engine/session/answers/time_only_run.h"
#include "engine/session/run/bounds.h"
#include "engine/session/run/replay.h"
#include "engine/session/settings/gpu_settings.h"
#include "engine/session/settings/memory_check.h"
#include "engine/session/settings/plan.h"
#include "engine/session/settings/setting_meanings.h"

namespace tpulab {

namespace {

void add_bounds(const TimeOnlyRun& run, Estimate& estimate) {
  Bounds bounds = bounds_of(run.told_records(), run.steps().machine());
  estimate.bound = std::move(bounds.first);
  estimate.next_bound = std::move(bounds.next);
  const double left = in_seconds(bounds.without) / in_seconds(bounds.step);
  estimate.next_bound_step = scaled(estimate.step, left);
}

void add_terms(const Meter& meter, Estimate& estimate) {
  estimate.terms = phases_of(meter.steady().shares(), estimate.step);
  std::ranges::stable_sort(estimate.terms, std::greater<>{}, &PhaseTime::time);
}

void add_devices(const TimeOnlyRun& run, Estimate& estimate) {
  const std::vector<DeviceGroup>& groups = run.steps().groups();
  const SteadySteps& steady = run.meter().steady();
  for (std::size_t group = 0; group < groups.size(); ++group) {
    estimate.alike.push_back({groups[group].devices, steady.step_time(group),
                              steady.duty_cycle(group),
                              steady.utilisation(run.steps().machine(), group)});
  }
  estimate.duty_cycle = estimate.alike.front().duty_cycle;
  estimate.utilisation = estimate.alike.front().utilisation;
}

// What transfers of a program take beside its other kernels: collectives, or those over the host
// link.
Picoseconds hidden_transfers(const std::shared_ptr<const Program>& program, const Machine& machine,
                             bool of_host) {
  const auto known = shared_price(program, machine);
  const ProgramPrice& priced = known->price;
  Picoseconds hidden{};
  for (std::size_t k = 0; k < priced.kernels.size(); ++k) {
    const Kernel& kernel = program->kernels[k];
    if (crosses_host_link(kernel) != of_host) continue;
    hidden += priced.hidden[k];
  }
  return hidden;
}

Picoseconds hidden_transfers(const TimeOnlyRun& run, bool of_host) {
  return picoseconds_from_seconds(in_a_step(run, [&](const auto& program) {
    return in_seconds(hidden_transfers(program, run.steps().machine(), of_host));
  }));
}

double bubble_of(const std::shared_ptr<const Program>& program, const Machine& machine) {
  const auto known = shared_price(program, machine);
  double empty = 0;
  for (std::size_t k = 0; k < program->kernels.size(); ++k) {
    const Kernel& kernel = program->kernels[k];
    if (kernel.empty == 0) continue;  // all of them but in a pipeline
    empty += in_seconds(known->price.exposed[k]) * static_cast<double>(kernel.empty) /
             static_cast<double>(kernel.runs);
  }
  return empty;
}

// Of all programs, as a share of the step.
double bubble_of(const TimeOnlyRun& run) {
  const double empty = in_a_step(
      run, [&](const auto& program) { return bubble_of(program, run.steps().machine()); });
  return empty / in_seconds(run.meter().steady().step_time());
}

// What hosts, loaders and links do while devices do something else.
void add_hidden(const TimeOnlyRun& run, Estimate& estimate) {
  const auto beside = run.meter().steady().beside();
  for (std::size_t i = 0; i < beside.size(); ++i) {
    if (beside[i] <= Picoseconds{}) continue;
    estimate.hidden.push_back({std::string(name_of(static_cast<Share>(i))), beside[i]});
  }
  for (const bool of_host : {false, true}) {
    const Picoseconds transfers = hidden_transfers(run, of_host);
    if (transfers <= Picoseconds{}) continue;
    estimate.hidden.push_back({of_host ? "offloaded arrays" : "collectives", transfers});
  }
  std::ranges::stable_sort(estimate.hidden, std::greater<>{}, &PhaseTime::time);
}

void add_run(const TimeOnlyRun& run, Estimate& estimate) {
  estimate.compile = run.compiles().total;
  estimate.compile_least = scaled(estimate.compile, 1 / compile_spread);
  estimate.compile_most = scaled(estimate.compile, compile_spread);
  if (!run.whole()) return;
  estimate.run = RunEstimate{.steps = run.whole()->steps,
                             .epochs = run.whole()->epochs,
                             .compiles = run.compiles().compiled,
                             .loaded = run.compiles().loaded,
                             .time = run.whole()->time,
                             .evaluations = run.whole()->evaluations,
                             .samples_per_second = run.whole()->samples_per_second};
}

// The loop of a trainer knows the rows of one device alone, and none that shapes leave out.
std::int64_t rows_of_epoch(const Stepper& steps, const SteadySteps& steady, bool fixed) {
  if (!fixed) {
    const double a_step = steady.rate() * in_seconds(steady.step_time());
    return std::llround(a_step * static_cast<double>(steps.loop().steps_per_epoch()));
  }
  const std::int64_t rows = steps.loop().rows_per_epoch();
  return steps.trainer() != nullptr ? rows * steps.machine().world() : rows;
}

// Where shapes change, that of the longest step there can be.
std::int64_t rows_of_whole_step(const Settings& settings, const TimeOnlyRun& run) {
  if (settings.shapes == "fixed") return run.steady_step().samples;
  const std::int64_t whole = global_batch(settings);
  if (!rows_of_an_epoch(settings)) return whole;
  return std::min(whole, rows_per_device(settings) * run.steps().machine().world());
}

Estimate replayed(const Settings& settings, const std::stop_token& stop) {
  TimeOnlyRun run(settings);
  run.run(stop);
  const Meter& meter = run.meter();
  const Machine& machine = run.steps().machine();
  Estimate estimate;
  estimate.machine = machine.slice.name;
  estimate.device = machine.slice.device_word();
  estimate.devices = machine.slice.devices();
  estimate.model = run.steps().model_name();
  estimate.global_batch = rows_of_whole_step(settings, run);
  estimate.batch = batch_meaning(settings);
  estimate.step = meter.steady().step_time();
  estimate.epoch_steps = run.steps().loop().steps_per_epoch();
  estimate.epoch_rows = rows_of_epoch(run.steps(), meter.steady(), settings.shapes == "fixed");
  estimate.follows_run = run.whole() && run.settled_behind();
  estimate.samples_per_second = meter.steady().rate();
  add_devices(run, estimate);
  estimate.peak = machine.generation().matrix_flops_per_second();
  estimate.hbm_used = run.steps().hbm_used();
  estimate.hbm_limit = machine.slice.usable_hbm_per_device();
  add_run(run, estimate);
  estimate.band_source = "no measured step is of a network like this one";
  add_terms(meter, estimate);
  add_hidden(run, estimate);
  estimate.bubble = bubble_of(run);
  add_bounds(run, estimate);
  if (const TimedTraining* named = run.steps().timed()) {
    add_forecast(settings, *named, meter.steady().row(), estimate);
  }
  return estimate;
}

}  // namespace

Estimate estimate(const Settings& settings, const std::stop_token& stop) {
  return or_impossible(
      [&] { return on_gpus(settings) ? gpu_estimate(settings) : replayed(settings, stop); });
}

}  // namespace tpulab
