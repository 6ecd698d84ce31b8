// The time of one step from its work: the passes of a device, the collectives along each axis of
// the mesh, the host.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "engine/forecast/forecast.h"
#include "engine/forecast/step_kernels.h"

namespace tpulab {

// Seconds of one device, kernel by kernel as priced.
struct PassTimes {
  double forward = 0;
  double backward = 0;  // what is rematerialised, too
  double update = 0;
  double total() const { return forward + backward + update; }
};

// Seconds of what is exchanged in one step, nothing hidden.
struct CollectiveTimes {
  double torus = 0;
  double network = 0;  // gradients between slices, at the network's peak
  double offload = 0;  // activations to the host, and as long back
};

// Seconds of the host for one step; a kernel alone is only traced and dispatched.
struct HostTimes {
  double tracing = 0;   // operations and the loop of a step
  double dispatch = 0;  // handing the program over
  double input = 0;     // rows made and sent, in the background
};
HostTimes host_times(const StepWork& step, const ForecastRequest& request, const Machine& machine,
                     bool alone);

// All that a step's time is made of, before the stack's constants for whole steps are applied.
struct StepParts {
  PassTimes passes{};
  CollectiveTimes collectives{};
  HostTimes host{};
  Flops forward_flops{};  // of the model's own operations, a device's share
  bool alone = false;     // kernels as they are measured by themselves, not in a training step
};

// Adds passes and collectives.
// `alike`: as first_alike() has it of them.
void add_prices(StepParts& parts, std::span<const StepKernel> kernels,
                const std::vector<int>& alike, const Machine& machine);
// Loader processes that a host lends to one of its devices: half of its CPUs load.
double loaders_of(const Machine& machine);

// The later of device, host and input; the devices' work with what is exposed behind it. All wait
// for the slowest part of the machine.
double step_seconds(const StepParts& parts, const Machine& machine);

// A request with its choices filled in, and its step.
struct PricedStep {
  ForecastRequest request{};
  Mesh mesh{};
  StepWork work{};
  std::vector<StepKernel> kernels{};
  std::vector<int> alike{};  // per kernel: the first of the same work
  StepParts parts{};

  // A given step says itself how many rows a device has, which others may have too.
  std::int64_t rows_of_replica() const {
    return request.given ? std::max<std::int64_t>(request.given->rows, 1)
                         : request.batch / mesh.replicas();
  }
};
PricedStep priced_step(const ForecastRequest& request, const Machine& machine);

// Of a step of a network. Traces it.
StepCalls calls_of(const PricedStep& step, const Machine& machine);
// What it comes to, without a band.
Forecast forecast_of(const PricedStep& priced, const Machine& machine);

}  // namespace tpulab
