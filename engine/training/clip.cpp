#include "engine/training/clip.h"

#include <numeric>

#include "engine/base/error.h"
#include "engine/ops/ops.h"

namespace tpulab {

namespace {

Tensor squared(Tensor x) {
  const Tensor flat = reshape(x, Shape{x.shape().elements()});
  return reduce_sum(multiply(flat, flat), 0);
}

Tensor at_most(Tensor x, Tensor limit) { return select(greater(x, limit), limit, x); }

Tensor within(Tensor x, double limit) {
  Graph& graph = *x.graph;
  const Tensor above = constant(graph, limit, x.shape(), x.type().dtype);
  const Tensor below = constant(graph, -limit, x.shape(), x.type().dtype);
  return maximum(at_most(x, above), below);
}

// What all gradients are multiplied by. torch adds 1e-6 before it divides.
Tensor shrinking(const std::vector<Tensor>& gradients, double limit) {
  Tensor sum;
  for (const Tensor& one : gradients) {
    if (!one) continue;
    const Tensor part = squared(one);
    sum = sum ? add(sum, part) : part;
  }
  Graph& graph = *sum.graph;
  const Tensor norm = add(square_root(sum), scalar(graph, 1e-6, "eps"));
  const Tensor one = constant(graph, 1, {}, sum.type().dtype);
  return at_most(divide(multiply(one, scalar(graph, limit, "gradient_clip_val")), norm), one);
}

}  // namespace

std::vector<Tensor> clipped(std::vector<Tensor> gradients, Clip clip, double limit) {
  expects(limit > 0, "gradients are clipped at a positive limit");
  const Tensor factor = clip == Clip::norm ? shrinking(gradients, limit) : Tensor{};
  for (Tensor& one : gradients) {
    if (!one) continue;
    one = clip == Clip::norm ? multiply(one, factor) : within(one, limit);
  }
  return gradients;
}

}  // namespace tpulab
