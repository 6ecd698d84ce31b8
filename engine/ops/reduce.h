// Ops between reductions and broadcasts that only gradients need.
#pragma once

#include "engine/ops/ops.h"

namespace tpulab {

// x / divisor repeated along `axis` to the shape of `like`: the gradient of reduce_sum and mean.
// `like` gives shape and placement only; its values are not read.
Tensor repeat_like(Tensor x, Tensor like, int axis, std::int64_t divisor);

}  // namespace tpulab
