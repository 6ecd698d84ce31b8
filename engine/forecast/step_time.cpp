#include "engine/forecast/step_time.h"

#include <algorithm>

#include "engine/machine/price.h"
#include "engine/machine/straggler.h"

namespace tpulab {

namespace {

void add_pass(PassTimes& times, const StepKernel& step, const Price& price) {
  const auto runs = static_cast<double>(step.kernel.runs);
  const double seconds = runs * in_seconds(price.time);
  switch (step.pass) {
    case Pass::forward:
      times.forward += seconds;
      break;
    case Pass::again:
      times.again += seconds;
      break;
    case Pass::backward:
      times.backward += seconds;
      break;
    default:
      times.update += seconds;
  }
  times.matrix += runs * in_seconds(price.matrix);
  times.vector += runs * in_seconds(price.vector);
  times.hbm += runs * in_seconds(price.hbm);
  times.overhead += runs * in_seconds(price.overhead + price.exposed);
}

void add_collective(CollectiveTimes& times, const StepKernel& step, const Price& price,
                    const StackRow& stack) {
  const double seconds = static_cast<double>(step.kernel.runs) * in_seconds(price.time);
  switch (step.pass) {
    case Pass::gather:
      times.gather += seconds;
      break;
    case Pass::scatter:
      times.scatter += seconds;
      break;
    case Pass::reduce:
      times.reduce += seconds;
      break;
    case Pass::exchange:
      times.exchange += seconds;
      break;
    default:
      times.network += seconds * stack.network_share;
  }
}

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

}  // namespace

StepParts step_parts(std::span<const StepKernel> kernels, const Machine& machine) {
  StepParts parts;
  for (const StepKernel& step : kernels) {
    const Price priced = price(step.kernel.work, machine);
    if (step.kernel.collective) {
      add_collective(parts.collectives, step, priced, *machine.stack);
    } else {
      add_pass(parts.passes, step, priced);
    }
  }
  return parts;
}

double loaders_of(const Machine& machine) {
  const int devices = std::min(machine.world(), machine.slice.devices_per_host());
  return machine.host->cpus / 2 / devices;
}

HostTimes host_times(const StepWork& step, const ForecastRequest& request, const Machine& machine) {
  const StackRow& stack = *machine.stack;
  const HostRow& host = *machine.host;
  HostTimes times;
  times.tracing = stack.trace_seconds_per_op * step.traced_ops + stack.step_seconds;
  times.dispatch = stack.dispatch_seconds / stack.steps_per_dispatch;
  const double rows = static_cast<double>(request.batch) / machine.world();
  times.input = rows / (host.rows_per_second_per_worker * loaders_of(machine)) +
                host.link_latency_seconds + in_seconds(host_transfer_time(step.batch, machine));
  return times;
}

StepSeconds step_seconds(const StepParts& parts, const Machine& machine) {
  const StackRow& stack = *machine.stack;
  const Slowest slowest = slowest_of(machine);
  const double torus = parts.collectives.torus();
  StepSeconds times;
  const double program = machine.generation().program_seconds / stack.steps_per_dispatch;
  times.device = parts.passes.total() / stack.kernel_efficiency + program;
  times.straggler = times.device * (slowest.device - 1);
  times.network = parts.collectives.network / stack.network_share;
  times.hidden = stack.collective_overlap * std::min(torus, times.device);
  times.exposed = torus - times.hidden + times.network;
  times.host = (parts.host.tracing + parts.host.dispatch) * slowest.host;
  const double input = parts.host.input * slowest.host;
  times.step = std::max({times.device + times.straggler + times.exposed, times.host, input});
  return times;
}

}  // namespace tpulab
