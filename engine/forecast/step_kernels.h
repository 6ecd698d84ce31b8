// The kernels of one training step on one device, collectives included, in the order they run.
#pragma once

#include <vector>

#include "engine/compiler/program.h"
#include "engine/forecast/forecast.h"

namespace tpulab {

// What a kernel is for.
enum class Pass : std::uint8_t {
  forward,
  backward,
  gather,    // weights of fully sharded layers, before each pass
  exchange,  // activations of devices that share rows or layers
  turned,    // their gradients
  scatter,   // gradients of fully sharded layers
  reduce,    // gradients of replicas
  network,   // gradients between slices
  update,
  offload,  // activations, to the host and back
};

struct StepKernel {
  Pass pass{};
  Kernel kernel;
};

std::vector<StepKernel> step_kernels(const StepWork& step, const Mesh& mesh);

DType storage_of(const ForecastRequest& request);
DType compute_of(const ForecastRequest& request);
DType sent_of(const ForecastRequest& request);  // rows of numbers, from the host

}  // namespace tpulab
