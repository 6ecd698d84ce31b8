#include "engine/forecast/step_time.h"

#include <algorithm>

#include "engine/forecast/memory.h"
#include "engine/machine/price.h"
#include "engine/machine/straggler.h"

namespace tpulab {

namespace {

// price(): starts come first, then the longest of the others; the array issues its blocks itself.
void add_needs(PassTimes& times, const Price& price, double runs) {
  const std::array<double, device_resources> needs{in_seconds(std::max(price.matrix, price.blocks)),
                                                   in_seconds(price.vector), in_seconds(price.hbm),
                                                   in_seconds(price.overhead + price.exposed)};
  constexpr auto starts = static_cast<std::size_t>(StepResource::kernel_starts);
  for (std::size_t a = 0; a < device_resources; ++a) {
    times.need[a] += runs * needs[a];
    for (std::size_t b = 0; b < device_resources; ++b) {
      double longest = 0;
      for (std::size_t other = 0; other < starts; ++other) {
        if (other != a && other != b) longest = std::max(longest, needs[other]);
      }
      const double start = a == starts || b == starts ? 0 : needs[starts];
      times.without[a][b] += runs * (start + longest);
    }
  }
}

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
  add_needs(times, price, runs);
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

void add_prices(StepParts& parts, std::span<const StepKernel> kernels, const Machine& machine) {
  const auto neighbours =
      parts.alone && kernels.size() == 1 ? Neighbours::none : Neighbours::around;
  for (const StepKernel& step : kernels) {
    const Price priced = price(step.kernel.work, machine, neighbours);
    if (step.kernel.collective) {
      add_collective(parts.collectives, step, priced, *machine.stack);
    } else {
      add_pass(parts.passes, step, priced);
    }
  }
}

double loaders_of(const Machine& machine) {
  const int devices = std::min(machine.world(), machine.slice.devices_per_host());
  return machine.host->cpus / 2 / devices;
}

Bytes over_host_link(const StepWork& step, const ForecastRequest& request) {
  return step.batch + offloaded_bytes(step, request.remat, request.mesh.tensor) * 2;
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
  times.input = rows / (host.rows_per_second_per_worker * loaders_of(machine)) +
                host.link_latency_seconds +
                in_seconds(host_transfer_time(over_host_link(step, request), machine));
  return times;
}

StepSeconds step_seconds(const StepParts& parts, const Machine& machine) {
  const StackRow& stack = *machine.stack;
  const Slowest slowest = slowest_of(machine);
  const double torus = parts.collectives.torus();
  StepSeconds times;
  const double program = machine.generation().program_seconds / stack.steps_per_dispatch;
  const double efficiency = parts.alone ? 1 : stack.kernel_efficiency.value;
  times.device = parts.passes.total() / efficiency + program;
  times.straggler = times.device * (slowest.device - 1);
  times.network = parts.collectives.network / stack.network_share;
  times.hidden = stack.collective_overlap * std::min(torus, times.device);
  times.exposed = torus - times.hidden + times.network;
  times.host = (parts.host.tracing + parts.host.dispatch) * slowest.host;
  const double input = parts.host.input * slowest.host;
  times.step = std::max({times.device + times.straggler + times.exposed, times.host, input});
  return times;
}

std::string_view name_of(StepResource resource) {
  static constexpr std::array<std::string_view, step_resources> names{
      "matrix unit", "vector unit", "HBM", "kernel starts", "torus links", "network between slices",
      "host",        "input"};
  return names[static_cast<std::size_t>(resource)];
}

double step_without(const StepParts& parts, const Machine& machine, StepResource a,
                    StepResource b) {
  StepParts rest = parts;
  const auto inside = [](StepResource one) { return one <= StepResource::kernel_starts; };
  const auto free = [&](StepResource one) { return one == a || one == b; };
  if (inside(a) || inside(b)) {
    const auto first = static_cast<std::size_t>(inside(a) ? a : b);
    const auto second = static_cast<std::size_t>(inside(b) ? b : a);
    rest.passes = {.forward = parts.passes.without[first][second]};
  }
  if (free(StepResource::torus_links)) rest.collectives = {.network = rest.collectives.network};
  if (free(StepResource::network)) rest.collectives.network = 0;
  if (free(StepResource::host)) rest.host.tracing = rest.host.dispatch = 0;
  if (free(StepResource::input)) rest.host.input = 0;
  return step_seconds(rest, machine).step;
}

}  // namespace tpulab
