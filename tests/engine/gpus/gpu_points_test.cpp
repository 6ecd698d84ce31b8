#include "engine/gpus/gpu_points.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "engine/base/error.h"
#include "engine/evidence/points.h"
#include "engine/machine/machine.h"

namespace tpulab::gpu_points_test {
namespace {

constexpr const char* head = R"([defaults]
gpu = "v100"
count = 8
link = "NVLink"
precision = "mixed"
stack = "tensorflow"
year = 2018
model = "resnet50"
batch = 0
passes = 1
sequence = 0
image = 224
rows = 0
unit = "samples/s"
noise = 0.01
source = "a log"

[[group]]
points = [
)";

std::string complaint_of(const std::string& entry) {
  try {
    parse_gpu_points(head + entry + "\n]\n", "mine.toml");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

const GpuPoint& point_named(std::string_view id) {
  return *std::ranges::find(shipped_gpu_points(), id, &GpuPoint::id);
}

TEST(GpuPoints, an_entry_takes_what_it_does_not_say_from_the_defaults) {
  const std::string entry =
      R"({id = "a", value = 800.0, boards = [{slice = "v2-8", value = 400, source = "b"}]}])";
  const auto points = parse_gpu_points(head + entry, "mine.toml");
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points[0].gpu, "v100");
  EXPECT_EQ(points[0].precision, GpuPrecision::mixed);
  EXPECT_DOUBLE_EQ(points[0].samples_per_second_each(), 100);
  ASSERT_EQ(points[0].boards.size(), 1U);
  EXPECT_DOUBLE_EQ(points[0].gpus_of(points[0].boards[0]), 4);
  EXPECT_EQ(points[0].words(),
            "a: 8 x V100, mixed, tensorflow 2018, NVLink, 800 samples/s [a log]");
}

TEST(GpuPoints, what_is_wrong_is_said_with_file_and_line) {
  EXPECT_EQ(complaint_of(R"({id = "a"})"),
            "mine.toml:20: point 'a' has no 'value'; add it to the entry, its group or the "
            "defaults");
  EXPECT_EQ(complaint_of(R"({id = "a", value = 1, unit = "mfu"})"),
            "mine.toml:20: point 'a' has the unknown unit 'mfu'; there are: samples/s, s/run");
  EXPECT_EQ(complaint_of(R"({id = "a", value = 0})"),
            "mine.toml:20: point 'a' needs a value above zero");
  EXPECT_EQ(complaint_of(R"({id = "a", value = 1, count = 0})"),
            "mine.toml:20: point 'a' needs a whole number from 1 on as 'count'");
  EXPECT_EQ(complaint_of(R"({id = "a", value = 1, precision = "fp8"})"),
            "mine.toml:20: point 'a' is on unknown ground: unknown GPU precision 'fp8'; there "
            "are: mixed, tf32, fp32");
  EXPECT_EQ(complaint_of(R"({id = "a", value = 1, boards = [{slice = "v3-8", value = 1}]})"),
            "mine.toml:20: point 'a' needs a text as 'source' of each 'boards'");
  EXPECT_EQ(complaint_of(R"({id = "a", value = 1}, {id = "a", value = 2})"),
            "mine.toml:20: point 'a' has an id that another point has; choose another");
  EXPECT_EQ(complaint_of(R"({id = "a", gpu = "p100", value = 1})").substr(0, 66),
            "mine.toml:20: point 'a' is on unknown ground: unknown GPU 'p100x8'");
}

TEST(GpuPoints, those_shipped_are_unique_and_agree_with_the_tpu_points_they_name) {
  std::set<std::string> ids;
  int named = 0;
  for (const GpuPoint& point : shipped_gpu_points()) {
    EXPECT_TRUE(ids.insert(point.id).second) << point.id;
    for (const TpuCounterpart& board : point.boards) {
      if (board.point.empty()) continue;
      const auto& points = shipped_points();
      const auto tpu = std::ranges::find(points, board.point, &MeasuredPoint::id);
      ASSERT_NE(tpu, points.end()) << point.id;
      const double share = static_cast<double>(slice_named(board.slice).devices()) /
                           slice_named(tpu->hardware).devices();
      const double rate = tpu->unit == "ms/step"
                              ? static_cast<double>(tpu->size("batch")) / tpu->value * 1e3
                              : tpu->value;
      EXPECT_NEAR(board.value / (rate * share), 1, 0.001) << point.id;
      ++named;
    }
  }
  EXPECT_GE(named, 10);
}

// 8 x 7,806 / 10,134 = 6.16; 8 x 7,806 / 9,460 = 6.60; a run of 4.3 h on 8 GPUs against 4.4 h is
// 8 x 4.3 / 4.4 = 7.8; 13.2 h in fp32 are 24.
TEST(GpuPoints, a_v3_board_is_6_to_8_v100s_at_resnet50_mixed_and_24_in_fp32) {
  const Gpu& v100 = *gpus_named("v100").gpu;
  const auto mixed = published_ratios({.model = "resnet50", .slice = "v3-8", .gpu = &v100});
  ASSERT_EQ(mixed.size(), 4U);
  double least = 100;
  double most = 0;
  for (const PublishedRatio& ratio : mixed) {
    if (ratio.point->whole_run()) continue;
    least = std::min(least, ratio.gpus);
    most = std::max(most, ratio.gpus);
  }
  EXPECT_NEAR(least, 6.16, 0.01);
  EXPECT_NEAR(most, 6.60, 0.01);
  EXPECT_TRUE(mixed.back().point->whole_run());
  EXPECT_NEAR(mixed.back().gpus, 7.82, 0.01);
  const auto plain = published_ratios({"resnet50", "v3-8", &v100, GpuPrecision::fp32});
  ASSERT_EQ(plain.size(), 1U);
  EXPECT_TRUE(
      published_ratios({.model = "resnet50", .slice = "v3-8", .gpu = &v100, .image = 160}).empty());
  EXPECT_NEAR(plain[0].gpus, 24, 0.01);
}

TEST(GpuPoints, other_published_comparisons_come_out_as_their_sources_say) {
  EXPECT_NEAR(point_named("G-R4").gpus_of(point_named("G-R4").boards[0]), 4.07, 0.01);
  EXPECT_NEAR(point_named("G-N1").gpus_of(point_named("G-N1").boards[0]), 2.82, 0.01);
  EXPECT_NEAR(point_named("G-S1").gpus_of(point_named("G-S1").boards[0]), 2.77, 0.01);
  EXPECT_NEAR(point_named("G-B1").gpus_of(point_named("G-B1").boards[0]), 7.56, 0.01);
  EXPECT_NEAR(point_named("G-H4").gpus_of(point_named("G-H4").boards[0]), 5.02, 0.01);
  // RTE: slower on the board than on one GPU.
  EXPECT_NEAR(point_named("G-H3").gpus_of(point_named("G-H3").boards[0]), 0.875, 0.001);
  EXPECT_EQ(point_named("G-H3").samples_per_second(), 0);
}

}  // namespace
}  // namespace tpulab::gpu_points_test
