#include "engine/session/estimate.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/machine/scaled_machine.h"
#include "engine/session/forecast_estimate.h"
#include "engine/session/gpu_estimate.h"
#include "engine/session/gpu_settings.h"
#include "engine/session/time_only_run.h"

namespace tpulab {

namespace {

// What would have to be free for a share to vanish.
std::vector<Resource> causes_of(Share share) {
  switch (share) {
    case Share::host_tracing:
      return {Resource::host_tracing, Resource::dispatch};
    case Share::input:
      return {Resource::loader};
    case Share::transfer:
      return {Resource::host_link};
    case Share::read_back:
      return {Resource::read_backs, Resource::host_link};
    case Share::cpu_fallback:
      return {Resource::host_cpu, Resource::read_backs, Resource::host_link};
    case Share::compute:
      return {Resource::matrix_units, Resource::vector_unit, Resource::kernel_starts};
    case Share::hbm_bound:
      return {Resource::hbm};
    case Share::collective_transfer:
    case Share::collective_wait:
      return {Resource::links, Resource::hops};
    case Share::compile:
    case Share::idle:
      break;
  }
  return {};
}

Share largest(const Shares& shares) {
  return static_cast<Share>(std::ranges::max_element(shares) - shares.begin());
}

void add_bounds(const TimeOnlyRun& run, Estimate& estimate) {
  const Shares shares = run.meter().steady_shares();
  const Share bound = largest(shares);
  estimate.bound = name_of(bound);
  ScaledMachine freed(run.trainer().runtime().machine());
  for (const Resource resource : causes_of(bound)) {
    freed.speed_up(resource, ScaledMachine::free_factor);
  }
  estimate.next_bound_step = run.step_on(freed.machine());
  Shares rest = shares;
  rest[index_of(bound)] = 0;
  estimate.next_bound = name_of(largest(rest));
}

void add_terms(const Meter& meter, Estimate& estimate) {
  const Shares shares = meter.steady_shares();
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (shares[i] <= 0) continue;
    estimate.terms.push_back({std::string(name_of(static_cast<Share>(i))),
                              picoseconds_from_seconds(in_seconds(estimate.step) * shares[i])});
  }
  std::ranges::stable_sort(estimate.terms, std::greater<>{}, &EstimateTerm::time);
}

Estimate digits_estimate(const Settings& settings, const std::stop_token& stop) {
  TimeOnlyRun run(settings);
  run.run(stop);
  const Meter& meter = run.meter();
  const Machine& machine = run.trainer().runtime().machine();
  Estimate estimate;
  estimate.machine = machine.slice.name;
  estimate.model = run.trainer().model().name();
  estimate.global_batch = settings.batch * machine.world();
  estimate.batch = batch_text(settings);
  estimate.step = meter.steady_step_time();
  estimate.samples_per_second = meter.steady_rate();
  estimate.duty_cycle = meter.steady_duty_cycle();
  estimate.utilisation = meter.steady_utilisation(machine);
  estimate.hbm_used = run.trainer().runtime().hbm_used();
  estimate.hbm_limit = machine.slice.hbm_per_device();
  estimate.compile = meter.compiles().total;
  estimate.compile_least = scaled(estimate.compile, 1 / compile_spread);
  estimate.compile_most = scaled(estimate.compile, compile_spread);
  estimate.band_source = "no measured step is near this small model";
  add_terms(meter, estimate);
  add_bounds(run, estimate);
  return estimate;
}

}  // namespace

Estimate estimate(const Settings& settings, const std::stop_token& stop) {
  if (on_gpus(settings)) return gpu_estimate(settings);
  return is_named(settings) ? forecast_estimate(settings) : digits_estimate(settings, stop);
}

}  // namespace tpulab
