// The slow way: every core computes everything itself, and all-reduces really sum what each made.
#pragma once

#include <span>
#include <vector>

#include "engine/runtime/execute.h"

namespace tpulab {

// With `share`, values typed shared are computed once and stand for all cores; without, each core
// computes them too, and shared outputs are checked to have the same bits everywhere.
std::vector<Array> run_separate(const Program& program, std::span<const ArrayView> inputs,
                                WorkerPool& workers, bool reference, bool share);

}  // namespace tpulab
