#include <gtest/gtest.h>

#include "tests/engine/session/run_to_end.h"

namespace tpulab::engine_thread_test {
namespace {

TEST(EngineThread, stops_a_run_before_the_tpu_clock_ends_and_keeps_it) {
  Settings settings;
  settings.model = "resnet18";
  settings.numbers = false;
  settings.batch = 256;
  settings.loader_row_us = 1e8;
  settings.max_steps = 100'000;
  Engine engine;
  test::run_to_end(engine, settings);
  const RunView run = engine.latest()->run;
  EXPECT_EQ(run.state, RunState::stopped);
  EXPECT_LE(run.tpu_time, longest_run);
  EXPECT_GT(run.tpu_time, longest_run / 10 * 9);
  EXPECT_TRUE(test::said(engine, "the TPU clock holds 100 days; choose a max_steps of at most"));
  ASSERT_EQ(engine.ended_runs().size(), 1U);
  EXPECT_EQ(engine.ended_runs().back().view.step, run.step);
}

}  // namespace
}  // namespace tpulab::engine_thread_test
