#include "engine/session/estimate.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/session/engine.h"

namespace tpulab {
namespace {

Settings small_settings() {
  Settings settings;
  settings.hidden = {64};
  settings.max_epochs = 10;
  return settings;
}

TEST(Estimate, equals_what_a_real_run_shows) {
  Engine engine;
  engine.post(StartRun{small_settings()});
  engine.wait();
  const RunView real = engine.latest()->run;
  const Estimate told = estimate(small_settings());
  EXPECT_EQ(told.step, real.step_time);
  EXPECT_EQ(told.model, real.model);
  EXPECT_EQ(told.batch, real.batch);
  EXPECT_TRUE(real.bound.starts_with(told.bound)) << real.bound;
}

TEST(Estimate, adds_its_terms_up_to_the_step) {
  const Estimate told = estimate(small_settings());
  Picoseconds sum{};
  for (const EstimateTerm& term : told.terms) sum += term.time;
  EXPECT_NEAR(in_seconds(sum), in_seconds(told.step), 1e-9);
  EXPECT_EQ(told.terms.front().name, told.bound);
}

TEST(Estimate, is_shorter_without_what_binds) {
  const Estimate told = estimate(small_settings());
  EXPECT_EQ(told.bound, "host tracing");
  EXPECT_LT(told.next_bound_step, told.step);
  EXPECT_NE(told.next_bound, told.bound);
}

TEST(Estimate, falls_back_without_numbers_where_shapes_are_known) {
  Settings settings = small_settings();
  settings.class_weights = true;
  EXPECT_GT(estimate(settings).step, estimate(small_settings()).step);
  settings.hard_examples = true;  // its size depends on values that are not computed
  EXPECT_THROW(estimate(settings), Error);
}

TEST(Estimate, stops_when_asked) {
  std::stop_source source;
  source.request_stop();
  EXPECT_THROW(estimate(small_settings(), source.get_token()), Error);
}

}  // namespace
}  // namespace tpulab
