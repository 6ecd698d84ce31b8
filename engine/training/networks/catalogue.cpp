// The networks by name.
#include <array>

#include "engine/training/networks/networks.h"

namespace tpulab {

namespace {

struct Row {
  std::string_view name;
  Model (*make)();
};

Model small_resnet(std::string name, std::int64_t blocks) {
  return resnet(std::move(name), {.blocks = {blocks, blocks, blocks}, .width = 16});
}
Model plain_resnet(std::string name, std::vector<std::int64_t> blocks) {
  return resnet(std::move(name), {.blocks = std::move(blocks)});
}
Model revised_resnet(std::string name, std::vector<std::int64_t> blocks) {
  return resnet(std::move(name),
                {.blocks = std::move(blocks), .bottlenecks = true, .revised = true});
}
Model deep_resnet(std::string name, std::vector<std::int64_t> blocks) {
  return resnet(std::move(name), {.blocks = std::move(blocks), .bottlenecks = true});
}

constexpr std::array<Row, 22> rows{{
    {"lenet", lenet},
    {"cnn", small_cnn},
    {"mnist-cnn", mnist_cnn},
    {"resnet8", [] { return small_resnet("resnet8", 1); }},
    {"resnet20", [] { return small_resnet("resnet20", 3); }},
    {"resnet18",
     [] {
       return plain_resnet("resnet18", {2, 2, 2, 2});
     }},
    {"resnet34",
     [] {
       return plain_resnet("resnet34", {3, 4, 6, 3});
     }},
    {"resnet50",
     [] {
       return deep_resnet("resnet50", {3, 4, 6, 3});
     }},
    {"resnet101",
     [] {
       return deep_resnet("resnet101", {3, 4, 23, 3});
     }},
    {"resnet152",
     [] {
       return deep_resnet("resnet152", {3, 8, 36, 3});
     }},
    {"resnet-rs-50",
     [] {
       return revised_resnet("resnet-rs-50", {3, 4, 6, 3});
     }},
    {"resnet-rs-101",
     [] {
       return revised_resnet("resnet-rs-101", {3, 4, 23, 3});
     }},
    {"ssd-tiny",
     [] {
       return detector("ssd-tiny", {.backbone = {.blocks = {1, 1, 1}, .width = 16}, .boxes = {1}});
     }},
    {"mask-rcnn-tiny", [] { return region_detector("mask-rcnn-tiny", small_mask_rcnn_sizes()); }},
    {"unet3d-tiny",
     [] {
       return segmenter("unet3d-tiny", {8, 16});
     }},
    {"unet-tiny",
     [] {
       return diffusion("unet-tiny", {.widths = {16, 32},
                                      .blocks = 1,
                                      .groups = 4,
                                      .heads = 2,
                                      .side = 0,
                                      .tokens = 4,
                                      .text_width = 16});
     }},
    {"gnmt-tiny", [] { return recurrent_translator({.layers = 2, .width = 64}); }},
    {"tcn", [] { return temporal_convolution(32, 3); }},
    {"bert-tiny", [] { return encoder({}); }},
    {"gpt-tiny", [] { return decoder({}); }},
    {"llama-tiny",
     [] { return decoder({.shared = 2, .hidden = 192, .gated = true, .rms = true}); }},
    {"moe-tiny",
     [] {
       return decoder(
           {.shared = 2, .hidden = 96, .gated = true, .rms = true, .experts = 4, .chosen = 2});
     }},
}};

}  // namespace

std::optional<Model> trained_model(std::string_view name, const std::vector<std::int64_t>& hidden) {
  if (name == "mlp") return perceptron(hidden);
  for (const Row& row : rows) {
    if (row.name == name) return row.make();
  }
  // No name has a blank.
  if (name.find_first_of(" |") != std::string_view::npos) return layer_line(name);
  return std::nullopt;
}

std::vector<std::string> trained_names() {
  std::vector<std::string> names{"mlp"};
  for (const Row& row : rows) names.emplace_back(row.name);
  return names;
}

}  // namespace tpulab
