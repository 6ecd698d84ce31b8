#include "engine/formats/stablehlo/donated_arguments.h"

#include <algorithm>

#include "engine/formats/stablehlo/types.h"

namespace tpulab::stablehlo {

namespace {

int named_result(const Argument& argument) {
  const std::vector<std::int64_t> to =
      whole_numbers(argument.attributes.find("tf.aliasing_output"));
  return to.empty() ? -1 : static_cast<int>(std::clamp<std::int64_t>(to[0], -1, 1 << 30));
}

}  // namespace

bool is_donor(const Argument& argument) {
  return !argument.attributes.find("jax.buffer_donor").empty();
}

bool gives_memory(const Argument& argument) {
  return is_donor(argument) || named_result(argument) >= 0;
}

std::vector<int> donated_results(const Function& entry, std::span<const Type> arguments,
                                 std::span<const Type> results) {
  std::vector<int> donated;
  for (const Argument& one : entry.body.arguments) donated.push_back(named_result(one));
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (donated[i] >= 0 || !is_donor(entry.body.arguments[i])) continue;
    for (std::size_t result = 0; result < results.size() && donated[i] < 0; ++result) {
      const int number = static_cast<int>(result);
      const bool taken = std::ranges::find(donated, number) != donated.end();
      if (!taken && results[result] == arguments[i]) donated[i] = number;
    }
  }
  return donated;
}

}  // namespace tpulab::stablehlo
