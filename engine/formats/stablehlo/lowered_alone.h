// An operation as nodes of a graph of its own, to be computed, and which programs can be.
#pragma once

#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "engine/formats/stablehlo/lower.h"
#include "engine/formats/stablehlo/module.h"
#include "engine/graph/graph.h"

namespace tpulab::stablehlo {

struct LoweredAlone {
  std::unique_ptr<Graph> graph = std::make_unique<Graph>();
  std::vector<NodeId> results{};
};

// Of an element type whose numbers are held. Throws Error of others.
Type executed_type(const TensorType& written);

// `operands`: their types. Throws Error where it has no numbers, by the name `told`.
LoweredAlone lowered_alone(const Operation& operation, std::span<const Type> operands,
                           std::string_view told);

// Throws Error with file, line and the name of the first of the `needed` operations that has no
// numbers: argmax, top_k, erf_inv.
void check_numbers(const Module& module, const Function& entry,
                   const std::set<const Operation*>& needed);

}  // namespace tpulab::stablehlo
