#include "engine/evidence/calibration.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/base/error.h"

namespace tpulab {

namespace {

constexpr int steps_of_a_range = 60;
constexpr int most_rounds = 10;

constexpr std::array<FittedConstant, 7> constants_of_kernels{{
    {"v3", &Generation::matrix_efficiency, "matrix_efficiency", 0.8, 1.0},
    {"v3", &Generation::hbm_efficiency, "hbm_efficiency", 0.75, 0.95},
    {"v3", &Generation::kernel_seconds, "kernel_seconds", 0.3e-6, 2e-6},
    {"v6e", &Generation::matrix_efficiency, "matrix_efficiency", 0.8, 1.0},
    {"v6e", &Generation::hbm_efficiency, "hbm_efficiency", 0.8, 0.95},
    {"v6e", &Generation::kernel_seconds, "kernel_seconds", 0.5e-6, 2e-6},
    {"v6e", &Generation::transcendental_clocks, "transcendental_clocks", 2, 10},
}};

constexpr std::array<ReadConstant, 8> constants_read{{
    {"v2", &Generation::matrix_efficiency, "matrix_efficiency"},
    {"v3", &Generation::collective_seconds, "collective_seconds"},
    {"v3", &Generation::link_efficiency, "link_efficiency"},
    {"v5e", &Generation::matrix_efficiency, "matrix_efficiency"},
    {"v5e", &Generation::block_seconds, "block_seconds"},
    {"v6e", &Generation::block_seconds, "block_seconds"},
    {"v6e", &Generation::load_rows_per_clock, "load_rows_per_clock"},
    {"v6e", &Generation::resident_mib, "resident_mib"},
}};

constexpr std::array<FittedStackConstant, 3> constants_of_steps{{
    {"jax", &StackRow::kernel_efficiency, "kernel_efficiency", 0.7, 1.0},
    {"jax", &StackRow::collective_overlap, "collective_overlap", 0, 1.0},
    {"jax", &StackRow::network_share, "network_share", 0.2, 1.0},
}};

// Moves `value` over its range to where `error` is smallest; true if that improved it.
template <class Error>
bool improve(double& value, double least, double most, const Error& error) {
  double best = value;
  const double before = error();
  double smallest = before;
  for (int step = 0; step <= steps_of_a_range; ++step) {
    value = least + (most - least) * step / steps_of_a_range;
    const double now = error();
    if (now < smallest - 1e-9) best = value, smallest = now;
  }
  value = best;
  return smallest < before;
}

StackRow& row_of(Stacks& rows, std::string_view name) {
  const auto found = std::ranges::find(rows, name, &StackRow::name);
  expects(found != rows.end(), "a fitted stack exists");
  return *found;
}

// Stacks with too few points of their own.
void inherit(Stacks& rows) {
  const StackRow from = row_of(rows, "jax");
  for (StackRow& row : rows) {
    for (const FittedStackConstant& fit : constants_of_steps) {
      (row.*fit.constant).value = (from.*fit.constant).value;
    }
  }
}

double predicted(const MeasuredStep& step, const StackRow& row) {
  std::vector<double> constants;
  constants.reserve(constants_of_steps.size());
  for (const FittedStackConstant& fit : constants_of_steps) {
    constants.push_back((row.*fit.constant).value);
  }
  const auto known = step.known->find(constants);
  if (known != step.known->end()) return known->second;
  return step.known->emplace(constants, predicted_step(step.step, row)).first->second;
}

}  // namespace

std::span<const FittedConstant> fitted_constants() { return constants_of_kernels; }
std::span<const ReadConstant> read_constants() { return constants_read; }
std::span<const FittedStackConstant> fitted_stack_constants() { return constants_of_steps; }

double mean_error(const Generations& rows, std::span<const MeasuredPoint> points) {
  double sum = 0;
  for (const MeasuredPoint& point : points) {
    sum += std::abs(predicted_kernel(point, rows) / point.value - 1);
  }
  return sum / static_cast<double>(points.size());
}

Generations fitted(Generations rows, std::span<const FittedConstant> constants,
                   std::span<const MeasuredPoint> points) {
  for (int round = 0; round < most_rounds; ++round) {
    bool better = false;
    for (const FittedConstant& fit : constants) {
      Constant& constant =
          (*std::ranges::find(rows, fit.generation, &Generation::name)).*fit.constant;
      better |=
          improve(constant.value, fit.least, fit.most, [&] { return mean_error(rows, points); });
    }
    if (!better) break;
  }
  return rows;
}

const StackRow& row_named(const Stacks& rows, std::string_view name) {
  const auto found = std::ranges::find(rows, name, &StackRow::name);
  expects(found != rows.end(), "a point's stack exists");
  return *found;
}

double mean_error(const Stacks& rows, std::span<const MeasuredStep> steps) {
  double sum = 0;
  for (const MeasuredStep& step : steps) {
    sum += std::abs(predicted(step, row_named(rows, step.point->stack)) / step.point->value - 1);
  }
  return sum / static_cast<double>(std::max<std::size_t>(steps.size(), 1));
}

Stacks fitted(Stacks rows, std::span<const MeasuredStep> steps) {
  for (int round = 0; round < most_rounds; ++round) {
    bool better = false;
    for (const FittedStackConstant& fit : constants_of_steps) {
      double& value = (row_of(rows, fit.stack).*fit.constant).value;
      better |= improve(value, fit.least, fit.most, [&] {
        inherit(rows);
        return mean_error(rows, steps);
      });
      inherit(rows);
    }
    if (!better) break;
  }
  return rows;
}

}  // namespace tpulab
