#include <fmt/format.h>

#include "engine/training/networks/blocks.h"
#include "engine/training/networks/networks.h"

namespace tpulab {

namespace {

// x [b,patches,width]
Tensor mixer_layer(Scope& scope, const std::string& name, Tensor x, const MixerSizes& sizes) {
  const Tensor by_channel = transpose(layer_normalised(scope, name + ".norm1", x), {0, 2, 1});
  const Tensor mixed = feed_forward(scope, name + ".patches", by_channel, sizes.mixed, gelu);
  x = add(x, transpose(mixed, {0, 2, 1}));
  const Tensor by_patch = layer_normalised(scope, name + ".norm2", x);
  return add(x, feed_forward(scope, name + ".channels", by_patch, sizes.hidden, gelu));
}

Tensor mixed(Scope& scope, Tensor x, const Example& example, const MixerSizes& sizes) {
  x = patches(scope, "patches", x, sizes.patch, sizes.width);
  x = repeated(scope, sizes.layers, "layer", x, [&](const std::string& name, Tensor y) {
    return mixer_layer(scope, name, y, sizes);
  });
  x = layer_normalised(scope, "norm", x);
  const Shape column{x.shape()[0], x.shape()[1], 1, sizes.width};
  return dense(scope, "head", global_average_pool(reshape(x, column)), example.classes);
}

}  // namespace

Model mlp_mixer(const MixerSizes& sizes) {
  std::string name = fmt::format("mixer {} x {}, {}, {}, patches of {}", sizes.layers, sizes.width,
                                 sizes.mixed, sizes.hidden, sizes.patch);
  return {.input = Input::image,
          .name = [name = std::move(name)](const Example&) { return name; },
          .forward = [sizes](Scope& scope, Tensor x,
                             const Example& example) { return mixed(scope, x, example, sizes); }};
}

}  // namespace tpulab
