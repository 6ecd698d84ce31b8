#include "engine/session/answers/newest_run.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/base/workers.h"

namespace tpulab::newest_run_test {
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

TEST(NewestRun, keeps_the_steps_of_before_where_those_to_come_are_alike) {
  Settings settings;
  settings.hidden = {16};
  settings.numbers = false;
  ProgramCache cache;
  WorkerPool workers(1);
  OutputLog log;
  const auto metrics = std::make_shared<Metrics>();
  tpulab::Run run(1, settings, cache, workers, *metrics, log);
  NewestRun newest;
  const auto kept_after = [&](const std::vector<Assignment>& changes) {
    Settings changed = run.settings();
    std::vector<std::string> names;
    for (const Assignment& one : changes) {
      change(changed, one.name, one.value);
      names.push_back(one.name);
    }
    run.change(changed, names);
    const std::int64_t end = run.step() + 5;
    while (run.step() < end) run.advance();
    newest.note(1, run, metrics);
    return std::ranges::count(newest.copy()->records, StepKind::train, &StepRecord::kind);
  };
  EXPECT_EQ(kept_after({}), 5);
  EXPECT_EQ(kept_after({{"learning_rate", "0.05"}}), 10);
  EXPECT_EQ(kept_after({{"max_epochs", "30"}}), 15);
  EXPECT_EQ(kept_after({{"batch", "16"}}), 0);  // those of before were noted; others begin
}

}  // namespace
}  // namespace tpulab::newest_run_test
