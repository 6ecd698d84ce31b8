// Reverse-mode gradients as graph code: one backward loop, each op brings its own rule.
#pragma once

#include <span>
#include <vector>

#include "engine/graph/graph.h"

namespace tpulab {

// d loss / d each of `with_respect_to` (leaves or computed nodes), in order. `loss` is a scalar and
// counts `weight` times: of replicas each has a part of the mean. A tensor that no gradient reaches
// gets zeros.
std::vector<Tensor> gradient(Tensor loss, std::span<const Tensor> with_respect_to,
                             double weight = 1);

}  // namespace tpulab
