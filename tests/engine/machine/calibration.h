// Fits constants to measured points, to see how well they hold on points left out.
#pragma once

#include <span>

#include "engine/forecast/kernel_points.h"

namespace tpulab {

struct FittedConstant {
  std::string_view generation;
  Constant Generation::*constant;
  double least = 0;  // the plausible range
  double most = 0;
};

// The rows with the constants moved to where the mean error of `points` is smallest: one constant
// after the other, over a fine grid of its range, until nothing changes.
Generations fitted(Generations rows, std::span<const FittedConstant> constants,
                   std::span<const MeasuredPoint> points);

double mean_error(const Generations& rows, std::span<const MeasuredPoint> points);

}  // namespace tpulab
