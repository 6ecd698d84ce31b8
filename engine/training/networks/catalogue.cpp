// The networks by name.
#include <array>

#include "engine/training/networks/networks.h"

namespace tpulab {

namespace {

struct Row {
  std::string_view name;
  Model (*make)();
};

constexpr std::array<Row, 8> rows{{
    {"lenet", lenet},
    {"cnn", small_cnn},
    {"resnet8", [] { return small_resnet(1); }},
    {"resnet20", [] { return small_resnet(3); }},
    {"tcn", [] { return temporal_convolution(32, 3); }},
    {"bert-tiny", [] { return encoder({}); }},
    {"gpt-tiny", [] { return gpt({}); }},
    {"llama-tiny", [] { return llama({.shared = 2, .hidden = 192}); }},
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
