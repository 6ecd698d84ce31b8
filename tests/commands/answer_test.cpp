#include "commands/answer.h"

#include <gtest/gtest.h>

#include "tests/commands/desk.h"

namespace tpulab::answer_test {
namespace {

TEST(LongAnswers, at_the_prompt_keep_their_head_and_their_end) {
  Desk desk;
  desk.context.interactive = true;
  answer(desk.context, "counting", [](const std::stop_token&) {
    Answer lines;
    for (int i = 0; i < 10'000; ++i) add_line(lines, "line " + std::to_string(i));
    return lines;
  });
  while (desk.engine.answering()) desk.engine.wait();
  desk.engine.wait();
  const std::vector<std::string> news = desk.news();
  ASSERT_EQ(news.size(), 4000U);
  EXPECT_EQ(news.front(), "line 0");
  EXPECT_EQ(news[3499], "line 3499");
  EXPECT_EQ(news[3500], "6001 lines are left out here; `tpulab -c` and scripts print all of them");
  EXPECT_EQ(news[3501], "line 9501");
  EXPECT_EQ(news.back(), "line 9999");
}

TEST(LongAnswers, in_a_script_are_whole) {
  Desk desk;
  const Reply reply = answer(desk.context, "counting", [](const std::stop_token&) {
    Answer lines;
    for (int i = 0; i < 10'000; ++i) add_line(lines, "line " + std::to_string(i));
    return lines;
  });
  EXPECT_EQ(reply.lines.size(), 10'000U);
}

}  // namespace
}  // namespace tpulab::answer_test
