// A rough step of training on GPUs: each kernel at the slower of products and memory, then a ring
// over the link. It knows no scheduler, no cache and no input pipeline.
#pragma once

#include "engine/machine/gpus.h"
#include "engine/training/workload.h"

namespace tpulab {

struct GpuRooflineRequest {
  Workload workload;
  std::int64_t batch = 1;  // rows of each GPU and update
  std::int64_t rows = 0;   // of one pass, 0: as many of the batch as fit the memory
  std::int64_t sequence = 0;
  std::int64_t image = 0;
  GpuPrecision precision = GpuPrecision::mixed;
};

// Seconds of one update, on each GPU.
struct GpuRoofline {
  double forward = 0;
  double backward = 0;
  double update = 0;
  double all_reduce = 0;  // of gradients, nothing hidden
  double exposed = 0;     // the part that the last backward pass does not hide
  // What each resource needs of it.
  double products = 0;
  double memory = 0;
  double starts = 0;
  std::int64_t passes = 1;  // rows that do not fit at once go one part after the other
  std::int64_t tokens_per_row = 0;
  Bytes memory_used{};  // weights, gradients, optimizer state, activations of a pass

  double step() const { return forward + backward + update + exposed; }
};

// Throws Error where not even one row fits, or where the chip lacks the precision.
GpuRoofline gpu_roofline(const GpuRooflineRequest& request, const GpuGroup& group);

// Ring all-reduce: each GPU sends and receives 2 (n - 1) / n of the payload; boxes reduce inside
// first and exchange one payload a box over the network.
double gpu_all_reduce_seconds(double bytes, const GpuGroup& group);

}  // namespace tpulab
