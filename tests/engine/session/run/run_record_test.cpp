#include "engine/session/run/run_record.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/ops/tile_product.h"
#include "engine/session/engine.h"
#include "tests/engine/session/run_to_end.h"

namespace tpulab::run_record_test {
namespace {

using test::run_to_end;

TEST(RunRecord, each_ended_run_is_kept_with_phases_that_add_up_to_a_step) {
  Engine engine;
  run_to_end(engine, test::small_run());
  const auto runs = engine.ended_runs();
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].view.state, RunState::finished);
  EXPECT_EQ(runs[0].stack, "pytorch-xla");
  Picoseconds sum{};
  for (const PhaseTime& phase : runs[0].phases) sum += phase.time;
  EXPECT_NEAR(in_seconds(sum), in_seconds(runs[0].view.step_time), 1e-10);
  ASSERT_EQ(runs[0].accuracies.size(), 2U);
  EXPECT_EQ(runs[0].accuracies[1].epoch, 2);
  EXPECT_LT(runs[0].accuracies[0].tpu_time, runs[0].accuracies[1].tpu_time);
}

// The second run finds what the first compiled; from an empty cache it would have been the first.
TEST(RunRecord, tells_a_warm_run_as_it_would_have_been_cold) {
  Engine engine;
  run_to_end(engine, test::small_run());
  run_to_end(engine, test::small_run());
  const auto runs = engine.ended_runs();
  const RunRecord& first = runs[0];
  const RunRecord& second = runs[1];
  EXPECT_EQ(first.cold->found, 0);
  EXPECT_EQ(first.cold->time, first.view.tpu_time);
  EXPECT_EQ(first.cold->compile, first.compile);
  EXPECT_LT(second.view.tpu_time, first.view.tpu_time);
  EXPECT_EQ(second.compiles, 0);
  EXPECT_EQ(second.cold->found, first.compiles);
  EXPECT_EQ(second.cold->compiles, first.compiles);
  EXPECT_EQ(second.cold->compile, first.compile);
  EXPECT_EQ(second.cold->time, first.view.tpu_time);
  ASSERT_EQ(second.cold->evaluations.size(), 2U);
  EXPECT_EQ(second.cold->evaluations[0], first.accuracies[0].tpu_time);
}

TEST(RunRecord, says_what_multiplied_the_matrices) {
  Engine engine;
  Settings settings = test::small_run();
  settings.max_epochs = 1;
  run_to_end(engine, settings);
  settings.backend = "reference";
  run_to_end(engine, settings);
  const auto runs = engine.ended_runs();
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].view.products, product_library());
  EXPECT_EQ(runs[1].view.products, "loops of tpulab");
}

TEST(RunRecord, the_newest_program_is_priced_kernel_by_kernel) {
  Engine engine;
  EXPECT_FALSE(engine.newest_program());
  engine.post(StepRun{2, test::small_run()});
  engine.wait();
  const auto program = engine.newest_program();
  ASSERT_TRUE(program);
  EXPECT_EQ(program->title, "train step of run 1, mlp 64-16-10 on v3-8");
  Picoseconds sum = program->start;
  for (const KernelRow& row : program->kernels) {
    sum += row.time;
    const auto longest =
        std::max({row.matrix + row.blocks, row.vector + row.blocks, row.hbm, row.transfer});
    const auto parts = row.overhead + row.exposed + row.latency + longest;
    // Units and HBM that take as long as each other hide all but a fifth.
    EXPECT_GE(row.time.count(), parts.count() - 2) << row.name;
    EXPECT_LE(row.time.count(), (parts + longest / 5).count()) << row.name;
    EXPECT_EQ(row.not_hidden(), row.time - parts) << row.name;
  }
  EXPECT_EQ(sum, program->time);
  EXPECT_TRUE(std::ranges::any_of(
      program->kernels, [](const KernelRow& row) { return row.name.starts_with("layer2: dot"); }));
}

// 24 rows a step of the text, on eight cores that all are told to have theirs.
TEST(RunRecord, of_an_imported_step_counts_the_rows_that_were_computed) {
  Settings settings;
  settings.stack = "jax";
  change(settings, "model", TPULAB_SOURCE_DIR "/tests/engine/formats/stablehlo/executed/mlp.mlir");
  settings.max_steps = 5;
  Engine engine;
  run_to_end(engine, settings);
  const RunView view = engine.ended_runs()[0].view;
  EXPECT_NEAR(view.wall_rate * view.wall_seconds, 5 * 24, 1e-6);
  EXPECT_NEAR(view.tpu_rate_with_compile * in_seconds(view.tpu_time), 5 * 8 * 24, 1e-6);
  EXPECT_EQ(view.parameters, 874);
}

}  // namespace
}  // namespace tpulab::run_record_test
