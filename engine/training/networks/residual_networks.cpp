// Residual networks: the small ones of the paper's section 4.2, and ResNet v1.5, whose bottlenecks
// stride in their 3x3 convolution.
#include <fmt/format.h>

#include "engine/training/networks/blocks.h"
#include "engine/training/networks/networks.h"

namespace tpulab {

namespace {

Tensor normalised_convolution(Scope& scope, const std::string& name, Tensor x,
                              const ConvolutionSizes& window, const ResidualSizes& sizes) {
  x = convolution(scope, name + ".conv", x, window);
  return sizes.frozen ? scaled_channels(scope, name + ".norm", x)
                      : batch_normalised(scope, name + ".norm", x);
}

ConvolutionSizes square(std::int64_t outputs, std::int64_t side, std::int64_t stride = 1) {
  return {.outputs = outputs, .height = side, .width = side, .stride = stride, .bias = false};
}

// Squeeze and excitation (arXiv 1709.01507) through a quarter of the channels.
Tensor weighed(Scope& scope, const std::string& name, Tensor y) {
  const std::int64_t channels = y.shape()[3];
  const Tensor narrow = relu(dense(scope, name + ".1", global_average_pool(y), channels / 4));
  return scale_channels(y, sigmoid(dense(scope, name + ".2", narrow, channels)));
}

// A block beside a shortcut, which gets a 1x1 convolution where the shape changes.
Tensor joined(Scope& scope, const std::string& name, Tensor x, Tensor y, std::int64_t stride,
              const ResidualSizes& sizes) {
  if (sizes.revised) y = weighed(scope, name + ".weights", y);
  if (x.shape() != y.shape()) {
    if (sizes.revised && stride > 1) {
      x = average_pool2d(x, {.window = stride, .stride = stride, .padding = Padding::same()});
      stride = 1;
    }
    x = normalised_convolution(scope, name + ".shortcut", x, square(y.shape()[3], 1, stride),
                               sizes);
  }
  return relu(add(y, x));
}

Tensor plain_block(Scope& scope, const std::string& name, Tensor x, std::int64_t width,
                   std::int64_t stride, const ResidualSizes& sizes) {
  Tensor y = relu(normalised_convolution(scope, name + ".1", x, square(width, 3, stride), sizes));
  y = normalised_convolution(scope, name + ".2", y, square(width, 3), sizes);
  return joined(scope, name, x, y, stride, sizes);
}

Tensor bottleneck(Scope& scope, const std::string& name, Tensor x, std::int64_t width,
                  std::int64_t stride, const ResidualSizes& sizes) {
  Tensor y = relu(normalised_convolution(scope, name + ".1", x, square(width, 1), sizes));
  y = relu(normalised_convolution(scope, name + ".2", y, square(width, 3, stride), sizes));
  y = normalised_convolution(scope, name + ".3", y, square(4 * width, 1), sizes);
  return joined(scope, name, x, y, stride, sizes);
}

// Stages of so many blocks; each but the first halves the image and doubles the width.
std::vector<Tensor> stages(Scope& scope, Tensor x, const ResidualSizes& sizes) {
  std::vector<Tensor> maps;
  std::int64_t width = sizes.width;
  for (std::size_t stage = 0; stage < sizes.blocks.size(); ++stage, width *= 2) {
    const bool strides = stage > 0 && static_cast<std::int64_t>(stage) < sizes.striding;
    for (std::int64_t block = 0; block < sizes.blocks[stage]; ++block) {
      const std::int64_t stride = strides && block == 0 ? 2 : 1;
      const std::string name = fmt::format("stage{}.block{}", stage + 1, block + 1);
      x = sizes.bottlenecks ? bottleneck(scope, name, x, width, stride, sizes)
                            : plain_block(scope, name, x, width, stride, sizes);
    }
    if (sizes.frozen && stage == 0) x = without_gradient(x);
    maps.push_back(x);
  }
  return maps;
}

// Windows of 7x7 and of the pool are 3x3 on images too small for both.
Tensor stem(Scope& scope, Tensor x, const ResidualSizes& sizes) {
  constexpr std::int64_t small = 32;
  if (x.shape()[1] < small || x.shape()[2] < small) {
    return relu(normalised_convolution(scope, "stem", x, square(sizes.width, 3), sizes));
  }
  if (sizes.revised) {
    const auto begun = [&](const char* name, std::int64_t outputs, std::int64_t stride) {
      x = relu(normalised_convolution(scope, name, x, square(outputs, 3, stride), sizes));
    };
    begun("stem.1", sizes.width / 2, 2);
    begun("stem.2", sizes.width / 2, 1);
    begun("stem.3", sizes.width, 1);
    begun("stem.4", sizes.width, 2);
    return x;
  }
  x = relu(normalised_convolution(scope, "stem", x, square(sizes.width, 7, 2), sizes));
  return max_pool2d(x, {.window = 3, .stride = 2, .padding = Padding::same()});
}

}  // namespace

std::vector<Tensor> residual_maps(Scope& scope, Tensor x, const ResidualSizes& sizes) {
  return stages(scope, stem(scope, x, sizes), sizes);
}

Tensor residual_features(Scope& scope, Tensor x, const ResidualSizes& sizes) {
  return residual_maps(scope, x, sizes).back();
}

Model resnet(std::string name, const ResidualSizes& sizes) {
  return {.input = Input::image,
          .name = [name = std::move(name)](const Example&) { return name; },
          .forward =
              [sizes](Scope& scope, Tensor x, const Example& example) {
                const Tensor features = residual_features(scope, x, sizes);
                return dense(scope, "dense", global_average_pool(features), example.classes);
              }};
}

}  // namespace tpulab
