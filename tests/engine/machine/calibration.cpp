#include "tests/engine/machine/calibration.h"

#include <algorithm>
#include <cmath>

namespace tpulab {

namespace {

// Moves one constant to the best of `steps` values; true if that improved the error.
bool improve(Generations& rows, const FittedConstant& what, std::span<const MeasuredPoint> points) {
  constexpr int steps = 60;
  Constant& constant =
      (*std::ranges::find(rows, what.generation, &Generation::name)).*what.constant;
  double best = constant.value;
  double least_error = mean_error(rows, points);
  const double before = least_error;
  for (int step = 0; step <= steps; ++step) {
    constant.value = what.least + (what.most - what.least) * step / steps;
    const double error = mean_error(rows, points);
    if (error < least_error - 1e-9) best = constant.value, least_error = error;
  }
  constant.value = best;
  return least_error < before;
}

}  // namespace

double mean_error(const Generations& rows, std::span<const MeasuredPoint> points) {
  double sum = 0;
  for (const MeasuredPoint& point : points)
    sum += std::abs(predicted_kernel(point, rows) / point.value - 1);
  return sum / static_cast<double>(points.size());
}

Generations fitted(Generations rows, std::span<const FittedConstant> constants,
                   std::span<const MeasuredPoint> points) {
  for (int round = 0; round < 10; ++round) {
    bool better = false;
    for (const FittedConstant& constant : constants) better |= improve(rows, constant, points);
    if (!better) break;
  }
  return rows;
}

}  // namespace tpulab
