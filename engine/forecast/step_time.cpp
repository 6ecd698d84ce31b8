#include "engine/forecast/step_time.h"

#include <algorithm>

#include "engine/forecast/memory.h"
#include "engine/machine/loader.h"
#include "engine/machine/price.h"
#include "engine/machine/straggler.h"

namespace tpulab {

namespace {

struct Slowest {
  double host = 1;
  double device = 1;
};

Slowest slowest_of(const Machine& machine) {
  Slowest slowest;
  if (machine.stragglers.empty()) return slowest;
  for (const DeviceGroup& group : device_groups(machine)) {
    slowest.host = std::max(slowest.host, group.host_factor);
    slowest.device = std::max(slowest.device, group.device_factor);
  }
  return slowest;
}

double& seconds_of(PassTimes& passes, Pass pass) {
  if (pass == Pass::update) return passes.update;
  return pass == Pass::forward ? passes.forward : passes.backward;
}

// Activations go while the forward pass runs, and come while the backward pass does. `speed` is
// that of the slowest device.
double offload_exposed(const StepParts& parts, double speed) {
  const double sent = parts.collectives.offload;
  return std::max(0.0, sent - parts.passes.forward / speed) +
         std::max(0.0, sent - parts.passes.backward / speed);
}

}  // namespace

void add_prices(StepParts& parts, std::span<const StepKernel> kernels,
                const std::vector<int>& alike, const Machine& machine) {
  const Neighbours neighbours = neighbours_of(parts.alone, kernels.size());
  std::vector<Picoseconds> times;
  for (const int like : alike) {
    const bool known = static_cast<std::size_t>(like) < times.size();
    times.push_back(known ? times[static_cast<std::size_t>(like)]
                          : price(kernels[times.size()].kernel.work, machine, neighbours).time);
  }
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const StepKernel& step = kernels[k];
    const double seconds = static_cast<double>(step.kernel.runs) * in_seconds(times[k]);
    if (step.pass == Pass::offload) {
      parts.collectives.offload = seconds;
    } else if (step.pass == Pass::network) {
      parts.collectives.network += seconds * machine.stack->network_share;
    } else if (step.kernel.collective) {
      parts.collectives.torus += seconds;
    } else {
      seconds_of(parts.passes, step.pass) += seconds;
    }
  }
}

double loaders_of(const Machine& machine) {
  return loaders_at_work(machine, host_cpus(machine) / 2 / devices_of_host(machine));
}

HostTimes host_times(const StepWork& step, const ForecastRequest& request, const Machine& machine,
                     bool alone) {
  const StackRow& stack = *machine.stack;
  const HostRow& host = *machine.host;
  HostTimes times;
  times.tracing = stack.trace_seconds_per_op * step.traced_ops;
  if (!alone) times.tracing += stack.step_seconds;
  times.dispatch = stack.dispatch_seconds / stack.steps_per_dispatch;
  if (step.batch.value == 0) return times;
  const double rows = static_cast<double>(request.batch) / machine.world();
  times.input = rows * row_seconds(machine) / loaders_of(machine) + host.link_latency_seconds +
                in_seconds(host_transfer_time(step.batch, machine));
  return times;
}

double step_seconds(const StepParts& parts, const Machine& machine) {
  const StackRow& stack = *machine.stack;
  const Slowest slowest = slowest_of(machine);
  const double torus = parts.collectives.torus;
  const double program = machine.generation().program_seconds / stack.steps_per_dispatch;
  const double efficiency = parts.alone ? 1 : stack.kernel_efficiency.value;
  const double device = parts.passes.total() / efficiency + program;
  const double hidden = stack.collective_overlap * std::min(torus, device);
  const double network = parts.collectives.network / stack.network_share;
  const double exposed =
      torus - hidden + network + offload_exposed(parts, efficiency / slowest.device);
  const double host = parts.host.tracing + parts.host.dispatch;
  return std::max(
      {device * slowest.device + exposed, host * slowest.host, parts.host.input * slowest.host});
}

}  // namespace tpulab
