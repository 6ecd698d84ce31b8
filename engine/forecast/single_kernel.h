// Single kernels by name, "gemm-8192x8192x8192", so that they are forecast and run like networks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/training/workload.h"

namespace tpulab {

// True if the name begins like a kernel's: "gemm-".
bool names_kernel(std::string_view name);

// It multiplies by weights, which can be int8.
bool has_weights(std::string_view kernel);

// Of such a name, in its order. Throws Error for other sizes than the kernel has.
std::vector<std::int64_t> kernel_sizes(std::string_view name);

// One call on one device: a forward pass without parameters. Throws Error for other sizes than the
// kernel has: "softmax-8 is no kernel: write softmax-ROWSxWIDTH ...". Of the options compute,
// passes, row_blocks and quantised count.
StepWork kernel_step(std::string_view name, const WorkOptions& options);

// "gemm-8192x8192x8192", one for each kernel.
std::vector<std::string> kernel_examples();

}  // namespace tpulab
