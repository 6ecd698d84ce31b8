// What binds a run under way is told of the steps that its panes show.
#include <gtest/gtest.h>

#include "engine/base/workers.h"
#include "engine/session/run/run.h"
#include "tests/engine/session/run_to_end.h"

namespace tpulab::run_bound_test {
namespace {

TEST(RunBound, is_compile_for_as_long_as_compiles_fill_the_newest_steps) {
  Settings settings;
  settings.numbers = false;
  ProgramCache cache;
  WorkerPool workers(1);
  OutputLog log;
  Metrics metrics;
  tpulab::Run run(1, settings, cache, workers, metrics, log);
  int bound_by_compiles = 0;
  int bound_by_others = 0;
  while (!run.done()) {
    run.advance();
    const double compiling = run.cores().front().shares[index_of(Share::compile)];
    const bool named = run.view().bound.name == "compile";
    EXPECT_EQ(named, compiling > 0.5) << "step " << run.step() << ": " << compiling;
    ++(named ? bound_by_compiles : bound_by_others);
  }
  EXPECT_GT(bound_by_compiles, 3);
  EXPECT_GT(bound_by_others, 3);
}

// All of its steps live on batches that loaders made while programs compiled.
TEST(RunBound, is_that_of_steps_that_would_follow_where_none_is_steady) {
  Engine engine;
  Settings settings;
  change_all(settings, std::vector<Assignment>{{"model", "moe-tiny"},
                                               {"slice", "4xv5p-128"},
                                               {"stack", "jax"},
                                               {"accumulate_grad_batches", "3"},
                                               {"max_steps", "2"},
                                               {"devices", "1"},
                                               {"batch", "192"},
                                               {"numbers", "off"}});
  test::run_to_end(engine, settings);
  EXPECT_TRUE(test::said(engine, "duty cycle not known before a step whose rows were not ready"));
  EXPECT_TRUE(test::said(engine, "if free, of steps that would follow, as none so far is steady"));
}

}  // namespace
}  // namespace tpulab::run_bound_test
