// From a request to the step that it asks for: every choice made, every kernel listed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/forecast/forecast.h"
#include "engine/forecast/step_kernels.h"

namespace tpulab {

// A request with its choices filled in, and its step.
struct ResolvedStep {
  ForecastRequest request{};
  Mesh mesh{};
  StepWork work{};
  std::vector<StepKernel> kernels{};
  std::vector<int> alike{};  // per kernel: the first of the same work
  Flops forward_flops{};     // of the model's own operations, a device's share
  bool alone = false;        // kernels as they are measured by themselves, not in a training step

  // A given step says itself how many rows a device has, which others may have too.
  std::int64_t rows_of_replica() const {
    return request.given ? std::max<std::int64_t>(request.given->rows, 1)
                         : request.batch / mesh.replicas();
  }
};

// What a mesh that says neither data nor fsdp leaves to choose.
enum class Holds : std::uint8_t {
  what_fits,  // replicas, if weights, gradients and state take half of HBM at most, else shares
  shares,
};

// Throws Error for an unknown name, a batch that does not divide, a mesh that does not fit. A step
// that does not fit HBM is answered.
ResolvedStep resolved_step(const ForecastRequest& request, const Machine& machine,
                           Holds holds = Holds::what_fits);

// Of a step of a network. Traces it.
StepCalls calls_of(const ResolvedStep& step, const Machine& machine);

}  // namespace tpulab
