#include "engine/forecast/forecast.h"

#include <numeric>

#include "engine/forecast/step_time.h"

namespace tpulab {

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
  return {.request = priced.request,
          .slice = machine.slice,
          .mesh = priced.mesh,
          .step = picoseconds_from_seconds(step_seconds(priced.parts, machine))};
}

Forecast forecast_on(const ForecastRequest& request, const Machine& machine) {
  return forecast_of(priced_step(request, machine), machine);
}

Forecast forecast(const ForecastRequest& request) {
  return forecast_on(request, machine_of(request));
}

}  // namespace tpulab
