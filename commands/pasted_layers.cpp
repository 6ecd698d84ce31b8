#include "commands/pasted_layers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "commands/python_call.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

constexpr std::array<std::string_view, 5> activations{"relu", "gelu", "silu", "tanh", "sigmoid"};

// "linear" of "nn.Linear".
std::string module_of(const PythonCall& call) {
  const auto dot = call.name.rfind('.');
  return lowered(std::string_view(call.name).substr(dot == std::string::npos ? 0 : dot + 1));
}

std::string layer_of(const PythonCall& call) {
  const std::string module = module_of(call);
  if (module == "linear") return "dense " + argument_of(call, "out_features", 2);
  if (module == "conv2d") {
    const std::string window = argument_of(call, "kernel_size", 3);
    const std::string stride = argument_of(call, "stride", 4);
    return fmt::format("conv {} {}x{}{}", argument_of(call, "out_channels", 2), window, window,
                       stride.empty() || stride == "1" ? "" : " stride " + stride);
  }
  if (module == "maxpool2d") return "maxpool " + argument_of(call, "kernel_size", 1);
  if (module == "avgpool2d") return "avgpool " + argument_of(call, "kernel_size", 1);
  if (module == "batchnorm2d") return "batchnorm";
  return module == "layernorm" || module == "flatten" ? module : "";
}

}  // namespace

std::optional<std::string> layers_in(std::string_view code) {
  constexpr std::string_view constructor = "nn.Sequential";
  const auto at = code.find(constructor);
  if (at == std::string_view::npos) return std::nullopt;
  std::vector<std::string> layers;
  for (const std::string& part : python_call(code.substr(at)).arguments) {
    const PythonCall call = python_call(part);
    const std::string module = module_of(call);
    if (module.starts_with("dropout")) continue;
    const bool activates = std::ranges::find(activations, module) != activations.end();
    if (activates && !layers.empty()) {
      layers.back() += " " + module;
      continue;
    }
    const std::string layer = activates ? module : layer_of(call);
    if (layer.empty()) return std::nullopt;
    layers.push_back(layer);
  }
  if (layers.empty()) return std::nullopt;
  return fmt::format("{}", fmt::join(layers, " | "));
}

}  // namespace tpulab
