// The time of one step from its work: the passes of a device, the collectives along each axis of
// the mesh, the host.
#pragma once

#include <span>

#include "engine/forecast/forecast.h"
#include "engine/forecast/step_kernels.h"

namespace tpulab {

// Seconds of one device, kernel by kernel as priced.
struct PassTimes {
  double forward = 0;
  double again = 0;  // rematerialised
  double backward = 0;
  double update = 0;
  double total() const { return forward + again + backward + update; }
  // What each resource needs of it.
  double matrix = 0;
  double vector = 0;
  double hbm = 0;
  double overhead = 0;
};

// Seconds of the collectives of one step, nothing hidden.
struct CollectiveTimes {
  double gather = 0;    // weights of fully sharded layers, once for each pass
  double scatter = 0;   // their gradients
  double reduce = 0;    // gradients of replicas
  double exchange = 0;  // activations inside a tensor group
  double network = 0;   // gradients between slices, at the network's peak
  double torus() const { return gather + scatter + reduce + exchange; }
};

// Seconds of the host for one step.
struct HostTimes {
  double tracing = 0;   // operations and the loop of a step
  double dispatch = 0;  // handing the program over
  double input = 0;     // rows made and sent, in the background
};
HostTimes host_times(const StepWork& step, const ForecastRequest& request, const Machine& machine);

// All that a step's time is made of, before the stack's constants for whole steps are applied.
struct StepParts {
  PassTimes passes{};
  CollectiveTimes collectives{};
  HostTimes host{};
  Flops forward_flops{};  // of one device
  std::int64_t tokens_per_row = 0;
};
// Passes and collectives alone.
StepParts step_parts(std::span<const StepKernel> kernels, const Machine& machine);
// Loader processes that a host lends to one of its devices: half of its CPUs load.
double loaders_of(const Machine& machine);

struct StepSeconds {
  double device = 0;
  double straggler = 0;  // what the slowest device needs longer
  double network = 0;    // at the share of the peak that the stack reaches
  double hidden = 0;     // torus collectives behind the device's work
  double exposed = 0;    // the other collectives
  double host = 0;
  double step = 0;
};
// The later of device, host and input; the devices' work with what is exposed behind it. All wait
// for the slowest part of the machine.
StepSeconds step_seconds(const StepParts& parts, const Machine& machine);

// A request with its choices filled in, and its step.
struct PricedStep {
  ForecastRequest request{};
  Mesh mesh{};
  StepWork work{};
  std::vector<StepKernel> kernels{};
  StepParts parts{};
};
PricedStep priced_step(const ForecastRequest& request, const Machine& machine);

}  // namespace tpulab
