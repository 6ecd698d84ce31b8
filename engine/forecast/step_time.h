// The time of one step from its work: the passes of a device, the collectives along each axis of
// the mesh, the host.
#pragma once

#include "engine/forecast/forecast.h"

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
PassTimes pass_times(const StepWork& step, const ForecastRequest& request, const Machine& machine);

// Seconds of the collectives of one step, nothing hidden.
struct CollectiveTimes {
  double gather = 0;    // weights of fully sharded layers, once for each pass
  double scatter = 0;   // their gradients
  double reduce = 0;    // gradients of replicas
  double exchange = 0;  // activations inside a tensor group
  double network = 0;   // gradients between slices
  double total() const { return gather + scatter + reduce + exchange + network; }
};
CollectiveTimes collective_times(const StepWork& step, const ForecastRequest& request,
                                 const Mesh& mesh, const Machine& machine);

// Seconds of the host for one step.
struct HostTimes {
  double tracing = 0;   // operations and the loop of a step
  double dispatch = 0;  // handing the program over
  double input = 0;     // rows made and sent, in the background
};
HostTimes host_times(const StepWork& step, const ForecastRequest& request, const Machine& machine,
                     int devices_on_host);

DType storage_of(const ForecastRequest& request);
DType compute_of(const ForecastRequest& request);

}  // namespace tpulab
