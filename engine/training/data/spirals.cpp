// Points of the plane on three arms of a spiral: nothing that a straight line could part.
#include <cmath>
#include <numbers>

#include "engine/training/dataset.h"
#include "engine/training/random.h"

namespace tpulab {

namespace {

constexpr int arms = 3;
constexpr std::int64_t points = 1800;
constexpr std::int64_t training_points = 1500;

Dataset wound() {
  Dataset data{.name = "spirals",
               .row_name = "points",
               .views = {{Input::numbers, {2}}},
               .classes = arms,
               .training_rows = training_points,
               .values = {},
               .labels = {}};
  Random random(7);
  for (std::int64_t i = 0; i < points; ++i) {
    const auto arm = static_cast<int>(random.below(arms));
    const double radius = 0.1 + 0.9 * static_cast<double>(random.uniform(0, 1));
    const double noise = 0.1 * static_cast<double>(random.uniform(-1, 1));
    const double turn = 2 * std::numbers::pi * (radius * 0.9 + static_cast<double>(arm) / arms);
    data.values.push_back(static_cast<float>(radius * std::cos(turn + noise)));
    data.values.push_back(static_cast<float>(radius * std::sin(turn + noise)));
    data.labels.push_back(arm);
  }
  return data;
}

}  // namespace

const Dataset& spirals() {
  static const Dataset data = wound();
  return data;
}

}  // namespace tpulab
