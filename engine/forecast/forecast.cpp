#include "engine/forecast/forecast.h"

#include <numeric>

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

}  // namespace tpulab
