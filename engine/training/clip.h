// Gradient clipping, as torch.nn.utils has it.
#pragma once

#include <vector>

#include "engine/graph/graph.h"
#include "engine/training/loop_options.h"

namespace tpulab {

// norm: all gradients times limit / (norm + 1e-6) where their common 2-norm is larger than `limit`;
// value: each element kept in +-limit. Empty tensors stay empty.
std::vector<Tensor> clipped(std::vector<Tensor> gradients, Clip clip, double limit);

}  // namespace tpulab
