#include "commands/pasted_layers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "engine/base/text.h"

namespace tpulab {

namespace {

struct Module {
  std::string name;  // "linear"
  std::vector<std::string> arguments;
};

// The arguments of the call whose bracket opens at the front, as they are parted by its commas.
std::vector<std::string> arguments_of(std::string_view brackets) {
  std::vector<std::string> all{""};
  int depth = 0;
  for (const char c : brackets) {
    if (c == ')' && --depth == 0) break;
    if (c == ',' && depth == 1) {
      all.emplace_back();
    } else if (depth > 0) {
      all.back() += c;
    }
    if (c == '(') ++depth;
  }
  for (std::string& one : all) one = std::string(trimmed(one));
  if (all.back().empty()) all.pop_back();
  return all;
}

Module module_in(std::string_view call) {
  const auto bracket = std::min(call.find('('), call.size());
  const std::string_view path = call.substr(0, bracket);
  const auto dot = path.rfind('.');
  return {lowered(trimmed(path.substr(dot == std::string_view::npos ? 0 : dot + 1))),
          arguments_of(call.substr(bracket))};
}

// By its place, or its name.
std::string argument(const Module& module, std::size_t place, std::string_view name) {
  for (std::size_t i = 0; i < module.arguments.size(); ++i) {
    const std::string_view one = module.arguments[i];
    const auto equals = one.find('=');
    if (equals == std::string_view::npos) {
      if (i == place) return std::string(one);
    } else if (trimmed(one.substr(0, equals)) == name) {
      return std::string(trimmed(one.substr(equals + 1)));
    }
  }
  return {};
}

struct Activation {
  std::string_view module;
  std::string_view word;
};
constexpr std::array<Activation, 5> activations{{{"relu", "relu"},
                                                 {"gelu", "gelu"},
                                                 {"silu", "silu"},
                                                 {"tanh", "tanh"},
                                                 {"sigmoid", "sigmoid"}}};

std::string layer_of(const Module& module) {
  if (module.name == "linear") return "dense " + argument(module, 1, "out_features");
  if (module.name == "conv2d") {
    const std::string window = argument(module, 2, "kernel_size");
    const std::string stride = argument(module, 3, "stride");
    return fmt::format("conv {} {}x{}{}", argument(module, 1, "out_channels"), window, window,
                       stride.empty() || stride == "1" ? "" : " stride " + stride);
  }
  if (module.name == "maxpool2d") return "maxpool " + argument(module, 0, "kernel_size");
  if (module.name == "avgpool2d") return "avgpool " + argument(module, 0, "kernel_size");
  if (module.name == "batchnorm2d") return "batchnorm";
  return module.name == "layernorm" || module.name == "flatten" ? module.name : "";
}

}  // namespace

std::optional<std::string> layers_in(std::string_view code) {
  constexpr std::string_view constructor = "nn.Sequential";
  const auto at = code.find(constructor);
  if (at == std::string_view::npos) return std::nullopt;
  std::vector<std::string> layers;
  for (const std::string& call : arguments_of(code.substr(at + constructor.size()))) {
    const Module module = module_in(call);
    if (module.name.starts_with("dropout")) continue;
    const Activation* after = find_row(activations, module.name, &Activation::module);
    if (after != nullptr && !layers.empty()) {
      layers.back() += fmt::format(" {}", after->word);
      continue;
    }
    const std::string layer = after != nullptr ? std::string(after->word) : layer_of(module);
    if (layer.empty()) return std::nullopt;
    layers.push_back(layer);
  }
  if (layers.empty()) return std::nullopt;
  return fmt::format("{}", fmt::join(layers, " | "));
}

}  // namespace tpulab
