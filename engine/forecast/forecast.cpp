#include "engine/forecast/forecast.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/forecast/memory.h"
#include "engine/forecast/step_time.h"

namespace tpulab {

namespace {

// On which some of the machine's devices lie, which are sorted.
int chips_of(const Machine& machine) {
  if (machine.world() == machine.slice.devices()) return machine.slice.chips;
  int chips = 0;
  int previous = -1;
  for (const int device : machine.devices) {
    const int chip = device / machine.generation().devices_per_chip;
    chips += chip != std::exchange(previous, chip) ? 1 : 0;
  }
  return chips;
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
  result.tflops_per_chip = per_device * machine.world() / chips_of(machine) / 1e12;
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

Forecast forecast_of(const PricedStep& priced, const Machine& machine) {
  const StepSeconds times = step_seconds(priced.parts, machine);
  Forecast result{.request = priced.request, .slice = machine.slice, .mesh = priced.mesh};
  result.rows_per_replica = priced.rows_of_replica();
  result.parameters = priced.work.parameters();
  result.step = picoseconds_from_seconds(times.step);
  fill_rates(result, priced.work, machine);
  result.memory = memory_of(priced, machine.slice);
  result.out_of_memory = out_of_memory_text(result.memory, priced.work);
  return result;
}

Forecast forecast_on(const ForecastRequest& request, const Machine& machine) {
  return forecast_of(priced_step(request, machine), machine);
}

Forecast forecast(const ForecastRequest& request) {
  return forecast_on(request, machine_of(request));
}

}  // namespace tpulab
