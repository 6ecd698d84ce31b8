// The fast way: replicas that a pass proved identical run as one product.
#pragma once

#include <span>
#include <vector>

#include "engine/runtime/execute.h"

namespace tpulab {

// As Executor::run().
std::vector<Array> run_merged(const Program& program, std::span<const ArrayView> inputs,
                              std::span<Array* const> owners, WorkerPool& workers, ArrayPool& pool,
                              bool reference);

}  // namespace tpulab
