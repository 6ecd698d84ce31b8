#include "commands/report_comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "tests/commands/desk.h"

namespace tpulab::report_comparison_test {
namespace {

const std::string folder = TPULAB_SOURCE_DIR "/tests/engine/formats/reports/";

TEST(ReportComparison, sets_two_reports_side_by_side) {
  Desk desk;
  const std::string answer =
      desk.answer("metrics compare " + folder + "loop-bincount.txt " + folder + "loop-item.txt");
  EXPECT_NE(answer.find("aten::bincount"), std::string::npos);
  // 90 executions of the one, 179 of the other.
  EXPECT_NE(answer.find("ExecuteComputation"), std::string::npos);
  EXPECT_NE(answer.find("+100 %"), std::string::npos);
}

TEST(ReportComparison, the_newest_run_is_a_report_too) {
  Desk desk;
  EXPECT_TRUE(desk.type("metrics compare run run").failed);
  desk.type("run");
  const Reply reply = desk.type("metrics compare " + folder + "loop-item.txt run");
  EXPECT_FALSE(reply.failed);
  EXPECT_FALSE(reply.rows.empty());
}

// A part of half a unit and more looks like one that the original has rounded up.
TEST(ReportComparison, a_report_of_ours_that_was_saved_is_read_to_the_nanosecond) {
  Desk desk;
  desk.type("model resnet50; numbers off; run");
  const std::string file = testing::TempDir() + "tpulab-own-report.txt";
  std::ofstream(file) << desk.answer("metrics") << '\n';
  const Reply compared = desk.type("metrics compare " + file + " run");
  int times = 0;
  for (const OutputLine& row : desk.type("metrics").rows) {
    if (row.event != "metric" || row.fields[1].value != EventValue("seconds")) continue;
    const auto name = row.fields[0].value;
    const auto same = std::ranges::find_if(
        compared.rows, [&](const OutputLine& one) { return one.fields[0].value == name; });
    ASSERT_NE(same, compared.rows.end());
    for (const std::size_t side : {1, 2}) {
      EXPECT_NEAR(std::get<double>(same->fields[side].value), std::get<double>(row.fields[3].value),
                  1e-8);
    }
    ++times;
  }
  EXPECT_GT(times, 2);
}

TEST(ReportComparison, other_words_are_refused) {
  Desk desk;
  EXPECT_TRUE(desk.type("metrics compare").failed);
  EXPECT_TRUE(desk.type("metrics compare a b c").failed);
  EXPECT_TRUE(desk.type("metrics compare missing.txt run").failed);
}

}  // namespace
}  // namespace tpulab::report_comparison_test
