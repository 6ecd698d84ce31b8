// Which arguments have the rows of a loss, or of what a call returns.
#pragma once

#include <vector>

#include "engine/formats/row_graph.h"
#include "engine/formats/step_arguments.h"
#include "engine/graph/op.h"

namespace tpulab {

// The loss of a step that trains, else what a call makes: neither what takes over the memory of an
// argument nor gradients.
std::vector<int> results_with_rows(const StepArguments& step, const std::vector<Type>& arguments,
                                   const std::vector<Type>& results);

struct ToldAxis {
  int axis = -1;
  bool behind_turns = false;  // which may be time or microbatches
};

// For each argument that of them; -1: it has none, or may not be a batch as `asked` says, or
// which ones are rows cannot be told. `values`: the loss of a step that trains, else the results.
std::vector<ToldAxis> told_axes(const RowGraph& graph, const std::vector<int>& values, bool trains,
                                const std::vector<Type>& arguments, const std::vector<bool>& asked);

}  // namespace tpulab
