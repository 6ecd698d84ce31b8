#include "engine/graph/op.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"

namespace tpulab {

std::vector<Tensor> Op::gradient(std::span<const Tensor>, Tensor, Tensor) const {
  throw Error(fmt::format(
      "{} has no gradient; keep it out of the path from the loss to the weights", name()));
}

std::vector<Work> Op::works(std::span<const Type> inputs, const Type& output) const {
  return {work(inputs, output)};
}

Stack Op::stack(std::span<const Stack> inputs, std::span<const Type>) const {
  const bool all_shared =
      std::ranges::all_of(inputs, [](Stack input) { return input == Stack::shared; });
  return all_shared ? Stack::shared : Stack::none;
}

Array Op::evaluate_on_host(std::span<const ArrayView>) const {
  throw Error(fmt::format("{} runs on the device, not on the host", name()));
}

Placement Op::joined(std::span<const Type> inputs) {
  const bool any = std::ranges::any_of(
      inputs, [](const Type& input) { return input.placement == Placement::per_core; });
  return any ? Placement::per_core : Placement::shared;
}

}  // namespace tpulab
