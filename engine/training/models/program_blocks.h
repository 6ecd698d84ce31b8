// The kernels of a step's program, block by block.
#pragma once

#include <vector>

#include "engine/compiler/program.h"
#include "engine/compiler/remat.h"
#include "engine/training/workload.h"

namespace tpulab {

// A block for each of so many layers that run repeatedly, and one before, between and behind them.
// Takes the program's kernels over.
std::vector<Block> blocks_of(Program& program, int layers, const Keeping& keeping);

}  // namespace tpulab
