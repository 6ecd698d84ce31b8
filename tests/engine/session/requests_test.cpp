// What a run under way makes of requests.
#include <gtest/gtest.h>

#include "engine/session/engine.h"
#include "tests/engine/session/run_to_end.h"

namespace tpulab::requests_test {
namespace {

using test::run_to_end;
using test::said;
using test::small_run;

TEST(Requests, keeps_the_ended_run_in_sight_when_the_next_cannot_begin) {
  Settings settings;
  settings.max_steps = 2;
  Engine engine;
  run_to_end(engine, settings);
  const std::string report = engine.metrics_report();
  settings.model = "llama2-7b";
  run_to_end(engine, settings);
  EXPECT_TRUE(said(engine, "`numbers off`"));
  EXPECT_EQ(engine.latest()->run.state, RunState::finished);
  EXPECT_EQ(engine.latest()->run.number, 1);
  EXPECT_EQ(engine.metrics_report(), report);
}

TEST(Requests, goes_on_with_the_run_under_way_where_the_next_does_not_fit) {
  Engine engine;
  engine.post(StepRun{2, small_run()});
  engine.wait();
  Settings settings;
  settings.model = "llama3-70b";
  settings.numbers = false;
  engine.post(StartRun{settings});
  engine.wait();
  EXPECT_TRUE(said(engine, "RESOURCE_EXHAUSTED"));
  EXPECT_EQ(engine.latest()->run.number, 1);
  EXPECT_EQ(engine.latest()->run.state, RunState::paused);
}

TEST(Requests, does_not_count_what_no_step_knows_as_a_change_of_the_run) {
  Engine engine;
  Settings settings = small_run();
  engine.post(StepRun{20, settings});
  engine.wait();
  settings.format = "csv";
  engine.post(ChangeSettings{settings, Effect::at_once, {"format"}});
  engine.post(StopRun{});
  engine.wait();
  EXPECT_EQ(engine.ended_runs().back().view.changed, "");
}

TEST(Requests, takes_a_larger_batch_of_a_named_model_between_steps_and_compiles_for_it) {
  Settings settings;
  settings.model = "bert-base";
  settings.numbers = false;
  Engine engine;
  ASSERT_TRUE(engine.post(StepRun{2, settings}));
  engine.wait();
  settings.batch = 64;
  ASSERT_TRUE(engine.post(ChangeSettings{settings, Effect::recompile, {"batch"}}));
  ASSERT_TRUE(engine.post(StepRun{2, settings}));
  engine.wait();
  EXPECT_EQ(engine.latest()->compiles.compiled, 3);  // two before: the second step finds state
  EXPECT_TRUE(said(engine, "s64[32,128] -> s64[64,128]"));
}

}  // namespace
}  // namespace tpulab::requests_test
