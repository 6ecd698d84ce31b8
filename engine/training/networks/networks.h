// The networks that can be trained: a family is a file, its members are rows of sizes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/training/model.h"

namespace tpulab {

Model perceptron(const std::vector<std::int64_t>& hidden);

// LeNet-5 (LeCun et al. 1998) with ReLU and maximum pooling, on images from 8 x 8.
Model lenet();
// Two convolutions and two dense layers: the network of PyTorch's and Lightning's first examples.
Model small_cnn();
// Three convolutions of 32, 64 and 64 channels: the network of the MNIST tutorials.
Model mnist_cnn();
// He et al. 2015 (arXiv 1512.03385).
struct ResidualSizes {
  std::vector<std::int64_t> blocks;  // of each stage
  std::int64_t width = 64;           // of the first stage's 3x3 convolutions; doubles with each
  bool bottlenecks = false;
};
Model resnet(std::string name, const ResidualSizes& sizes);

// Bai, Kolter, Koltun 2018: causal convolutions whose gaps double, two a residual block.
Model temporal_convolution(std::int64_t channels, std::int64_t levels);

struct TransformerSizes {
  std::int64_t layers = 2;
  std::int64_t width = 64;
  std::int64_t heads = 4;
  std::int64_t shared = 4;  // heads of keys and values
  std::int64_t hidden = 256;
};
// BERT's kind over a sequence of numbers: all positions see each other; one answer a row.
Model encoder(const TransformerSizes& sizes);
// GPT's kind over tokens: layer norms, learned positions, GELU.
Model gpt(const TransformerSizes& sizes);
// Llama's kind over tokens: RMS norms, rotary positions, gated SiLU, shared keys and values.
Model llama(const TransformerSizes& sizes);

// The user's own: "conv 16 3x3 relu | maxpool 2 | dense 10". Throws Error naming the layer.
Model layer_line(std::string_view line);

// By name or line; `hidden` are the sizes of an mlp. Nothing for names of other networks.
std::optional<Model> trained_model(std::string_view name, const std::vector<std::int64_t>& hidden);
std::vector<std::string> trained_names();

}  // namespace tpulab
