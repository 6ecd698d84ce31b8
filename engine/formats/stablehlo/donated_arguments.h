// Which arguments give their memory to a result, as a text says.
#pragma once

#include <span>
#include <vector>

#include "engine/formats/stablehlo/module.h"
#include "engine/graph/op.h"

namespace tpulab::stablehlo {

// Of whatever result has its type.
bool is_donor(const Argument& argument);

// Whether its memory is the program's, to write to.
bool gives_memory(const Argument& argument);

// For each argument the result that takes over its memory: the one that is named, of a donor the
// first of its type that no argument names; -1: none.
std::vector<int> donated_results(const Function& entry, std::span<const Type> arguments,
                                 std::span<const Type> results);

}  // namespace tpulab::stablehlo
