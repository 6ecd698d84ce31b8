#include "engine/session/estimate.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/forecast/forecast.h"
#include "engine/session/engine.h"
#include "engine/session/speed_ups.h"

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

// What `validate` holds against measurements is what people are told.
TEST(Estimate, of_a_named_model_is_within_a_hundredth_of_what_is_validated) {
  for (const char* model : {"resnet50", "bert-base", "mnist-cnn"}) {
    Settings settings = resnet_on_a_board();
    settings.model = model;
    const Forecast validated =
        forecast({.model = model, .slice = "v3-8", .stack = "jax", .batch = 1024});
    EXPECT_NEAR(in_seconds(estimate(settings).step) / in_seconds(validated.step), 1, 0.01) << model;
  }
}

// Every setting that changes a step, on networks that compute and on those that only take time.
TEST(Estimate, is_the_step_of_the_run_itself) {
  const std::vector<Assignment> changes{{"seed", "1"},
                                        {"progress_bar", "on"},
                                        {"item_every_n_steps", "1"},
                                        {"host", "colab-node-2021"},
                                        {"straggler", "core:0:1.5"},
                                        {"straggler", "host:0:2"},
                                        {"stack", "jax"},
                                        {"precision", "bf16-mixed"},
                                        {"batch", "16"},
                                        {"devices", "1"},
                                        {"max_epochs", "25"},
                                        {"max_epochs", "40"},
                                        {"optimizer", "sgd"},
                                        {"class_weights", "on"},
                                        {"drop_last", "on"},
                                        {"matmul.precision", "high"},
                                        {"slice", "v6e-8"}};
  for (const char* model : {"mlp", "cnn", "resnet50", "bert-base", "gemm-4096x4096x4096"}) {
    for (const Assignment& change_asked : changes) {
      const std::string typed = model + (" " + change_asked.name) + " " + change_asked.value;
      Settings settings;
      try {
        change_all(settings, std::vector<Assignment>{{"model", model}, change_asked});
      } catch (const Error&) {
        continue;  // what a run refuses has no estimate either
      }
      settings.numbers = false;
      if (change_asked.name != "max_epochs") settings.max_epochs = 10;
      Engine engine;
      engine.post(StartRun{settings});
      engine.wait();
      const RunView run = engine.latest()->run;
      const Estimate told = estimate(settings);
      EXPECT_NEAR(in_seconds(told.step) / in_seconds(run.step_time), 1, 0.001) << typed;
      EXPECT_TRUE(run.bound.starts_with(told.bound))
          << typed << ": " << run.bound << ", " << told.bound;
    }
  }
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

TEST(Estimate, of_a_named_model_is_shorter_without_what_binds) {
  const Estimate told = estimate(resnet_on_a_board());
  EXPECT_EQ(told.bound, "HBM");  // as published: the matrix unit idles at ResNet on v3
  EXPECT_LT(told.next_bound_step, told.step);
  for (const SpeedUp& one : speed_ups(resnet_on_a_board(), 2)) EXPECT_LE(one.step, told.step);
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
  EXPECT_NE(refusal.find("\nWhat would fit: batch "), std::string::npos);
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
}  // namespace tpulab
