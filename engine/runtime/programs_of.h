// The programs of a step: several where it sums batches or reads values.
#pragma once

#include <memory>
#include <vector>

#include "engine/runtime/simulate.h"

namespace tpulab {

// In the order in which they ran.
std::vector<std::shared_ptr<const Program>> programs_of(const StepTimeline& step);

}  // namespace tpulab
