// The constants that are fitted to measured points, and the fit itself, to see how well they hold
// on points left out.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "engine/evidence/kernel_points.h"
#include "engine/evidence/step_point.h"

namespace tpulab {

// A constant of a generation that is fitted to kernels, with its plausible range.
struct FittedConstant {
  std::string_view generation;
  Constant Generation::*constant;
  std::string_view name;
  double least = 0;
  double most = 0;
};
std::span<const FittedConstant> fitted_constants();

// Constants that no fit moves, but whose values were read off points that are validated: they count
// beside the fitted ones. The fourth power of beside() and the wait between blocks are two more.
struct ReadConstant {
  std::string_view generation;
  Constant Generation::*constant;
  std::string_view name;
};
std::span<const ReadConstant> read_constants();

// A constant of a stack that is fitted to training steps.
struct FittedStackConstant {
  std::string_view stack;
  Constant StackRow::*constant;
  std::string_view name;
  double least = 0;
  double most = 0;
};
std::span<const FittedStackConstant> fitted_stack_constants();

// The rows with the constants moved to where the mean error of `points` (kernels) is smallest: one
// constant after the other, over a fine grid of its range, until nothing changes.
Generations fitted(Generations rows, std::span<const FittedConstant> constants,
                   std::span<const MeasuredPoint> points);
double mean_error(const Generations& rows, std::span<const MeasuredPoint> points);

using Stacks = std::vector<StackRow>;
struct MeasuredStep {
  using Predicted = std::map<std::vector<double>, double>;  // by the constants of its stack

  const MeasuredPoint* point = nullptr;
  StepPoint step{};
  std::shared_ptr<Predicted> known = std::make_shared<Predicted>();  // fits meet the same again
};
// The same for stacks and training steps. A stack without fitted constants takes those of jax.
Stacks fitted(Stacks rows, std::span<const MeasuredStep> steps);
double mean_error(const Stacks& rows, std::span<const MeasuredStep> steps);
const StackRow& row_named(const Stacks& rows, std::string_view name);

}  // namespace tpulab
