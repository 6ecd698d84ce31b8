#include "commands/gpu_words.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tpulab::gpu_words_test {
namespace {

Estimated row_of(const char* slice, const char* model, double rate, double band) {
  Estimated row;
  row.option.settings.slice = slice;
  row.option.settings.model = model;
  Estimate estimate;
  estimate.machine = slice;
  estimate.model = model;
  estimate.samples_per_second = rate;
  estimate.band = band;
  row.outcome = estimate;
  return row;
}

Estimated gpus_of(const char* slice, const char* model, double rate, double band, bool published) {
  Estimated row = row_of(slice, model, rate, band);
  Estimate& estimate = std::get<Estimate>(row.outcome);
  estimate.gpus = "some GPUs";
  estimate.figure = "a figure";
  estimate.published = published;
  return row;
}

std::vector<std::string> lines_of(const std::vector<Estimated>& rows) {
  Answer answer;
  add_gpus_per_slice(answer, rows);
  std::vector<std::string> lines;
  for (const OutputLine& line : answer) {
    if (!line.text.empty()) lines.push_back(line.text);
  }
  return lines;
}

// 8,000 / (9,832 / 8) = 6.51; the errors of both sides together: e^sqrt(ln(0.84)^2 + ln(1.18)^2) is
// 27 % more, e^-sqrt(ln(1.16)^2 + ln(0.82)^2) 22 % less.
TEST(GpuWords, a_board_is_so_many_gpus_by_what_is_published_and_by_the_table) {
  const auto lines = lines_of(
      {row_of("v3-8", "resnet50", 8000, 0.16), gpus_of("v100x8", "resnet50", 9832, 0.18, true)});
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0],
            "resnet50: one v3-8 is 6.2 to 6.6 V100s (published, mixed precision: C-P4 against "
            "G-R1 (tensorflow 2018), G-R2 (mxnet 2018), G-R3 (tensorflow 2020))");
  EXPECT_EQ(lines[1].substr(0, 62),
            "resnet50: one v3-8 is 7.8 V100s (published whole runs, mixed p");
  EXPECT_EQ(
      lines[2],
      "resnet50: by this table one v3-8 is 6.5 V100s (+27 -22 %: v3-8's step estimated, +-16 %, "
      "with pytorch-xla, 32-true, 32 rows a device; v100x8 published, +-18 %, mixed "
      "precision)");
  EXPECT_EQ(lines[3], "some GPUs; a figure");
}

// A step 85 % longer: e^-sqrt(ln(1.85)^2 + ln(0.82)^2), and e^sqrt(ln(0.67)^2 + ln(1.18)^2).
TEST(GpuWords, a_board_that_may_be_much_slower_may_be_that_many_gpus_fewer) {
  Estimated board = row_of("v3-8", "resnet50", 8000, 0.33);
  std::get<Estimate>(board.outcome).slower = 0.85;
  const auto lines = lines_of({board, gpus_of("v100x8", "resnet50", 9832, 0.18, true)});
  EXPECT_NE(lines[2].find("6.5 V100s (+54 -48 %: v3-8's step estimated, +85 -33 %"),
            std::string::npos)
      << lines[2];
}

TEST(GpuWords, a_rough_side_is_called_rough_and_a_side_without_band_says_so) {
  const auto lines = lines_of(
      {row_of("v3-8", "bert-base", 900, 0), gpus_of("v100x8", "bert-base", 800, 0.41, false)});
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(
      lines[0],
      "bert-base: by this table one v3-8 is about 9.0 V100s (rough, no band: v3-8's step "
      "estimated, no band, with pytorch-xla, 32-true, 32 rows a device; v100x8 rough, without host "
      "and input, +-41 %, mixed precision)");
}

TEST(GpuWords, each_model_has_its_own_answer_and_no_gpus_have_none) {
  const auto lines = lines_of(
      {row_of("v3-8", "resnet50", 8000, 0.16), gpus_of("v100x8", "resnet50", 9832, 0.18, true),
       row_of("v3-8", "bert-large", 240, 0.16), gpus_of("v100x8", "bert-large", 312, 0.18, true)});
  const auto has = [&](const char* start) {
    return std::ranges::any_of(lines, [&](const auto& line) { return line.starts_with(start); });
  };
  EXPECT_TRUE(has("resnet50: by this table one v3-8 is 6.5 V100s (+27 -22 %"));
  EXPECT_TRUE(has("bert-large: one v3-8 is 7.6 V100s (published, mixed precision: C-P17"));
  EXPECT_TRUE(has("bert-large: by this table one v3-8 is 6.2 V100s (+27 -22 %"));
  EXPECT_TRUE(lines_of({row_of("v3-8", "resnet50", 8000, 0.16)}).empty());
}

// What is published stays true where the rows themselves have no figure.
TEST(GpuWords, what_is_published_is_told_though_a_row_does_not_fit) {
  Estimated tpu = row_of("v3-8", "bert-large", 0, 0);
  tpu.outcome = NoEstimate{"RESOURCE_EXHAUSTED"};
  const auto lines = lines_of({tpu, gpus_of("v100x8", "bert-large", 312, 0.18, true)});
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_TRUE(lines[0].starts_with("bert-large: one v3-8 is 7.6 V100s (published"));
}

}  // namespace
}  // namespace tpulab::gpu_words_test
