#include "engine/session/answers/estimate.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/session/answers/speed_ups.h"
#include "engine/session/engine.h"
#include "tests/engine/forecast/steady_step.h"

namespace tpulab::estimate_test {
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
  EXPECT_TRUE(real.bound.text().starts_with(told.bound)) << real.bound.text();
}

TEST(Estimate, adds_its_terms_up_to_the_step) {
  const Estimate told = estimate(small_settings());
  Picoseconds sum{};
  for (const PhaseTime& term : told.terms) sum += term.time;
  EXPECT_NEAR(in_seconds(sum), in_seconds(told.step), 1e-9);
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

Settings resnet_on_a_board() {
  Settings settings;
  settings.model = "resnet50";
  settings.stack = "jax";
  settings.precision = "bf16-mixed";
  settings.batch = 128;
  return settings;
}

TEST(Estimate, of_a_named_model_has_a_band_and_a_nearest_point) {
  const Estimate told = estimate(resnet_on_a_board());
  EXPECT_EQ(told.batch, "128 x 8 = 1024 global");
  EXPECT_GT(told.band, 0);
  EXPECT_EQ(told.nearest, "C-S5");
  EXPECT_LT(told.compile_least, told.compile_most);
}

// What a prediction of a measured run is made of is what people are told.
TEST(Estimate, of_a_named_model_is_the_steady_step_that_is_validated) {
  for (const char* model : {"resnet50", "bert-base", "mnist-cnn"}) {
    Settings settings = resnet_on_a_board();
    settings.model = model;
    // A step behind an evaluation waits for it, one that is logged for its loss; an epoch's last is
    // short.
    change(settings, "drop_last", "on");
    change(settings, "limit_val_batches", "0");
    change(settings, "log_every_n_steps", "0");
    const double steady =
        test::steady_seconds({.model = model, .slice = "v3-8", .stack = "jax", .batch = 1024});
    EXPECT_NEAR(in_seconds(estimate(settings).step) / steady, 1, 0.001) << model;
  }
}

// What `settings` take as a time-only run: the newest that `engine` has ended.
RunRecord run_of(Settings settings) {
  settings.numbers = false;
  Engine engine;
  engine.post(StartRun{settings});
  engine.wait();
  return engine.ended_runs().back();
}

void expect_the_run(const Estimate& told, const RunRecord& run, const std::string& typed) {
  EXPECT_NEAR(in_seconds(told.step) / in_seconds(run.view.step_time), 1, 0.001) << typed;
  EXPECT_TRUE(run.view.bound.text().starts_with(told.bound))
      << typed << ": " << run.view.bound.text() << ", " << told.bound;
  ASSERT_TRUE(told.run) << typed;
  EXPECT_NEAR(in_seconds(told.run->time) / in_seconds(run.view.tpu_time), 1, 0.001) << typed;
  EXPECT_NEAR(in_seconds(told.compile) / in_seconds(run.compile), 1, 0.001) << typed;
  EXPECT_EQ(told.run->compiles, run.compiles) << typed;
  EXPECT_EQ(told.run->steps, run.view.step) << typed;
  EXPECT_EQ(told.run->epochs, run.view.epoch) << typed;
  EXPECT_NEAR(told.samples_per_second / run.view.tpu_rate_steady, 1, 0.001) << typed;
  EXPECT_NEAR(told.run->samples_per_second / run.view.tpu_rate_with_compile, 1, 0.001) << typed;
}

// Every setting that changes a step or the run, on networks that compute and on those that only
// take time.
TEST(Estimate, is_the_run_itself) {
  const std::vector<Assignment> changes{{"seed", "1"},
                                        {"progress_bar", "on"},
                                        {"cpu_constant", "on"},
                                        {"fallback_op", "median"},
                                        {"donate", "off"},
                                        {"data_rows", "20"},
                                        {"data_rows", "700"},
                                        {"loader_workers", "0"},
                                        {"loader_workers", "3"},
                                        {"loader_row_us", "3000"},
                                        {"loader_prefetch", "2"},
                                        {"host_cpus", "4"},
                                        {"shapes", "random"},
                                        {"shapes", "bucketed"},
                                        {"loop_turns", "5"},
                                        {"keep_every_n_steps", "3"},
                                        {"input_dtype", "bf16"},
                                        {"item_every_n_steps", "1"},
                                        {"item_every_n_steps", "7"},
                                        {"log_every_n_steps", "7"},
                                        {"host", "colab-node-2021"},
                                        {"straggler", "core:0:1.5"},
                                        {"straggler", "host:0:2"},
                                        {"straggler", "link:1:20"},
                                        {"stack", "jax"},
                                        {"precision", "bf16-mixed"},
                                        {"precision", "bf16-true"},
                                        {"batch", "16"},
                                        {"batch", "180"},
                                        {"devices", "1"},
                                        {"max_epochs", "1"},
                                        {"max_epochs", "25"},
                                        {"max_epochs", "40"},
                                        {"max_steps", "4"},
                                        {"max_steps", "100"},
                                        {"optimizer", "sgd"},
                                        {"warmup_steps", "8"},
                                        {"split", "validation"},
                                        {"class_weights", "on"},
                                        {"drop_last", "on"},
                                        {"matmul.precision", "high"},
                                        {"slice", "v6e-8"}};
  for (const char* model : {"mlp", "cnn", "conv 16 3x3 relu | maxpool 2 | dense 10", "resnet50",
                            "bert-base", "gemm-4096x4096x4096"}) {
    for (const Assignment& change_asked : changes) {
      const std::string typed = model + (" " + change_asked.name) + " " + change_asked.value;
      Settings settings;
      settings.max_epochs = 5;
      if (model != std::string("mlp")) settings.max_steps = 60;
      try {
        change_all(settings, std::vector<Assignment>{{"model", model}, change_asked});
      } catch (const Error&) {
        continue;  // what a run refuses has no estimate either
      }
      expect_the_run(estimate(settings), run_of(settings), typed);
    }
  }
}

// Lightning's loop acts on named networks as on those that are trained: epochs of ImageNet, or of
// as many batches as are counted.
TEST(Estimate, is_the_run_itself_in_lightnings_loop) {
  const std::vector<std::vector<Assignment>> changes{
      {},
      {{"limit_val_batches", "3"}},
      {{"limit_val_batches", "0"}},
      {{"val_check_interval", "0.3"}},
      {{"check_val_every_n_epoch", "2"}},
      {{"val_check_interval", "70"}, {"check_val_every_n_epoch", "None"}},
      {{"progress_bar", "on"}, {"progress_bar_every", "7"}},
      {{"progress_bar", "on"}, {"progress_bar_every", "30"}},
      {{"accumulate_grad_batches", "3"}, {"progress_bar", "on"}, {"progress_bar_every", "4"}},
      {{"cpu_constant", "on"}},
      {{"shapes", "random"}, {"progress_bar", "on"}},
      {{"fallback_op", "bucketize"}, {"item_every_n_steps", "3"}},
      {{"shapes", "bucketed"}, {"item_every_n_steps", "2"}},
      {{"num_sanity_val_steps", "0"}},
      {{"num_sanity_val_steps", "-1"}},
      {{"accumulate_grad_batches", "3"}},
      {{"accumulate_grad_batches", "3"}, {"progress_bar", "on"}, {"item_every_n_steps", "2"}},
      {{"overfit_batches", "5"}},
      {{"drop_last", "on"}},
      {{"stack", "jax"}},
      {{"stack", "jax"}, {"accumulate_grad_batches", "3"}},
      {{"devices", "1"}, {"accumulate_grad_batches", "3"}},
      {{"devices", "1"}, {"limit_val_batches", "20"}, {"sync_validation", "on"}},
      {{"max_steps", "50"}},
      {{"optimizer", "sgd"}}};
  for (const char* model : {"resnet50", "bert-base"}) {
    for (const std::vector<Assignment>& asked : changes) {
      Settings settings;
      std::vector<Assignment> all{{"model", model},
                                  {"max_epochs", "4"},
                                  {"limit_train_batches", "40"},
                                  {"limit_val_batches", "10"}};
      all.insert(all.end(), asked.begin(), asked.end());
      change_all(settings, all);
      const std::string last = asked.empty() ? "" : asked.back().name + " " + asked.back().value;
      expect_the_run(estimate(settings), run_of(settings), model + (" " + last));
    }
  }
}

// On one lazy device, whose graph holds the rows of all batches.
Settings one_graph_of_validation(const char* model) {
  Settings settings;
  const std::vector<Assignment> asked{{"model", model},
                                      {"slice", "v5p-8"},
                                      {"devices", "1"},
                                      {"max_epochs", "1"},
                                      {"limit_train_batches", "3"}};
  change_all(settings, asked);
  return settings;
}

TEST(Estimate, tells_the_memory_that_the_run_needs_at_most) {
  for (const char* model : {"resnet50", "mlp"}) {
    Settings settings = one_graph_of_validation(model);
    settings.numbers = false;
    Engine engine;
    engine.post(StartRun{settings});
    engine.wait();
    EXPECT_EQ(estimate(settings).hbm_used.value, engine.latest()->cores[0].hbm_used.value) << model;
  }
}

TEST(Estimate, tells_the_rows_that_validation_in_one_graph_holds) {
  Settings settings = one_graph_of_validation("resnet50");
  const Estimate told = estimate(settings);
  Bytes sum{};
  for (const MemoryPart& part : told.memory) sum = sum + part.bytes;
  EXPECT_EQ(sum.value, told.hbm_used.value);
  EXPECT_EQ(told.memory.back().name, "rows of validation in one graph");
  change(settings, "sync_validation", "on");
  EXPECT_GT(told.hbm_used.value, 2 * estimate(settings).hbm_used.value);
}

TEST(Estimate, of_an_epoch_of_imagenet_is_that_run) {
  Settings settings = resnet_on_a_board();
  settings.max_epochs = 1;
  expect_the_run(estimate(settings), run_of(settings), "compiled steps");
  EXPECT_EQ(estimate(settings).run->steps, 1252);  // 160,146 rows on a core
  settings = resnet_on_a_board();
  settings.precision = "32-true";
  settings.stack = "pytorch-xla";
  settings.max_epochs = 2;
  expect_the_run(estimate(settings), run_of(settings), "lazy steps");
}

// Epochs that are alike are told from one of them, once no scalar of the update changes.
TEST(Estimate, of_a_long_run_is_that_run) {
  Settings settings = small_settings();
  settings.optimizer = "sgd";
  settings.max_epochs = 500;
  expect_the_run(estimate(settings), run_of(settings), "500 epochs");
  settings.item_every_n_steps = 7;
  settings.max_steps = 5500;
  settings.host = "colab-node-2021";
  settings.devices = "1";
  settings.max_epochs = -1;
  settings.loader_workers = 2;
  expect_the_run(estimate(settings), run_of(settings), "5,500 steps of one core");
  Settings changing = small_settings();
  changing.optimizer = "sgd";
  changing.max_epochs = -1;
  changing.max_steps = 9000;
  changing.shapes = "random";
  expect_the_run(estimate(changing), run_of(changing), "9,000 steps whose shapes change");
  Settings named = resnet_on_a_board();
  named.max_steps = 3000;
  expect_the_run(estimate(named), run_of(named), "a named model");
}

TEST(Estimate, of_a_run_of_many_days_answers_at_once) {
  Settings settings = small_settings();
  settings.max_epochs = 1'000'000;
  ASSERT_TRUE(estimate(settings).run);
  EXPECT_EQ(estimate(settings).run->steps, 6'000'000);
  settings.max_epochs = 1'000'000'000;
  EXPECT_FALSE(estimate(settings).run);  // more than the clock holds
}

TEST(Estimate, of_a_run_without_a_limit_tells_the_step_and_no_run) {
  Settings settings = small_settings();
  settings.max_epochs = -1;
  const Estimate told = estimate(settings);
  EXPECT_FALSE(told.run);
  EXPECT_GT(told.compile.count(), 0);
  EXPECT_NEAR(in_seconds(told.step) / in_seconds(estimate(small_settings()).step), 1, 0.05);
}

// Two steps, both of which compile: the step is that of a longer run.
TEST(Estimate, of_a_run_too_short_for_a_steady_step_tells_the_one_that_would_follow) {
  Settings settings = small_settings();
  settings.max_steps = 2;
  const Estimate told = estimate(settings);
  EXPECT_EQ(told.run->steps, 2);
  EXPECT_EQ(told.run->compiles, 4);  // two of the sanity check
  EXPECT_GT(told.run->time, told.compile);
  EXPECT_NEAR(in_seconds(told.step) / in_seconds(estimate(small_settings()).step), 1, 0.05);
}

TEST(Estimate, says_when_the_batch_is_more_than_an_epoch_has) {
  Settings settings;
  settings.batch = 1000;
  EXPECT_EQ(estimate(settings).batch,
            "1000 x 8 = 8000 global, but an epoch has only 180 rows per device");
}

TEST(Estimate, of_a_named_model_tells_its_memory_by_parts) {
  const Estimate told = estimate(resnet_on_a_board());
  Bytes sum;
  for (const MemoryPart& part : told.memory) sum += part.bytes;
  EXPECT_EQ(sum, told.hbm_used);
  EXPECT_LT(told.hbm_used, told.hbm_limit);
}

TEST(Estimate, of_a_straggler_says_what_a_step_is_without_it) {
  Settings settings = resnet_on_a_board();
  const Picoseconds alike = estimate(settings).step;
  settings.straggler = "core:3:1.5";
  const Picoseconds slow = estimate(settings).step;
  const std::vector<SpeedUp> all = speed_ups(settings, 2);
  const auto without = std::ranges::find(all, "no straggler", &SpeedUp::resource);
  ASSERT_NE(without, all.end());
  EXPECT_NEAR(without->ratio, in_seconds(alike) / in_seconds(slow), 1e-4);
}

TEST(Estimate, nothing_that_is_faster_makes_a_step_longer) {
  Settings settings;
  change_all(settings,
             std::vector<Assignment>{
                 {"stack", "jax"}, {"batch", "128"}, {"drop_last", "on"}, {"max_epochs", "200"}});
  for (const SpeedUp& one : speed_ups(settings, 2)) EXPECT_LE(one.ratio, 1.0) << one.resource;
  EXPECT_EQ(speed_ups(settings, 2).front().resource, "loader");
}

TEST(Estimate, of_a_named_model_is_shorter_without_what_binds) {
  const Estimate told = estimate(resnet_on_a_board());
  EXPECT_EQ(told.bound, "HBM");  // as published: the matrix unit idles at ResNet on v3
  EXPECT_LT(told.next_bound_step, told.step);
  for (const SpeedUp& one : speed_ups(resnet_on_a_board(), 2)) EXPECT_LE(one.ratio, 1);
}

TEST(Estimate, of_a_named_model_lists_the_kernels_that_add_up_to_the_step) {
  const PricedProgram program = estimated_program(resnet_on_a_board());
  EXPECT_NEAR(in_seconds(program.time) / in_seconds(estimate(resnet_on_a_board()).step), 1, 0.001);
}

// What is thrown as impossible; empty if nothing is.
template <class Question>
std::string refusal_of(const Question& question) {
  try {
    question();
  } catch (const Impossible& refusal) {
    return refusal.what();
  }
  return {};
}

TEST(Estimate, of_what_does_not_fit_names_the_largest_buffers_and_what_would_fit) {
  Settings settings = resnet_on_a_board();
  settings.batch = 8192;
  const std::string refusal = refusal_of([&] { estimate(settings); });
  EXPECT_NE(refusal.find("RESOURCE_EXHAUSTED"), std::string::npos);
  EXPECT_NE(refusal.find("\nLargest arrays: "), std::string::npos);
  EXPECT_NE(refusal.find("\nWhat would fit: `batch "), std::string::npos);
}

TEST(Estimate, of_what_does_not_fit_has_no_speed_ups_and_no_kernels) {
  Settings settings = resnet_on_a_board();
  settings.batch = 8192;
  EXPECT_NE(refusal_of([&] { speed_ups(settings, 2); }).find("RESOURCE_EXHAUSTED"),
            std::string::npos);
  EXPECT_NE(refusal_of([&] { estimated_program(settings); }).find("RESOURCE_EXHAUSTED"),
            std::string::npos);
}

}  // namespace
}  // namespace tpulab::estimate_test
