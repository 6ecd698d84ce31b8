#include <fmt/format.h>

#include "engine/training/networks/blocks.h"
#include "engine/training/networks/networks.h"

namespace tpulab {

namespace {

constexpr Initial by_vit{Initial::Kind::normal, 0.02};

Tensor in_compute(Scope& scope, Tensor x) { return convert(x, scope.compute()); }

Tensor vision_layer(Scope& scope, const std::string& name, Tensor x, const VisionSizes& sizes) {
  const AttentionSizes heads{.heads = sizes.heads, .shared = sizes.heads, .biases = true};
  const Tensor normal = layer_normalised(scope, name + ".norm1", x);
  x = add(x, self_attention(scope, name + ".attention", normal, heads));
  const Tensor again = layer_normalised(scope, name + ".norm2", x);
  return add(x, feed_forward(scope, name, again, sizes.hidden, gelu));
}

Tensor seen(Scope& scope, Tensor x, const Example& example, const VisionSizes& sizes) {
  x = patches(scope, "patches", x, sizes.patch, sizes.width);
  const std::int64_t rows = x.shape()[0];
  const Tensor token = in_compute(scope, scope.parameter("class_token", {1, sizes.width}, by_vit));
  x = concatenate({broadcast_to(token, {rows, 1, sizes.width}), x}, 1);
  const Shape places{x.shape()[1], sizes.width};
  x = add(x, in_compute(scope, scope.parameter("positions.weight", places, by_vit)));
  x = repeated(scope, sizes.layers, "layer", x, [&](const std::string& name, Tensor y) {
    return vision_layer(scope, name, y, sizes);
  });
  x = layer_normalised(scope, "norm", x);
  const Tensor first = reshape(slice(x, 1, 0, 1), {rows, sizes.width});
  return dense(scope, "head", first, example.classes);
}

}  // namespace

Model vision_transformer(const VisionSizes& sizes) {
  std::string name = fmt::format("vit {} x {}, {}, {}, patches of {}", sizes.layers, sizes.width,
                                 sizes.heads, sizes.hidden, sizes.patch);
  return {.input = Input::image,
          .name = [name = std::move(name)](const Example&) { return name; },
          .forward = [sizes](Scope& scope, Tensor x,
                             const Example& example) { return seen(scope, x, example, sizes); }};
}

}  // namespace tpulab
