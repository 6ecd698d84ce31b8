#include "tui/prompt/output_lines.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/session/engine.h"

namespace tpulab::output_lines_test {
namespace {

using Kind = OutputLine::Kind;

Snapshot with_lines(std::int64_t first, std::int64_t last) {
  Snapshot snapshot;
  for (auto id = first; id <= last; ++id) {
    OutputLine line;
    line.id = id;
    line.text = "line " + std::to_string(id);
    snapshot.output.push_back(line);
  }
  return snapshot;
}

class OutputLinesTest : public testing::Test {
 protected:
  Engine engine_;  // has said nothing
  OutputLines output_;
};

TEST_F(OutputLinesTest, a_line_of_two_snapshots_is_taken_once) {
  EXPECT_EQ(output_.take(with_lines(1, 3), engine_), 3);
  EXPECT_EQ(output_.take(with_lines(2, 4), engine_), 1);
  EXPECT_EQ(output_.take(with_lines(2, 4), engine_), 0);
  EXPECT_EQ(output_.lines().size(), 4U);
  EXPECT_EQ(output_.lines().back().text, "line 4");
}

TEST_F(OutputLinesTest, answers_stand_where_they_came_between_the_engines_lines) {
  output_.take(with_lines(1, 1), engine_);
  output_.add(Kind::command, "> batch 64");
  output_.take(with_lines(1, 2), engine_);
  ASSERT_EQ(output_.lines().size(), 3U);
  EXPECT_EQ(output_.lines()[1].text, "> batch 64");
  EXPECT_EQ(output_.lines()[1].kind, Kind::command);
}

TEST_F(OutputLinesTest, lines_that_no_snapshot_holds_any_more_are_left_out_without_harm) {
  output_.take(with_lines(1, 2), engine_);
  EXPECT_EQ(output_.take(with_lines(10, 11), engine_), 2);
  EXPECT_EQ(output_.lines().back().text, "line 11");
}

TEST_F(OutputLinesTest, a_text_of_several_lines_becomes_several) {
  output_.add(Kind::warning, "one\ntwo");
  EXPECT_EQ(output_.lines().size(), 2U);
}

TEST_F(OutputLinesTest, an_event_of_several_lines_becomes_several) {
  Snapshot snapshot = with_lines(1, 1);
  snapshot.output[0].text = "it does not fit\nwhat would fit: batch 8";
  EXPECT_EQ(output_.take(snapshot, engine_), 2);
  EXPECT_EQ(output_.lines()[0].text, "it does not fit");
  EXPECT_EQ(output_.lines()[1].text, "what would fit: batch 8");
}

TEST_F(OutputLinesTest, a_cleared_output_does_not_get_its_old_lines_back) {
  output_.take(with_lines(1, 3), engine_);
  output_.clear();
  EXPECT_EQ(output_.take(with_lines(1, 4), engine_), 1);
}

TEST_F(OutputLinesTest, tells_what_came_since_a_moment) {
  output_.add(Kind::text, "one");
  const auto before = output_.count();
  EXPECT_TRUE(output_.since(before).empty());
  output_.add(Kind::text, "two\nthree");
  ASSERT_EQ(output_.since(before).size(), 2U);
  EXPECT_EQ(output_.since(before).front().text, "two");
  output_.clear();
  EXPECT_TRUE(output_.since(before).empty());
  output_.add(Kind::text, "four");
  EXPECT_EQ(output_.since(before).size(), 1U);
}

TEST_F(OutputLinesTest, only_the_newest_thousands_are_kept) {
  for (int i = 0; i < 20'000; ++i) output_.add(Kind::text, std::to_string(i));
  EXPECT_GE(output_.lines().size(), OutputLines::kept_lines);
  EXPECT_LT(output_.lines().size(), 2 * OutputLines::kept_lines);
  EXPECT_EQ(output_.lines().back().text, "19999");
}

}  // namespace
}  // namespace tpulab::output_lines_test
