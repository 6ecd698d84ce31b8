// Networks over images: LeNet, a small CNN, small ResNets.
#include <fmt/format.h>

#include "engine/training/networks/blocks.h"
#include "engine/training/networks/networks.h"

namespace tpulab {

namespace {

// Halves height and width while there is something to halve.
Tensor halved(Tensor x) { return x.shape()[1] >= 2 && x.shape()[2] >= 2 ? max_pool2d(x) : x; }

Tensor lenet_forward(Scope& scope, Tensor x, const Example& example) {
  x = halved(relu(convolution(scope, "conv1", x, {.outputs = 6, .height = 5, .width = 5})));
  x = halved(relu(convolution(scope, "conv2", x, {.outputs = 16, .height = 5, .width = 5})));
  x = relu(dense(scope, "dense1", flattened(x), 120));
  x = relu(dense(scope, "dense2", x, 84));
  return dense(scope, "dense3", x, example.classes);
}

Tensor cnn_forward(Scope& scope, Tensor x, const Example& example) {
  x = relu(convolution(scope, "conv1", x, {.outputs = 32, .height = 3, .width = 3}));
  x = halved(relu(convolution(scope, "conv2", x, {.outputs = 64, .height = 3, .width = 3})));
  x = relu(dense(scope, "dense1", flattened(x), 128));
  return dense(scope, "dense2", x, example.classes);
}

Tensor normalised_convolution(Scope& scope, const std::string& name, Tensor x,
                              const ConvolutionSizes& sizes) {
  return batch_normalised(scope, name + ".norm", convolution(scope, name + ".conv", x, sizes));
}

// Two convolutions beside a shortcut, which gets a 1x1 convolution where the shape changes.
Tensor residual(Scope& scope, const std::string& name, Tensor x, std::int64_t channels,
                std::int64_t stride) {
  const ConvolutionSizes first{
      .outputs = channels, .height = 3, .width = 3, .stride = stride, .bias = false};
  const ConvolutionSizes second{.outputs = channels, .height = 3, .width = 3, .bias = false};
  Tensor y = relu(normalised_convolution(scope, name + ".1", x, first));
  y = normalised_convolution(scope, name + ".2", y, second);
  if (x.shape() != y.shape()) {
    const ConvolutionSizes shortcut{.outputs = channels, .stride = stride, .bias = false};
    x = normalised_convolution(scope, name + ".shortcut", x, shortcut);
  }
  return relu(add(y, x));
}

Tensor resnet_forward(Scope& scope, Tensor x, const Example& example, std::int64_t blocks) {
  const ConvolutionSizes stem{.outputs = 16, .height = 3, .width = 3, .bias = false};
  x = relu(normalised_convolution(scope, "stem", x, stem));
  for (int stage = 0; stage < 3; ++stage) {
    for (std::int64_t block = 0; block < blocks; ++block) {
      const std::int64_t stride = stage > 0 && block == 0 ? 2 : 1;
      const std::string name = fmt::format("stage{}.block{}", stage + 1, block + 1);
      x = residual(scope, name, x, std::int64_t{16} << stage, stride);
    }
  }
  return dense(scope, "dense", global_average_pool(x), example.classes);
}

Model image_model(std::string name, std::function<Tensor(Scope&, Tensor, const Example&)> forward) {
  return {.input = Input::image,
          .name = [name = std::move(name)](const Example&) { return name; },
          .forward = std::move(forward)};
}

}  // namespace

Model lenet() { return image_model("lenet", lenet_forward); }

Model small_cnn() { return image_model("cnn", cnn_forward); }

Model small_resnet(std::int64_t blocks_per_stage) {
  return image_model(fmt::format("resnet{}", 6 * blocks_per_stage + 2),
                     [blocks_per_stage](Scope& scope, Tensor x, const Example& example) {
                       return resnet_forward(scope, x, example, blocks_per_stage);
                     });
}

}  // namespace tpulab
