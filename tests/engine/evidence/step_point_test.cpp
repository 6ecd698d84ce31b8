#include "engine/evidence/step_point.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/engine/forecast/steady_step.h"

namespace tpulab::step_point_test {
namespace {

// Steps alone are measured: none is validated, and all read as many tokens.
bool is_steady(const MeasuredPoint& point) {
  const auto has = [&](const char* name) { return point.size(name) > 0; };
  return point.model && point.kind == PointKind::step && why_not_predicted(point).empty() &&
         !has("late_percent") && !has("eval_every") && !has("epochs") &&
         point.size("norm_cores") < 2;
}

TEST(StepPoint, predicts_the_steady_step_of_a_run_at_every_measured_step) {
  int points = 0;
  for (const MeasuredPoint& point : shipped_points()) {
    if (!is_steady(point)) continue;
    ++points;
    StepPoint asked = step_point(point);
    asked.rate = false;
    asked.per_second = 1;
    const double predicted = predicted_step(asked, stack_named(point.stack));
    EXPECT_NEAR(predicted / test::steady_seconds(request_of(point)), 1, 1e-6) << point.id;
  }
  EXPECT_GT(points, 60);
}

// The search for constants varies them on a step that is priced once.
TEST(StepPoint, follows_the_constants_of_a_stack_as_a_run_does) {
  const auto& points = shipped_points();
  const auto point = std::ranges::find(points, "C-P26.4", &MeasuredPoint::id);
  ASSERT_NE(point, points.end());
  StepPoint asked = step_point(*point);
  asked.rate = false;
  asked.per_second = 1;
  Machine machine = machine_of(request_of(*point));
  StackRow stack = *machine.stack;
  machine.stack = &stack;
  stack.kernel_efficiency.value = 0.7;
  stack.collective_overlap.value = 0.25;
  const double run = in_seconds(test::steady_timeline(request_of(*point), machine).duration());
  EXPECT_NEAR(predicted_step(asked, stack) / run, 1, 1e-6);
}

}  // namespace
}  // namespace tpulab::step_point_test
