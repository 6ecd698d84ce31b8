#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "engine/forecast/timed_training.h"
#include "tests/engine/forecast/steady_step.h"

namespace tpulab::timed_scalars_test {
namespace {

// Uploads of each of the first steps.
std::vector<std::ptrdiff_t> uploads_of(const ForecastRequest& request, std::int64_t steps) {
  ProgramCache cache;
  Metrics metrics;
  TimedTraining training(
      machine_of(request), cache, metrics,
      {.request = request, .plan = {.max_steps = steps}, .habits = {.log_every_n_steps = 1000}});
  while (!training.done()) training.advance();
  std::vector<std::ptrdiff_t> uploads;
  for (const StepRecord& record : training.records()) {
    uploads.push_back(std::ranges::count(*record.events, EventKind::upload, &Event::kind));
  }
  return uploads;
}

// As the network that trains here does: both of Adam's corrections change, one of them only until
// 0.9^n is nothing beside 1 in f32, about 150 steps.
TEST(TimedScalars, of_adam_are_two_a_step_and_one_once_the_first_moment_has_settled) {
  const auto uploads = uploads_of({.model = "bert-base",
                                   .slice = "v3-8",
                                   .stack = "pytorch-xla",
                                   .batch = 64,
                                   .optimizer = OptimizerKind::adam},
                                  200);
  EXPECT_EQ(uploads[5], 2);
  EXPECT_EQ(uploads[100], 2);
  EXPECT_EQ(uploads.back(), 1);
}

TEST(TimedScalars, of_sgd_are_its_rate_once) {
  const auto uploads = uploads_of({.model = "resnet50",
                                   .slice = "v3-8",
                                   .stack = "pytorch-xla",
                                   .batch = 64,
                                   .optimizer = OptimizerKind::sgd},
                                  4);
  EXPECT_EQ(uploads, (std::vector<std::ptrdiff_t>{1, 0, 0, 0}));
}

TEST(TimedScalars, are_none_where_a_step_is_traced_once) {
  const auto uploads = uploads_of({.model = "bert-base",
                                   .slice = "v3-8",
                                   .stack = "jax",
                                   .batch = 64,
                                   .optimizer = OptimizerKind::adam},
                                  4);
  EXPECT_EQ(std::ranges::count(uploads, 0), 4);
}

}  // namespace
}  // namespace tpulab::timed_scalars_test
