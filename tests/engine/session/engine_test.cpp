#include "engine/session/engine.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <thread>

#include "engine/base/file.h"
#include "engine/session/settings/imported_models.h"
#include "tests/engine/session/run_to_end.h"
#include "tests/temporary_folder.h"

namespace tpulab::engine_test {
namespace {

using test::run_to_end;
using test::said;

Settings small_settings() {
  Settings settings;
  settings.hidden = {64};
  settings.max_epochs = 2;
  return settings;
}

const CoreView& core(const std::shared_ptr<const Snapshot>& now, int index) {
  return now->cores.at(static_cast<std::size_t>(index));
}

TEST(Engine, begins_with_an_empty_snapshot) {
  const Engine engine;
  EXPECT_EQ(engine.latest()->run.state, RunState::none);
  ASSERT_NE(engine.latest()->losses, nullptr);
}

TEST(Engine, runs_to_the_end_and_sums_up) {
  Engine engine;
  run_to_end(engine, small_settings());
  const auto now = engine.latest();
  EXPECT_EQ(now->run.state, RunState::finished);
  EXPECT_EQ(now->run.step, 12);
  EXPECT_EQ(now->losses->size(), 12u);
  EXPECT_EQ(now->cores.size(), 8u);
  EXPECT_EQ(now->compiles.compiled, 5);
  EXPECT_TRUE(said(engine, "run 1 finished"));
  EXPECT_TRUE(said(engine, "8 cores from 0 to 7, each: duty cycle"));
}

TEST(Engine, a_run_whose_loss_is_no_number_any_more_has_failed_and_says_what_to_try) {
  Engine engine;
  Settings settings = small_settings();
  settings.hidden = {128, 128, 128, 128, 128, 128};
  settings.optimizer = "sgd";
  settings.learning_rate = 10;
  settings.momentum = 0.99;
  settings.max_epochs = 20;
  run_to_end(engine, settings);
  const auto now = engine.latest();
  EXPECT_EQ(now->run.state, RunState::failed);
  EXPECT_NE(now->run.failure.find("the training has diverged; try a learning_rate below 10"),
            std::string::npos)
      << now->run.failure;
  EXPECT_TRUE(said(engine, " at step " + std::to_string(now->run.step)));
  EXPECT_FALSE(said(engine, "loss nan"));
  EXPECT_FALSE(said(engine, "loss -nan"));
  EXPECT_FALSE(said(engine, "run 1 finished"));
}

TEST(Engine, names_the_bound_of_a_steady_step_and_of_the_whole_run) {
  Engine engine;
  run_to_end(engine, small_settings());
  EXPECT_TRUE(engine.latest()->run.bound.text().starts_with("host tracing, saves "))
      << engine.latest()->run.bound.text();
  EXPECT_TRUE(said(engine, " % if free; time of a steady step: host tracing "));
  EXPECT_TRUE(said(engine, "; of the whole run: compile "));
  EXPECT_TRUE(engine.latest()->run.bound.between_compiles);
  run_to_end(engine, small_settings());  // finds all programs
  EXPECT_FALSE(engine.latest()->run.bound.between_compiles);
}

// Its only steady step lives on what loaders made while programs compiled, were the host free.
TEST(Engine, tells_what_binds_a_run_of_three_steps_as_it_does_of_a_long_one) {
  Engine engine;
  Settings settings = small_settings();
  settings.slice = "v6e-8";
  settings.max_steps = 3;
  run_to_end(engine, settings);
  const Binding few = engine.latest()->run.bound;
  settings.max_steps = 60;
  settings.max_epochs = -1;
  run_to_end(engine, settings);
  EXPECT_EQ(few.name, engine.latest()->run.bound.name);
  EXPECT_NEAR(few.saves, engine.latest()->run.bound.saves, 0.02);
  settings.shapes = "random";  // its last step, too, compiles
  settings.max_steps = 12;
  run_to_end(engine, settings);
  EXPECT_NEAR(engine.latest()->run.bound.saves, few.saves, 0.05);
}

// The last step of the strip is the newest step of the run, whatever evaluations lie between.
TEST(Engine, numbers_steps_alike_behind_an_evaluation) {
  Settings settings = small_settings();
  for (const std::int64_t steps : {6, 7, 8}) {  // an epoch has six
    Engine engine;
    settings.max_steps = steps;
    run_to_end(engine, settings);
    const auto now = engine.latest();
    EXPECT_EQ(now->strip.first_step + std::ssize(now->strip.step_ends) - 1, steps);
    EXPECT_EQ(now->run.step, steps);
    ASSERT_FALSE(now->compiles.events.empty());
    EXPECT_EQ(now->compiles.events.back().step, 6);  // its evaluation; step 0 is none
    EXPECT_EQ(now->losses->back().step, static_cast<float>(steps));
  }
}

TEST(Engine, counts_what_the_pace_waits_as_wall_time) {
  Engine engine;
  Settings settings = small_settings();
  settings.numbers = false;
  settings.pace = "watch";
  settings.max_steps = 3;
  run_to_end(engine, settings);
  const RunView& run = engine.latest()->run;
  EXPECT_GT(run.pause_seconds, 0);
  EXPECT_GT(run.wall_seconds, run.pause_seconds);
  EXPECT_TRUE(said(engine, " s of it `pace`; "));
}

TEST(Engine, knows_no_bound_before_a_step_that_compiled_nothing) {
  Engine engine;
  Settings settings = small_settings();
  settings.max_steps = 2;
  run_to_end(engine, settings);
  EXPECT_EQ(engine.latest()->run.bound.text(), "");
  EXPECT_TRUE(said(engine, "bound: not known before a step that compiled nothing"));
  EXPECT_TRUE(said(engine, "8 cores from 0 to 7, each: duty cycle not known"));
}

TEST(Engine, shares_of_a_core_add_up_to_all_of_its_time) {
  Engine engine;
  run_to_end(engine, small_settings());
  for (const CoreView& view : engine.latest()->cores) {
    double sum = 0;
    for (const double share : view.shares) sum += share;
    EXPECT_NEAR(sum, 1, 1e-9);
    EXPECT_GT(view.duty_cycle, view.utilisation);
  }
}

TEST(Engine, lights_one_core_for_devices_in_brackets) {
  Engine engine;
  Settings settings = small_settings();
  settings.devices = "[1]";
  run_to_end(engine, settings);
  const auto now = engine.latest();
  EXPECT_FALSE(core(now, 0).used);
  EXPECT_TRUE(core(now, 1).used);
  EXPECT_EQ(now->run.devices, "core 1 of 8");
}

TEST(Engine, keeps_programs_between_runs_until_reset) {
  Engine engine;
  run_to_end(engine, small_settings());
  run_to_end(engine, small_settings());
  EXPECT_EQ(engine.latest()->run.number, 2);
  EXPECT_EQ(engine.latest()->compiles.compiled, 0);
  engine.post(Reset{});
  run_to_end(engine, small_settings());
  EXPECT_EQ(engine.latest()->compiles.compiled, 5);
}

TEST(Engine, says_that_other_devices_are_another_topology) {
  Engine engine;
  Settings settings = small_settings();
  settings.drop_last = true;
  run_to_end(engine, settings);
  settings.slice = "v2-8";
  run_to_end(engine, settings);
  EXPECT_TRUE(said(engine, "topology: v3-8, 8 of 8 devices -> v2-8, 8 of 8 devices"));
}

TEST(Engine, steps_and_pauses) {
  Engine engine;
  engine.post(StepRun{3, small_settings()});
  engine.wait();
  EXPECT_EQ(engine.latest()->run.state, RunState::paused);
  EXPECT_EQ(engine.latest()->run.step, 3);
  engine.post(StepRun{2, small_settings()});
  engine.wait();
  EXPECT_EQ(engine.latest()->run.step, 5);
  engine.post(ResumeRun{});
  engine.wait();
  EXPECT_EQ(engine.latest()->run.state, RunState::finished);
}

TEST(Engine, names_a_core_of_its_own_by_its_number) {
  Engine engine;
  Settings settings = small_settings();
  settings.slice = "v3-32";
  settings.straggler = "core:9:2";
  run_to_end(engine, settings);
  EXPECT_TRUE(said(engine, "core 9: duty cycle"));
  EXPECT_TRUE(said(engine, "31 cores, 0-8 and 10-31, each: duty cycle"));
}

TEST(Engine, steps_to_the_last_one_and_ends_as_a_run_does) {
  for (const std::int64_t steps : {12, 40}) {
    Engine engine;
    engine.post(StepRun{steps, small_settings()});
    engine.wait();
    EXPECT_EQ(engine.latest()->run.state, RunState::finished);
    EXPECT_TRUE(said(engine, "epoch 2/2  step 12"));
    EXPECT_TRUE(said(engine, "run 1 finished"));
  }
}

TEST(Engine, pauses_before_an_evaluation_that_is_not_the_last) {
  Engine engine;
  engine.post(StepRun{6, small_settings()});
  engine.wait();
  EXPECT_EQ(engine.latest()->run.state, RunState::paused);
  EXPECT_FALSE(said(engine, "epoch 1/2"));
}

TEST(Engine, takes_a_new_batch_into_a_running_run) {
  Engine engine;
  engine.post(StepRun{2, small_settings()});
  engine.wait();
  Settings changed = small_settings();
  changed.batch = 64;
  engine.post(ChangeSettings{changed, Effect::recompile, {"batch"}});
  engine.post(StepRun{1, small_settings()});
  engine.wait();
  ASSERT_FALSE(engine.latest()->compiles.events.empty());
  const CompileEvent& newest = engine.latest()->compiles.events.back();
  EXPECT_TRUE(newest.cause.starts_with("input 0: f32[32,64] -> f32[64,64]")) << newest.cause;
  EXPECT_EQ(engine.latest()->run.batch, "64 x 8 = 512 global");
}

TEST(Engine, tells_no_number_of_a_time_only_run) {
  Engine engine;
  Settings settings = small_settings();
  settings.numbers = false;
  run_to_end(engine, settings);
  EXPECT_EQ(engine.latest()->run.state, RunState::finished);
  EXPECT_TRUE(said(engine, "epoch 2/2  step 12  no numbers"));
  EXPECT_FALSE(said(engine, "loss nan"));
  EXPECT_FALSE(said(engine, "loss -nan"));
}

TEST(Engine, stops_a_run_that_would_never_end) {
  Engine engine;
  Settings settings = small_settings();
  settings.max_epochs = -1;
  engine.post(StartRun{settings});
  while (engine.latest()->run.step < 5) std::this_thread::yield();
  engine.post(StopRun{});
  engine.wait();
  EXPECT_EQ(engine.latest()->run.state, RunState::stopped);
  EXPECT_TRUE(said(engine, "run 1 stopped"));
}

TEST(Engine, does_not_say_compiling_where_the_last_step_of_a_run_compiled) {
  Engine engine;
  Settings settings = small_settings();
  settings.max_steps = 1;
  run_to_end(engine, settings);
  EXPECT_EQ(engine.latest()->run.state, RunState::finished);
  EXPECT_FALSE(engine.latest()->run.compiling);
}

TEST(Engine, survives_a_run_that_fails) {
  Engine engine;
  Settings settings = small_settings();
  settings.hard_examples = true;  // eight cores find different numbers of rows
  run_to_end(engine, settings);
  EXPECT_EQ(engine.latest()->run.state, RunState::failed);
  EXPECT_NE(engine.latest()->run.failure.find("would hang"), std::string::npos);
  run_to_end(engine, small_settings());
  EXPECT_EQ(engine.latest()->run.state, RunState::finished);
}

TEST(Engine, counts_fallbacks_with_their_times) {
  Engine engine;
  Settings settings = small_settings();
  settings.class_weights = true;
  run_to_end(engine, settings);
  const auto& rows = engine.latest()->fallbacks;
  const auto row = std::ranges::find(rows, "aten::bincount", &FallbackRow::op);
  ASSERT_NE(row, rows.end());
  EXPECT_EQ(row->count, 12);
  EXPECT_GT(row->download.count(), 0);
  EXPECT_GT(row->cpu.count(), 0);
  EXPECT_GT(row->upload.count(), 0);
  EXPECT_NE(engine.metrics_report().find("aten::bincount"), std::string::npos);
}

TEST(Engine, draws_steps_that_follow_each_other) {
  Engine engine;
  run_to_end(engine, small_settings());
  const StripView& strip = engine.latest()->strip;
  ASSERT_EQ(strip.lanes.size(), 2u);
  ASSERT_FALSE(strip.step_ends.empty());
  for (const StripLane& lane : strip.lanes) {
    for (std::size_t i = 0; i < lane.pieces.size(); ++i) {
      EXPECT_LT(lane.pieces[i].start, lane.pieces[i].end);
      if (i > 0) {
        EXPECT_LE(lane.pieces[i - 1].end, lane.pieces[i].start);
      }
    }
  }
}

TEST(Engine, runs_a_named_model_in_time_only_with_every_pane_alive) {
  Settings settings;
  settings.model = "resnet50";
  settings.slice = "v3-2048";
  settings.batch = 32;
  settings.max_steps = 60;
  settings.numbers = false;
  Engine engine;
  run_to_end(engine, settings);
  const auto now = engine.latest();
  EXPECT_EQ(now->run.state, RunState::finished);
  EXPECT_EQ(now->run.step, 60);
  ASSERT_EQ(now->cores.size(), 2048u);
  EXPECT_GT(core(now, 2047).duty_cycle, 0);
  EXPECT_GT(core(now, 2047).hbm_used.value, 0);
  EXPECT_FALSE(now->strip.lanes.empty());
  // Three epochs of 20 steps: the first step, the second, whose optimizer has its state, the last
  // batch, and validation.
  EXPECT_EQ(now->run.epoch, 3);
  EXPECT_EQ(now->compiles.compiled, 4);
  EXPECT_EQ(now->compiles.cached, 60);
  EXPECT_TRUE(now->losses->empty());
  EXPECT_TRUE(said(engine, "time only"));
  // One read by the logger, after step 50; three of the lengths of loaders, three of validations.
  ASSERT_EQ(now->fallbacks.size(), 1u);
  EXPECT_EQ(now->fallbacks[0].count, 7);
  EXPECT_TRUE(engine.newest_program().has_value());
}

TEST(Engine, refuses_the_numbers_of_a_named_model) {
  Settings settings;
  settings.model = "llama2-7b";
  Engine engine;
  run_to_end(engine, settings);
  EXPECT_EQ(engine.latest()->run.state, RunState::none);
  EXPECT_TRUE(said(engine, "`numbers off`"));
}

TEST(Engine, ends_a_run_whose_limit_is_lowered_to_what_is_trained) {
  Settings settings;
  Engine engine;
  ASSERT_TRUE(engine.post(StepRun{5, settings}));
  engine.wait();
  settings.max_steps = 3;
  ASSERT_TRUE(engine.post(ChangeSettings{settings, Effect::next_step, {"max_steps"}}));
  ASSERT_TRUE(engine.post(ResumeRun{}));
  engine.wait();
  EXPECT_EQ(engine.latest()->run.state, RunState::finished);
  EXPECT_EQ(engine.latest()->run.step, 5);
  EXPECT_TRUE(said(engine, "run 1 finished: 5 steps"));
}

TEST(Engine, tells_of_a_run_whose_model_file_is_gone_and_forgotten) {
  const std::string source = TPULAB_SOURCE_DIR "/tests/engine/formats/stablehlo/mlp_step.mlir";
  const test::TemporaryFolder temporary;
  const std::string text = read_file(source);
  Settings settings;
  settings.stack = "jax";
  temporary.write("a.mlir", text);
  change(settings, "model", (temporary / "a.mlir").string());
  change(settings, "numbers", "off");
  settings.max_steps = 10;
  Engine engine;
  ASSERT_TRUE(engine.post(StepRun{.steps = 2, .settings = settings}));
  engine.wait();
  std::filesystem::remove(temporary / "a.mlir");
  for (int i = 0; i < 70; ++i) {
    const std::string other = fmt::format("b{}.mlir", i);
    temporary.write(other, text);
    read_model_file((temporary / other).string());
  }
  ASSERT_TRUE(engine.post(ResumeRun{}));
  engine.wait();
  EXPECT_EQ(engine.latest()->run.state, RunState::finished);
  EXPECT_EQ(engine.latest()->run.batch, "32 x 8 = 256 global");
  EXPECT_TRUE(said(engine, "run 1 finished: 10 steps"));
  EXPECT_FALSE(said(engine, "cannot read"));
}

}  // namespace
}  // namespace tpulab::engine_test
