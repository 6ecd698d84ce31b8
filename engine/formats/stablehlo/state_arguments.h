// Which arguments of a step come back changed: weights and optimizer state. The others are a batch.
#pragma once

#include <span>
#include <vector>

#include "engine/formats/stablehlo/module.h"
#include "engine/graph/op.h"

namespace tpulab::stablehlo {

// The result that an argument's memory becomes, as the text says; -1: none.
int aliased_result(const Argument& argument);

// For each argument the result that is its successor, -1 if none is: the one that its text names,
// else the first of its type that is left, as each result is the successor of one argument. Throws
// Error where the text names one of another type.
std::vector<int> successors(const Module& module, const Function& entry,
                            std::span<const Type> arguments, std::span<const Type> results);

// The first number among the results that succeeds no argument; -1 if there is none.
int loss_result(std::span<const int> successors, std::span<const Type> results);

}  // namespace tpulab::stablehlo
