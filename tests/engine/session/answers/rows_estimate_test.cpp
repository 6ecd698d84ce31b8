// What is told of rows: their tokens, their step, one of them on a device.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/session/answers/estimate.h"
#include "engine/session/answers/speed_ups.h"
#include "engine/session/settings/setting_meanings.h"

namespace tpulab::rows_estimate_test {
namespace {

// Lengths from a half to the whole: of each row three quarters in the mean, and as much of its
// work.
TEST(Estimate, counts_the_tokens_that_rows_of_changing_lengths_have) {
  Settings settings;
  change_all(settings, std::vector<Assignment>{{"stack", "jax"},
                                               {"slice", "v5p-32"},
                                               {"model", "llama3-8b"},
                                               {"batch", "2"},
                                               {"precision", "bf16-mixed"},
                                               {"remat", "full"}});
  const Estimate whole = estimate(settings);
  change(settings, "shapes", "random");
  const Estimate parts = estimate(settings);
  EXPECT_DOUBLE_EQ(whole.tokens_per_second, whole.samples_per_second * 8192);
  EXPECT_NEAR(parts.tokens_per_second / (parts.samples_per_second * 8192), 0.75, 0.05);
  EXPECT_NEAR(parts.mfu / whole.mfu, 1, 0.1);
  EXPECT_LT(parts.mfu, parts.utilisation);
}

Estimate with(const std::vector<Assignment>& changes) {
  Settings settings;
  change_all(settings, changes);
  return estimate(settings);
}

// One step an epoch: its batch is always made while the one before it is validated.
TEST(Estimate, knows_the_step_of_epochs_that_have_one) {
  const Estimate told = with({{"model", "tcn"},
                              {"slice", "v5e-4"},
                              {"stack", "tensorflow"},
                              {"batch", "256"},
                              {"drop_last", "on"}});
  EXPECT_GT(told.step.count(), 0);
  EXPECT_NEAR(told.samples_per_second * in_seconds(told.step), 1024, 1);
}

// Scores of one row and one head of keys are no product with weights.
TEST(Estimate, one_row_on_a_device_is_half_of_two) {
  const auto of = [](const char* batch, const char* remat, const char* quant) {
    return with({{"model", "gemma3-1b"},
                 {"slice", "v5p-8"},
                 {"stack", "tensorflow"},
                 {"precision", "bf16-mixed"},
                 {"sequence", "8192"},
                 {"mesh", "data=4"},
                 {"batch", batch},
                 {"remat", remat},
                 {"quant", quant}});
  };
  const auto used = [&](const char* batch) { return of(batch, "minimal", "none").hbm_used; };
  EXPECT_NEAR(static_cast<double>((used("2") - used("1")).value) /
                  static_cast<double>((used("3") - used("2")).value),
              1, 0.02);
  const auto compute = [&](const char* quant) {
    const Estimate told = of("1", "full", quant);
    const auto part = std::ranges::find(told.terms, "compute", &PhaseTime::name);
    return in_seconds(part->time);
  };
  EXPECT_LT(compute("none"), 2 * compute("int8"));
}

TEST(Estimate, counts_the_steps_of_an_epoch_as_the_loop_does) {
  Settings settings;
  EXPECT_EQ(estimate(settings).epoch_steps, 6);  // 180 rows of each core, 32 at once
  settings.drop_last = true;
  EXPECT_EQ(estimate(settings).epoch_steps, 5);
  settings.limit_train_batches = {.count = 2};
  EXPECT_EQ(estimate(settings).epoch_steps, 2);
  settings.accumulate_grad_batches = 2;
  EXPECT_EQ(estimate(settings).epoch_steps, 1);
}

TEST(Estimate, counts_the_rows_of_an_epoch_short_steps_and_all) {
  Settings settings;
  EXPECT_EQ(estimate(settings).epoch_rows, 180 * 8);
  settings.drop_last = true;
  EXPECT_EQ(estimate(settings).epoch_rows, 160 * 8);
  settings.model = "resnet50";
  settings.numbers = false;
  settings.batch = 64;
  settings.limit_train_batches = {.count = 5};
  settings.accumulate_grad_batches = 4;
  EXPECT_EQ(estimate(settings).epoch_rows, 5 * 64 * 8);
  EXPECT_EQ(estimate(settings).epoch_steps, 2);
}

// Batches keep from half of their rows to all.
TEST(Estimate, counts_the_rows_of_an_epoch_that_random_shapes_leave) {
  Settings settings;
  settings.model = "resnet50";
  settings.numbers = false;
  const auto all = static_cast<double>(estimate(settings).epoch_rows);
  settings.shapes = "random";
  EXPECT_NEAR(static_cast<double>(estimate(settings).epoch_rows) / all, 0.75, 0.05);
}

// What a device does in a step is in all programs of it: one a batch, and one more for a read.
TEST(Estimate, counts_operations_and_traffic_of_all_programs_of_a_step) {
  Settings settings;
  settings.model = "resnet50";
  const StepLoad one = estimated_load(settings);
  const auto times = [one](const StepLoad& load) {
    return static_cast<double>(load.traffic.value) / static_cast<double>(one.traffic.value);
  };
  settings.item_every_n_steps = 1;
  const StepLoad read = estimated_load(settings);
  EXPECT_NEAR(
      static_cast<double>(read.operations.value) / static_cast<double>(one.operations.value),
      4.0 / 3, 0.02);
  EXPECT_GT(times(read), 1.2);
  settings.item_every_n_steps = 0;
  settings.accumulate_grad_batches = 4;
  const StepLoad four = estimated_load(settings);
  EXPECT_EQ(four.operations.value, 4 * one.operations.value);
  EXPECT_NEAR(times(four), 4, 0.1);
  const Estimate told = estimate(settings);
  EXPECT_NEAR(told.utilisation * told.peak * in_seconds(told.step),
              static_cast<double>(four.operations.value),
              0.01 * static_cast<double>(four.operations.value));
}

// 100 rows fill one of each core of 2,048; nothing is reserved for 31 more.
TEST(Estimate, of_few_rows_on_many_cores_has_memory_for_those_that_come) {
  Settings settings;
  settings.model = "resnet50";
  settings.slice = "v3-2048";
  settings.data_rows = 100;
  settings.batch = 4096;
  const Estimate many = estimate(settings);
  EXPECT_NE(many.batch.find("1 row per device: 1,948 of 2,048 are repeats"), std::string::npos)
      << many.batch;
  settings.data_rows = 1500;
  EXPECT_NE(estimate(settings).batch.find("548 of 2,048 are repeats"), std::string::npos)
      << "about a quarter of what counts as samples";
  settings.data_rows = 100;
  settings.batch = 1;
  EXPECT_EQ(many.hbm_used, estimate(settings).hbm_used);
}

// What is told is what it costs: a row more takes as long as a block of them.
TEST(RowsEstimate, of_images_that_fill_no_block_say_that_they_are_padded) {
  const auto asked = [](const char* model, const char* batch, const char* precision) {
    Settings settings;
    change_all(settings, std::vector<Assignment>{{"model", model},
                                                 {"slice", "v5e-8"},
                                                 {"stack", "jax"},
                                                 {"precision", precision},
                                                 {"batch", batch}});
    return settings;
  };
  const auto says = [](const Settings& settings) {
    for (const std::string& note : said_of_estimate(settings)) {
      if (note.find("they hold and move") != std::string::npos) return note;
    }
    return std::string();
  };
  EXPECT_EQ(says(asked("resnet50", "17", "bf16-mixed")),
            "17 images a device: convolutions lay them in blocks of 8, so they hold and move 24; "
            "16 or 24 fill them");
  EXPECT_NE(says(asked("resnet50", "9", "32-true")).find("hold and move 16"), std::string::npos);
  for (const char* fills : {"16", "24", "31", "32", "128"}) {
    EXPECT_EQ(says(asked("resnet50", fills, "bf16-mixed")), "") << fills;
  }
  EXPECT_TRUE(says(asked("resnet50", "9", "bf16-mixed")).ends_with(" 16; 8 or 16 fill them"));
  EXPECT_EQ(says(asked("vit-b16", "17", "bf16-mixed")), "");
  const auto step = [&](const char* batch) {
    return in_seconds(estimate(asked("resnet50", batch, "bf16-mixed")).step);
  };
  EXPECT_NEAR(step("17") / step("24"), 1, 0.1);
  EXPECT_GT(step("17") / step("16"), 1.2);
}

TEST(RowsEstimate, of_convolutions_by_themselves_say_that_they_are_copied) {
  const auto told = [](const char* model) {
    Settings settings;
    change_all(settings, std::vector<Assignment>{{"model", model}, {"slice", "v4-8"}});
    const std::vector<std::string> notes = said_of_estimate(settings);
    return std::ranges::any_of(
        notes, [](const std::string& note) { return note.starts_with("copied and back"); });
  };
  EXPECT_TRUE(told("conv-8x56x64x256x256x3x1"));
  EXPECT_FALSE(told("conv-8x56x63x256x256x3x1"));
  EXPECT_FALSE(told("gemm-256x256x256"));
}

}  // namespace
}  // namespace tpulab::rows_estimate_test
