// ResNet v1.5: the stride of a bottleneck lies in its 3x3 convolution.
#include <fmt/format.h>

#include "engine/training/models/layers.h"
#include "engine/training/models/models.h"

namespace tpulab {

namespace {

constexpr std::int64_t classes = 1000;

struct Stage {
  std::int64_t batch = 1;
  std::int64_t side = 56;    // of the input
  std::int64_t inputs = 64;  // channels
  std::int64_t width = 64;   // of the 3x3 convolutions
  std::int64_t outputs = 256;
  std::int64_t stride = 1;
};

Block residual_block(const Stage& stage, bool bottleneck, const WorkOptions& options) {
  const auto& [batch, side, inputs, width, outputs, stride] = stage;
  Block block;
  Layers layers(block, options);
  const std::int64_t out = side / stride;
  if (bottleneck) {
    layers.normalised_convolution("conv 1x1", {batch, side, side, inputs, width, 1, 1, true});
    layers.normalised_convolution("conv 3x3", {batch, side, side, width, width, 3, stride});
    layers.normalised_convolution("conv 1x1 out", {batch, out, out, width, outputs, 1, 1});
  } else {
    layers.normalised_convolution("conv 3x3", {batch, side, side, inputs, width, 3, stride, true});
    layers.normalised_convolution("conv 3x3 out", {batch, out, out, width, outputs, 3, 1});
  }
  if (inputs != outputs || stride > 1) {
    layers.normalised_convolution("shortcut", {batch, side, side, inputs, outputs, 1, stride});
  }
  layers.joined_branches("sum", {batch, out, out, outputs});
  block.input = {batch * side * side * inputs * bytes_of(options.compute)};
  return block;
}

}  // namespace

StepWork work_of(const ResNetSizes& sizes, const WorkOptions& options) {
  const std::int64_t batch = options.batch;
  const std::int64_t image = options.image > 0 ? options.image : 224;
  StepWork step{.batch = {batch * (image * image * 3 * bytes_of(options.compute) + 4)}};
  Block stem{.name = "stem"};
  Layers first(stem, options);
  // The 7x7 convolution of stride 2 on 3 channels runs as 4x4 on 12 (space to depth), as published
  // TPU runs have it; the 7x7 weights count.
  first.normalised_convolution("conv 4x4", {batch, image / 2, image / 2, 12, 64, 4, 1}, false);
  stem.parameters += std::int64_t{49 * 3 - 16 * 12} * 64;
  first.pool("pool", {batch, image / 2, image / 2, 64}, {batch, image / 4, image / 4, 64}, 3);
  stem.input = step.batch;
  step.blocks.push_back(std::move(stem));
  Stage stage{.batch = batch, .side = image / 4};
  for (std::size_t i = 0; i < sizes.blocks.size(); ++i) {
    stage.stride = i == 0 ? 1 : 2;
    stage.outputs = sizes.bottleneck ? 4 * stage.width : stage.width;
    step.blocks.push_back(residual_block(stage, sizes.bottleneck, options));
    step.blocks.back().name = fmt::format("stage {} first", i + 1);
    stage.side /= stage.stride;
    stage.inputs = stage.outputs;
    stage.stride = 1;
    step.blocks.push_back(residual_block(stage, sizes.bottleneck, options));
    step.blocks.back().name = fmt::format("stage {}", i + 1);
    step.blocks.back().repeats = sizes.blocks[i] - 1;
    stage.width *= 2;
  }
  Block head{.name = "head"};
  Layers last(head, options);
  last.pool("mean", {batch, stage.side, stage.side, stage.inputs}, {batch, 1, 1, stage.inputs}, 1);
  last.dense("classes",
             {.rows = batch, .inputs = stage.inputs, .outputs = classes, .divided = false});
  last.cross_entropy("loss", batch, classes);
  step.blocks.push_back(std::move(head));
  return step;
}

}  // namespace tpulab
