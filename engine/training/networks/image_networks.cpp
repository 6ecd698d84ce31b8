// Networks over images: LeNet, a small CNN.
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

Tensor mnist_forward(Scope& scope, Tensor x, const Example& example) {
  x = halved(relu(convolution(scope, "conv1", x, {.outputs = 32, .height = 3, .width = 3})));
  x = halved(relu(convolution(scope, "conv2", x, {.outputs = 64, .height = 3, .width = 3})));
  x = relu(convolution(scope, "conv3", x, {.outputs = 64, .height = 3, .width = 3}));
  x = relu(dense(scope, "dense1", flattened(x), 64));
  return dense(scope, "dense2", x, example.classes);
}

Tensor cnn_forward(Scope& scope, Tensor x, const Example& example) {
  x = relu(convolution(scope, "conv1", x, {.outputs = 32, .height = 3, .width = 3}));
  x = halved(relu(convolution(scope, "conv2", x, {.outputs = 64, .height = 3, .width = 3})));
  x = relu(dense(scope, "dense1", flattened(x), 128));
  return dense(scope, "dense2", x, example.classes);
}

Model image_model(std::string name, std::function<Tensor(Scope&, Tensor, const Example&)> forward) {
  return {.input = Input::image,
          .name = [name = std::move(name)](const Example&) { return name; },
          .forward = std::move(forward)};
}

}  // namespace

Model lenet() { return image_model("lenet", lenet_forward); }

Model mnist_cnn() { return image_model("mnist-cnn", mnist_forward); }

Model small_cnn() { return image_model("cnn", cnn_forward); }

}  // namespace tpulab
