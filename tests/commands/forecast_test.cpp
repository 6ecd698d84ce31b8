#include <gtest/gtest.h>

#include <string>

#include "tests/commands/desk.h"

namespace tpulab::forecast_test {
namespace {

// A line's last answer.
std::string forecast_of(const std::string& settings) {
  Desk desk{Settings{}};
  const Reply set = desk.type(settings);
  EXPECT_FALSE(set.failed) << set.lines.back();
  return desk.answer("forecast");
}

TEST(ForecastVerb, reads_the_loss_of_a_compiled_step_behind_the_step_that_returns_it) {
  for (const std::string model : {"mlp", "resnet50"}) {
    const std::string jax = "stack jax; max_steps 60; model " + model;
    EXPECT_EQ(forecast_of(jax + "; item_every_n_steps 1; log_every_n_steps 0"),
              forecast_of(jax + "; log_every_n_steps 1"));
    const std::string sums = jax + "; accumulate_grad_batches 2; progress_bar on";
    EXPECT_EQ(forecast_of(sums), forecast_of(sums + "; progress_bar_every 2"));
  }
}

}  // namespace
}  // namespace tpulab::forecast_test
