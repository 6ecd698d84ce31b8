// The perceptron of the default run and the convolutional network of the MNIST tutorials.
#include "engine/training/models/layers.h"
#include "engine/training/models/models.h"

namespace tpulab {

namespace {

constexpr std::int64_t mnist_side = 28;
constexpr std::int64_t mnist_classes = 10;

Bytes images(std::int64_t batch, std::int64_t values) {
  return {batch * (values * 4 + 4)};  // f32 pixels and a label
}

}  // namespace

StepWork work_of(const MlpSizes& sizes, const WorkOptions& options) {
  const std::vector<std::int64_t>& widths = sizes.widths;
  StepWork step{.batch = images(options.batch, widths.front())};
  Block block{.name = "layers"};
  Layers layers(block, options);
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
    layers.dense("layer " + std::to_string(i + 1), {.rows = options.batch,
                                                    .inputs = widths[i],
                                                    .outputs = widths[i + 1],
                                                    .divided = false,
                                                    .first = i == 0});
  }
  layers.cross_entropy("loss", options.batch, widths.back());
  block.input = step.batch;
  step.blocks.push_back(std::move(block));
  return step;
}

StepWork work_of(const MnistCnnSizes& sizes, const WorkOptions& options) {
  StepWork step{.batch = images(options.batch, mnist_side * mnist_side)};
  Block block{.name = "layers"};
  Layers layers(block, options);
  std::int64_t side = mnist_side;
  std::int64_t inputs = 1;
  for (std::size_t i = 0; i < sizes.channels.size(); ++i) {
    const std::int64_t outputs = sizes.channels[i];
    layers.plain_convolution("conv " + std::to_string(i + 1),
                             {options.batch, side, side, inputs, outputs, 3, 1}, i > 0);
    if (i + 1 < sizes.channels.size()) {
      layers.pool("pool " + std::to_string(i + 1), {options.batch, side, side, outputs},
                  {options.batch, side / 2, side / 2, outputs}, 2);
      side /= 2;
    }
    inputs = outputs;
  }
  const Dense hidden{
      .rows = options.batch, .inputs = side * side * inputs, .outputs = 64, .divided = false};
  layers.dense("dense", hidden);
  layers.dense("classes",
               {.rows = options.batch, .inputs = 64, .outputs = mnist_classes, .divided = false});
  layers.cross_entropy("loss", options.batch, mnist_classes);
  block.input = step.batch;
  step.blocks.push_back(std::move(block));
  return step;
}

}  // namespace tpulab
