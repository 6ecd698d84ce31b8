#include "commands/report_comparison.h"

#include <gtest/gtest.h>

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

TEST(ReportComparison, other_words_are_refused) {
  Desk desk;
  EXPECT_TRUE(desk.type("metrics compare").failed);
  EXPECT_TRUE(desk.type("metrics compare a b c").failed);
  EXPECT_TRUE(desk.type("metrics compare missing.txt run").failed);
}

}  // namespace
}  // namespace tpulab::report_comparison_test
