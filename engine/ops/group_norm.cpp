// Sums of each channel first, then of the channels of a group, so that one pass over x is enough
// and two values a channel and image remain to multiply by and to add.
#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/ops.h"

namespace tpulab {

namespace {

// [b,c] -> the mean of each group, for each of its channels.
Tensor group_mean(Tensor channels, std::int64_t groups) {
  const std::int64_t rows = channels.shape()[0];
  const std::int64_t width = channels.shape()[1];
  if (width == groups) return channels;
  const Tensor split = reshape(channels, {rows, groups, width / groups});
  const Tensor mean = reduce_mean(split, std::vector<int>{2});
  return reshape(repeat_like(mean, split, 2), {rows, width});
}

}  // namespace

Tensor group_norm(Tensor x, std::int64_t groups, Tensor scale, Tensor bias, double epsilon) {
  const Shape shape = x.shape();
  if (shape.rank() < 4 || groups < 1 || shape.at(-1) % groups != 0) {
    throw Error(
        fmt::format("group_norm: {} has no {} groups of channels; give [b,h,w,c] or "
                    "[b,d,h,w,c], c a multiple of the groups",
                    text_of(x.type().dtype, shape), groups));
  }
  Graph& graph = *x.graph;
  const std::int64_t each = shape.elements() / (shape[0] * shape.at(-1));
  const Tensor pixels = convert(reshape(x, {shape[0], each, shape.at(-1)}), DType::f32);
  const std::vector<int> over_pixels{1};
  const Tensor mean = group_mean(reduce_mean(pixels, over_pixels), groups);
  const Tensor square = group_mean(reduce_mean(multiply(pixels, pixels), over_pixels), groups);
  const Tensor variance = maximum(subtract(square, multiply(mean, mean)), scalar(graph, 0));
  const Tensor root = reciprocal_square_root(add(variance, scalar(graph, epsilon, "epsilon")));
  const Tensor by = multiply(root, convert(scale, DType::f32));
  const Tensor and_add =
      add(subtract(scalar(graph, 0), multiply(mean, by)), convert(bias, DType::f32));
  const Tensor normal =
      add(multiply(pixels, repeat_like(by, pixels, 1)), repeat_like(and_add, pixels, 1));
  return convert(reshape(normal, shape), x.type().dtype);
}

}  // namespace tpulab
