#include "engine/session/answers/newest_run.h"

#include <gtest/gtest.h>

#include "engine/base/workers.h"

namespace tpulab {
namespace {

TEST(SlowNewestRun, loses_no_step_where_a_long_run_lets_its_oldest_go) {
  Settings settings;
  change_all(settings,
             std::vector<Assignment>{
                 {"model", "gemm-128x128x128"}, {"numbers", "off"}, {"max_steps", "140000"}});
  ProgramCache cache;
  WorkerPool workers(1);
  OutputLog log;
  const auto metrics = std::make_shared<Metrics>();
  tpulab::Run run(1, settings, cache, workers, *metrics, log);
  NewestRun newest;
  const auto go_to = [&](std::int64_t step) {
    while (run.step() < step) run.advance();
    newest.note(1, run, metrics);
    return newest.copy()->records;
  };
  EXPECT_EQ(go_to(131'000).back().step, 130'999);
  EXPECT_EQ(run.steps().records().size(), 131'000U);
  const std::vector<StepRecord> kept = go_to(132'000);
  EXPECT_LT(run.steps().records().size(), 131'000U);
  EXPECT_EQ(kept.back().step, 131'999);
  for (std::size_t i = 1; i < kept.size(); ++i) ASSERT_EQ(kept[i].step, kept[i - 1].step + 1);
}

}  // namespace
}  // namespace tpulab
