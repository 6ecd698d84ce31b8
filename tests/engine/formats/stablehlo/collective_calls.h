// What the devices of an imported step send each other, call by call.
#pragma once

#include <array>
#include <string_view>
#include <variant>

#include "engine/formats/imported_step.h"

namespace tpulab::test {

inline std::string_view name_of_call(const CollectiveWork& call) {
  constexpr std::array<std::string_view, 5> names{"all-reduce", "all-gather", "reduce-scatter",
                                                  "all-to-all", "permute"};
  return names.at(static_cast<std::size_t>(call.kind));
}

// visit(call, block that it is in).
template <class Visit>
void for_each_call(const ImportedStep& step, const Visit& visit) {
  for (const Block& block : step.work.blocks) {
    for (const NamedKernel& kernel : block.forward) {
      for (const Work& item : kernel.work->items) {
        if (const auto* const one = std::get_if<CollectiveWork>(&item)) visit(*one, block);
      }
    }
  }
}

}  // namespace tpulab::test
