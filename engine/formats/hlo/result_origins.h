// How a compiled step makes its results: loops, fusions, branches and copies are looked through.
#pragma once

#include <cstddef>
#include <set>

#include "engine/formats/hlo/module.h"

namespace tpulab::hlo {

struct ResultOrigin {
  // It is no parameter as it was, nor one with parts written into it, as a cache is.
  bool updated = false;
  // Lines of the loops each of whose turns makes it of what it was, beginning with a parameter.
  std::set<int> loops{};
  bool one_by_one = false;  // each turn of a loop writes one number of it
};
ResultOrigin origin_of(const Module& module, const Computation& entry, std::size_t result);

}  // namespace tpulab::hlo
