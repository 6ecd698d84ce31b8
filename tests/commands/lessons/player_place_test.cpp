// A lesson that was left goes on.
#include <gtest/gtest.h>

#include "commands/lessons/player.h"
#include "tests/commands/desk.h"
#include "tests/environment_variable.h"
#include "tests/temporary_folder.h"

namespace tpulab::player_place_test {
namespace {

class LessonPlaces : public testing::Test {
 protected:
  std::string file(const std::string& steps) const {
    return folder_.write("a.lesson", "title A\nabout b\nhides the rest\n" + steps).string();
  }

  // At the prompt, until it waits for somebody.
  std::string told(const std::string& line) {
    std::string text = desk_.answer(line);
    while (desk_.context.lesson && desk_.context.lesson->works()) {
      desk_.engine.wait();
      text += "\n" + desk_.answer("lesson next");
    }
    return text;
  }

  test::TemporaryFolder folder_;
  const test::EnvironmentVariable state_{"XDG_STATE_HOME", folder_.path().string()};
  Desk desk_;
};

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

constexpr const char* steps =
    "say one\n> run max_steps=3\nkeep first = steps\npredict how many?\nanswer batch\n> batch 16\n"
    "do set batch to 8\nsolve batch 8\ncheck batch == 8\nsay first {first}, then {batch}\n"
    "choose which?\nwrong c\nright d\nstop\n";

TEST_F(LessonPlaces, what_comes_before_is_typed_again_without_its_words) {
  const std::string path = file(steps);
  const std::string text = told("lesson " + path + " 10");
  EXPECT_TRUE(has(text, "It goes on at step 10 of 11.")) << text;
  EXPECT_TRUE(has(text, "> run max_steps=3")) << text;
  EXPECT_TRUE(has(text, "> batch 8")) << text;
  EXPECT_TRUE(has(text, "first 3, then 8\n? which?")) << text;
  EXPECT_FALSE(has(text, "one\n")) << text;
  EXPECT_FALSE(has(text, "how many?")) << text;
  EXPECT_EQ(desk_.settings.batch, 8);
  EXPECT_TRUE(has(desk_.answer("b"), "Right, b: d"));
}

TEST_F(LessonPlaces, at_the_prompt_its_runs_are_not_watched_meanwhile) {
  desk_.context.interactive = true;
  desk_.settings.pace = desk_.context.defaults.pace = "1/1000";
  const std::string text = told("lesson " + file(steps) + " 4");
  EXPECT_TRUE(has(text, "? how many?")) << text;
  EXPECT_EQ(desk_.settings.pace, "1/1000");
  ASSERT_FALSE(desk_.engine.ended_runs().empty());
  for (const RunRecord& run : desk_.engine.ended_runs()) EXPECT_EQ(run.view.pause_seconds, 0);
}

TEST_F(LessonPlaces, a_step_that_it_does_not_have_is_refused_and_changes_nothing) {
  desk_.type("batch 64");
  const Reply reply = desk_.type("lesson " + file(steps) + " 12");
  EXPECT_TRUE(reply.failed);
  EXPECT_TRUE(has(reply.lines.front(), "has 11 steps")) << reply.lines.front();
  EXPECT_EQ(desk_.settings.batch, 64);
  EXPECT_EQ(desk_.context.lesson, nullptr);
}

TEST_F(LessonPlaces, the_place_where_it_was_left_is_told_and_goes_on) {
  desk_.context.interactive = true;
  told("lesson 13");
  const std::size_t first = desk_.context.lesson->step();
  if (desk_.context.lesson->asks()) told("lesson skip");
  told("lesson next");
  const std::size_t left = desk_.context.lesson->step();
  ASSERT_GT(left, first);
  const std::string way = "`lesson 13 " + std::to_string(left + 1) + "` goes on there";
  EXPECT_TRUE(has(told("lesson stop"), way));
  EXPECT_TRUE(has(told("lesson 13"), "You left this lesson at step"));
  told("lesson stop");
  told("lesson 13 " + std::to_string(left + 1));
  EXPECT_EQ(desk_.context.lesson->step(), left);
}

}  // namespace
}  // namespace tpulab::player_place_test
