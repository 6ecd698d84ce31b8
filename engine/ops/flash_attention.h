// Attention that keeps its scores in VMEM.
#pragma once

#include "engine/ops/ops.h"

namespace tpulab {

// attention() of values as wide as keys, without scores in memory. Shapes are checked by the
// caller.
Tensor flash_attention(Tensor q, Tensor k, Tensor v, bool causal, int passes);

}  // namespace tpulab
