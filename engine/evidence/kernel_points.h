// What the machine says to a measured kernel.
#pragma once

#include <optional>
#include <vector>

#include "engine/evidence/points.h"
#include "engine/machine/generation.h"

namespace tpulab {

// One row per generation; a calibration changes them.
using Generations = std::vector<Generation>;

// Empty if it can be asked; else why not ("the kernel conv3d is not described").
std::string why_kernel_not_predicted(const MeasuredPoint& point);
// In the order of kernel_sizes(); none where no name says it: several at once, masks, blocks of its
// own.
std::optional<std::vector<std::int64_t>> sizes_in_name(const MeasuredPoint& point);
// In the unit of the point, of a kernel that is described.
double predicted_kernel(const MeasuredPoint& point, const Generations& rows);

// (predicted - measured) / measured, the measured as a time: zero within the noise, and where a
// bound holds.
double error_of(const MeasuredPoint& point, double predicted);

}  // namespace tpulab
