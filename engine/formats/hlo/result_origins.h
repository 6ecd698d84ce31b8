// How a compiled step makes its results: loops, fusions and copies are looked through.
#pragma once

#include <cstddef>
#include <optional>

#include "engine/formats/hlo/module.h"

namespace tpulab::hlo {

struct ResultOrigin {
  const Instruction* made = nullptr;  // null: that is not followed
  const Instruction* loop = nullptr;  // of the entry, whose turns make it; null: none does
  bool carried = false;               // the loop begins with a parameter in its place
  bool one_by_one = false;            // each turn writes one number of it
};
ResultOrigin origin_of(const Module& module, const Computation& entry, std::size_t result);

// It is no parameter with parts written into it, as a cache is, nor one as it was.
bool is_update(const ResultOrigin& origin);

}  // namespace tpulab::hlo
