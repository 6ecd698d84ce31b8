#include "engine/forecast/forecast.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "engine/forecast/bands.h"
#include "engine/forecast/memory.h"
#include "engine/forecast/step_time.h"
#include "engine/machine/price.h"

namespace tpulab {

namespace {

std::vector<ForecastTerm> terms_of(const StepParts& parts, const StepSeconds& times,
                                   const Machine& machine) {
  const auto& [passes, collectives, host, flops, tokens, alone] = parts;
  std::vector<ForecastTerm> terms;
  const auto add = [&](const char* name, double seconds, bool exposed = true) {
    if (seconds > 0) terms.push_back({name, picoseconds_from_seconds(seconds), exposed});
  };
  const double slower = alone ? 1 : 1 / machine.stack->kernel_efficiency;
  add(alone ? "kernels" : "forward", passes.forward * slower);
  add("forward again", passes.again * slower);
  add("backward", passes.backward * slower);
  add("update", passes.update * slower);
  const double all = collectives.torus();
  const double open = all > 0 ? (times.exposed - times.network) / all : 0;
  struct Part {
    const char* exposed;
    const char* hidden;
    double seconds;
  };
  const std::array<Part, 4> torus{
      {{"all-gather of weights", "all-gather of weights, hidden", collectives.gather},
       {"reduce-scatter of gradients", "reduce-scatter of gradients, hidden", collectives.scatter},
       {"all-reduce of gradients", "all-reduce of gradients, hidden", collectives.reduce},
       {"all-reduce of activations", "all-reduce of activations, hidden", collectives.exchange}}};
  for (const Part& part : torus) add(part.exposed, part.seconds * open);
  add("network between slices", times.network);
  add("waiting for the straggler", times.straggler);
  const double inside = times.device + times.straggler + times.exposed;
  add("start of the program", times.device - passes.total() * slower);
  if (times.step > inside) {
    add(times.host >= host.input ? "waiting for the host" : "waiting for input",
        times.step - inside);
  }
  for (const Part& part : torus) add(part.hidden, part.seconds * (1 - open), false);
  add("host tracing and loop, hidden", host.tracing, false);
  add("host dispatch, hidden", host.dispatch, false);
  add("input, hidden", host.input, false);
  return terms;
}

std::vector<ForecastBound> bounds_of(const StepParts& parts, const StepSeconds& times,
                                     const Machine& machine) {
  const auto& need = parts.passes.need;
  const std::array<double, step_resources> needs{
      need[0],       need[1],    need[2],         need[3], parts.collectives.torus(),
      times.network, times.host, parts.host.input};
  std::vector<ForecastBound> bounds;
  for (std::size_t i = 0; i < step_resources; ++i) {
    const auto resource = static_cast<StepResource>(i);
    bounds.push_back({std::string(name_of(resource)), picoseconds_from_seconds(needs[i]),
                      picoseconds_from_seconds(step_without(parts, machine, resource, resource))});
  }
  return bounds;
}

// Of all others, the one without which too the step would be shortest.
std::string next_after(StepResource first, const StepParts& parts, const Machine& machine) {
  StepResource next = first;
  double least = 0;
  for (std::size_t i = 0; i < step_resources; ++i) {
    const auto resource = static_cast<StepResource>(i);
    if (resource == first) continue;
    const double step = step_without(parts, machine, first, resource);
    if (next == first || step < least) next = resource, least = step;
  }
  return std::string(name_of(next));
}

void fill_bounds(Forecast& result, const StepParts& parts, const StepSeconds& times,
                 const Machine& machine) {
  result.bounds = bounds_of(parts, times, machine);
  const auto first = std::ranges::min_element(result.bounds, {}, &ForecastBound::step);
  const auto resource = static_cast<StepResource>(first - result.bounds.begin());
  result.next_bound = next_after(resource, parts, machine);
  std::ranges::stable_sort(result.bounds, {}, &ForecastBound::step);
}

void fill_rates(Forecast& result, const StepWork& step, const Machine& machine) {
  const double seconds = in_seconds(result.step);
  result.samples_per_second = static_cast<double>(result.request.batch) / seconds;
  result.tokens_per_second = result.samples_per_second * static_cast<double>(step.tokens_per_row);
  // A training step has the forward pass and twice its products in the backward pass.
  const bool trains =
      std::ranges::any_of(step.blocks, [](const Block& block) { return !block.backward.empty(); });
  const double flops = (trains ? 3 : 1) * static_cast<double>(step.forward_flops().value);
  const double per_device = flops / seconds;
  result.tflops_per_chip = per_device * machine.generation().devices_per_chip / 1e12;
  result.mfu = per_device / machine.generation().matrix_flops_per_second();
}

}  // namespace

Machine machine_of(const ForecastRequest& request) {
  Machine machine{.slice = slice_named(request.slice),
                  .host = &host_named(request.host),
                  .stack = &stack_named(request.stack),
                  .devices = {}};
  machine.devices.resize(static_cast<std::size_t>(machine.slice.devices()));
  std::iota(machine.devices.begin(), machine.devices.end(), 0);
  return machine;
}

Forecast forecast_on(const ForecastRequest& request, const Machine& machine) {
  const PricedStep priced = priced_step(request, machine);
  const StepSeconds times = step_seconds(priced.parts, machine);
  Forecast result{.request = priced.request, .slice = machine.slice, .mesh = priced.mesh};
  result.rows_per_replica = priced.request.batch / (std::int64_t{priced.mesh.slices} *
                                                    priced.mesh.data * priced.mesh.fsdp);
  result.parameters = priced.work.parameters();
  result.step = picoseconds_from_seconds(times.step);
  result.duty_cycle = (times.device + times.straggler + times.exposed) / times.step;
  result.terms = terms_of(priced.parts, times, machine);
  fill_bounds(result, priced.parts, times, machine);
  fill_rates(result, priced.work, machine);
  result.memory =
      memory_of(priced.work, result.request, result.mesh, machine.slice, *result.request.optimizer);
  result.out_of_memory = out_of_memory_text(result.memory, priced.work, result.request, result.mesh,
                                            result.rows_per_replica);
  const Picoseconds compile = compile_time(priced.work.traced_ops, machine);
  result.compile_least = picoseconds_from_seconds(in_seconds(compile) / compile_spread);
  result.compile_most = picoseconds_from_seconds(in_seconds(compile) * compile_spread);
  return result;
}

Forecast forecast(const ForecastRequest& request) {
  Forecast result = forecast_on(request, machine_of(request));
  result.band = band_of(result);
  return result;
}

}  // namespace tpulab
