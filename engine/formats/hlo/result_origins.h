// How a compiled step makes its results: loops, fusions and copies are looked through.
#pragma once

#include <cstddef>
#include <set>

#include "engine/formats/hlo/module.h"

namespace tpulab::hlo {

struct ResultOrigin {
  const Instruction* made = nullptr;  // null: that is not followed
  // Lines of the loops each of whose turns makes it of what it was, beginning with a parameter.
  std::set<int> loops{};
  bool one_by_one = false;  // each turn of a loop writes one number of it
};
ResultOrigin origin_of(const Module& module, const Computation& entry, std::size_t result);

// It is no parameter with parts written into it, as a cache is, nor one as it was.
bool is_update(const ResultOrigin& origin);

}  // namespace tpulab::hlo
