#include "commands/estimate_words.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/session/settings/plan.h"
#include "tests/commands/desk.h"

namespace tpulab::estimate_words_test {
namespace {

Estimate measured(double rate, double band) {
  Estimate estimate;
  estimate.machine = "v3-8";
  estimate.model = "resnet50";
  estimate.step = picoseconds_from_seconds(3.4e-3);
  estimate.samples_per_second = rate;
  estimate.band = band;
  estimate.nearest = "C-P17";
  estimate.band_source = "held out";
  return estimate;
}

Settings on(const char* slice) {
  Settings settings;
  settings.slice = slice;
  return settings;
}

TEST(EstimateWords, a_step_names_its_band_and_the_nearest_point) {
  EXPECT_EQ(step_with_band(measured(1000, 0.15)), "3.40 ms +-15 %, nearest C-P17 (held out)");
  EXPECT_EQ(step_with_band(measured(1000, 0)), "3.40 ms, no band: held out");
}

TEST(EstimateWords, a_step_says_that_it_is_a_mean_with_shorter_last_batches) {
  Estimate estimate = measured(42 / 3.4e-3, 0.15);
  estimate.global_batch = 48;
  EXPECT_EQ(step_with_band(estimate),
            "3.40 ms +-15 %, nearest C-P17 (held out), the mean of steps with 42 of 48 rows");
  estimate.global_batch = 42;
  EXPECT_EQ(step_with_band(estimate), "3.40 ms +-15 %, nearest C-P17 (held out)");
}

TEST(EstimateWords, a_band_is_wider_where_software_may_be_slower) {
  Estimate estimate = measured(1000, 0.15);
  estimate.slower = 0.5;
  EXPECT_EQ(step_with_band(estimate), "3.40 ms +50 -15 %, nearest C-P17 (held out)");
  // At least 1000 / 1.5 samples a second: 560 +-15 % reaches 644, 600 reaches 690.
  const auto told = [&](double rate) {
    return distinction(on("v3-8"), estimate, on("v2-8"), measured(rate, 0.15));
  };
  EXPECT_EQ(told(560), Distinction::clear);
  EXPECT_EQ(told(600), Distinction::overlapping);
}

TEST(EstimateWords, a_run_tells_its_time_its_compiles_and_its_rate) {
  Estimate estimate = measured(1000, 0.15);
  estimate.compile = picoseconds_from_seconds(2);
  estimate.compile_least = picoseconds_from_seconds(1);
  estimate.compile_most = picoseconds_from_seconds(4);
  const auto has_line = [&estimate](const std::string& line) {
    return std::ranges::count(lines_of(on("v3-8"), estimate), line) == 1;
  };
  EXPECT_TRUE(has_line(
      "  run without end, or of over 100 days: no time in all; compiles 1.00 s to 4.00 s"));
  estimate.run = RunEstimate{.steps = 120,
                             .epochs = 20,
                             .compiles = 5,
                             .time = picoseconds_from_seconds(2.5),
                             .samples_per_second = 250};
  EXPECT_TRUE(
      has_line("  run of 20 epochs, 120 steps from a cold start: 2.50 s, 2.00 s of it 5 compiles "
               "(1.00 s to 4.00 s); 250 samples/s in all"));
}

TEST(EstimateWords, overlapping_bands_cannot_be_told_apart) {
  // Steps of 3.40 ms +-15 % have 870 to 1176 of 1000 samples/s; 1130 to 1529 of 1300, and 1217 on
  // of 1400.
  const Estimate a = measured(1000, 0.15);
  EXPECT_EQ(distinction(on("v3-8"), a, on("v2-8"), measured(1300, 0.15)), Distinction::overlapping);
  EXPECT_EQ(distinction(on("v3-8"), a, on("v2-8"), measured(1400, 0.15)), Distinction::clear);
  EXPECT_EQ(distinction(on("v3-8"), a, on("v2-8"), measured(1400, 0)), Distinction::no_band);
}

// 3.40 ms +86 -32 % is 2.31 to 6.32 ms; 8.95 ms -32 % begins at 6.08, 9.71 ms at 6.61.
TEST(EstimateWords, steps_that_overlap_as_they_are_printed_cannot_be_told_apart) {
  const auto slow = [](double times) {
    Estimate estimate = measured(1000 / times, 0.32);
    estimate.step = picoseconds_from_seconds(3.4e-3 * times);
    estimate.slower = 0.86;
    return estimate;
  };
  EXPECT_EQ(distinction(on("v3-8"), slow(1), on("v2-8"), slow(2.632)), Distinction::overlapping);
  EXPECT_EQ(distinction(on("v3-8"), slow(1), on("v2-8"), slow(2.857)), Distinction::clear);
}

TEST(EstimateWords, the_common_error_of_one_model_stack_generation_and_bound_cancels) {
  const Estimate a = measured(1000, 0.15);
  const Estimate b = measured(1010, 0.15);
  EXPECT_EQ(distinction(on("v3-8"), a, on("v3-32"), b), Distinction::common_error_cancels);
  Settings other_stack = on("v3-32");
  other_stack.stack = "jax";
  EXPECT_EQ(distinction(on("v3-8"), a, other_stack, b), Distinction::overlapping);
  Settings other_model = on("v3-32");
  other_model.model = "resnet20";  // whatever words its estimate has
  EXPECT_EQ(distinction(on("v3-8"), a, other_model, b), Distinction::overlapping);
  Estimate other_bound = b;
  other_bound.bound = "links";
  EXPECT_EQ(distinction(on("v3-8"), a, on("v3-32"), other_bound), Distinction::overlapping);
  Settings other_kernels = on("v3-32");
  other_kernels.attention = "fused";
  EXPECT_EQ(distinction(on("v3-8"), a, other_kernels, b), Distinction::overlapping);
  Estimate other_class = b;
  other_class.band_source = "fewer than four measured steps of stages of layers";
  EXPECT_EQ(distinction(on("v3-8"), a, on("v3-32"), other_class), Distinction::overlapping);
}

TEST(EstimateWords, where_devices_do_the_same_the_longer_step_is_not_the_faster) {
  Estimate a = measured(1000, 0.15);
  a.alike = {{.devices = {0, 1}, .duty_cycle = 0.9, .utilisation = 0.2}};
  Estimate b = measured(800, 0.15);
  b.step = picoseconds_from_seconds(4.25e-3);
  b.bound = "loader";
  b.alike = {{.devices = {0, 1}, .duty_cycle = 0.72, .utilisation = 0.16}};
  const auto told = [&](const Estimate& other) {
    return distinction(on("v3-8"), a, on("v3-8"), other);
  };
  EXPECT_EQ(told(b), Distinction::same_devices);
  Estimate longer = b;
  longer.alike[0].duty_cycle = 0.73;
  EXPECT_EQ(told(longer), Distinction::overlapping);
  Estimate straggling = b;
  straggling.alike[0].devices = {0};
  straggling.alike.push_back({.devices = {1}, .duty_cycle = 0.8, .utilisation = 0.16});
  EXPECT_EQ(told(straggling), Distinction::overlapping);
}

TEST(EstimateWords, another_host_or_loader_changes_no_device_and_a_straggler_does) {
  Desk desk;
  const auto says = [&](const std::string& options) {
    const std::string told = desk.answer("compare model=resnet50 " + options);
    return told.find("the same program on the same chips") != std::string::npos;
  };
  EXPECT_TRUE(says("host=tpu-vm,colab-node-2021"));
  EXPECT_TRUE(says("loader_workers=4,12 loader_row_us=8000 batch=128 precision=bf16-true"));
  EXPECT_FALSE(says("straggler=none,core:5:1.3"));
}

TEST(EstimateWords, dollars_follow_from_rate_and_price_and_carry_their_date) {
  // $8.00 an hour at 1,000 samples/s: a million takes 1,000 s, 0.2778 h, $2.22.
  Estimate steps = measured(1000, 0);
  steps.step = std::chrono::seconds(2);  // the last of an epoch has fewer rows
  steps.epoch_steps = 3;
  steps.epoch_rows = 5000;
  const auto cost = cost_of(on("v3-8"), steps);
  ASSERT_TRUE(cost);
  EXPECT_NEAR(cost->dollars_per_million_samples, 8.0 * 1000 / 3600, 1e-9);
  EXPECT_NE(cost->words.find("(v3-8 at $8 an hour"), std::string::npos);
  EXPECT_NE(cost->words.find("about 2020"), std::string::npos);
  // 5,000 rows take five seconds at that rate: $8 / 3,600 x 5.
  EXPECT_NEAR(*cost->dollars_per_epoch, 8.0 / 3600 * 5, 1e-9);
  EXPECT_TRUE(
      cost->words.starts_with("at the steady rate $2.22 per million samples, $0.0111 per "
                              "epoch of 3 steps (v3-8 at $8"))
      << cost->words;
}

TEST(EstimateWords, an_epoch_of_a_resnet_is_imagenet_and_of_others_not_known) {
  Settings settings;
  settings.model = "resnet101";
  EXPECT_EQ(*rows_of_an_epoch(settings), 1'281'167);
  settings.model = "bert-large";
  EXPECT_FALSE(rows_of_an_epoch(settings));
  EXPECT_FALSE(cost_of(settings, measured(1000, 0))->dollars_per_epoch);
}

TEST(EstimateWords, gpus_share_an_error_only_where_they_rest_on_one_figure) {
  Estimate a = measured(1000, 0.18);
  a.gpus = "8 x V100";
  a.nearest = "G-R1";
  Estimate b = a;
  b.samples_per_second = 1010;
  EXPECT_EQ(distinction(on("v100x8"), a, on("v100x4"), b), Distinction::common_error_cancels);
  b.nearest = "G-D1";
  EXPECT_EQ(distinction(on("v100x8"), a, on("v100x4"), b), Distinction::overlapping);
}

TEST(EstimateWords, a_mesh_that_divides_experts_shares_no_error_with_one_that_does_not) {
  Estimate a = measured(1000, 0.32);
  a.band_source = "nine of ten held-out errors of 31 points, language models";
  Estimate b = a;
  b.samples_per_second = 1010;
  EXPECT_EQ(distinction(on("v3-8"), a, on("v3-8"), b), Distinction::common_error_cancels);
  b.band_source = "fewer than four measured steps of experts that devices share";
  EXPECT_EQ(distinction(on("v3-8"), a, on("v3-8"), b), Distinction::overlapping);
}

bool answer_has(std::string_view question, std::string_view part) {
  return Desk(Settings{}).answer(question).find(part) != std::string::npos;
}

TEST(EstimateWords, of_photographs_say_that_nobody_decodes_them) {
  const auto says = [](std::string_view question) {
    return answer_has(question, "not counted: decoding images");
  };
  EXPECT_TRUE(says("forecast model=resnet50"));
  EXPECT_TRUE(says("compare v3-8 v2-8 model=ssd batch=8"));
  for (const char* question : {"forecast model=resnet50 loader_row_us=8000", "forecast",
                               "forecast model=bert-large batch=2", "forecast model=mnist-cnn"}) {
    EXPECT_FALSE(says(question)) << question;
  }
}

// [pytorch/xla #9094]
TEST(EstimateWords, of_kept_programs_say_where_a_real_tpu_would_compile_again) {
  const auto says = [](std::string_view question) {
    return answer_has(question, "are read back here, as PyTorch/XLA up to 2.9");
  };
  EXPECT_TRUE(says("forecast cache_persistent=on"));
  EXPECT_TRUE(says("compare cache_persistent=off,on"));
  EXPECT_TRUE(says("whatif cache_persistent=on"));
  EXPECT_FALSE(says("cache_persistent on; whatif batch=64"));
  EXPECT_FALSE(says("forecast cache_persistent=on stack=jax"));
}

// A step of 205 ms that may take 118 % longer takes no less than nothing.
TEST(EstimateWords, a_band_of_more_than_all_is_one_to_the_slower_side) {
  Desk desk;
  desk.type("model mask-rcnn; stack tensorflow; slice v3-32; batch 4; precision bf16-mixed");
  const std::string stacks = desk.answer("compare stack=tensorflow,jax");
  EXPECT_NE(stacks.find("not distinguishable"), std::string::npos) << stacks;
  EXPECT_EQ(desk.answer("compare v3-32 v100x8").find("nan"), std::string::npos);
}

}  // namespace
}  // namespace tpulab::estimate_words_test
