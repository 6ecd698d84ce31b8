#include "engine/formats/stablehlo/state_arguments.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/formats/stablehlo/types.h"

namespace tpulab::stablehlo {

int aliased_result(const Argument& argument) {
  const std::vector<std::int64_t> to =
      whole_numbers(argument.attributes.find("tf.aliasing_output"));
  return to.empty() ? -1 : static_cast<int>(std::clamp<std::int64_t>(to[0], -1, 1 << 30));
}

std::vector<int> successors(const Module& module, const Function& entry,
                            std::span<const Type> arguments, std::span<const Type> results) {
  std::vector<bool> taken(results.size(), false);
  std::vector<int> found;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    found.push_back(aliased_result(entry.body.arguments[i]));
    const auto result = static_cast<std::size_t>(found.back());
    if (found.back() < 0 || result >= taken.size()) continue;
    if (!(results[result] == arguments[i])) {
      throw Error(
          fmt::format("{}: argument {} is taken over by result {}, which is not of its type",
                      module.file, i, result));
    }
    taken[result] = true;
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    for (std::size_t result = 0; result < results.size() && found[i] < 0; ++result) {
      if (taken[result] || !(results[result] == arguments[i])) continue;
      taken[result] = true;
      found[i] = static_cast<int>(result);
    }
  }
  return found;
}

int loss_result(std::span<const int> successors, std::span<const Type> results) {
  for (std::size_t i = 0; i < results.size(); ++i) {
    const bool state = std::ranges::find(successors, static_cast<int>(i)) != successors.end();
    const bool number = results[i].dtype == DType::f32 || results[i].dtype == DType::bf16;
    if (!state && number && results[i].shape.elements() == 1) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace tpulab::stablehlo
