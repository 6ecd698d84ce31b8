#include <fmt/format.h>
#include <gtest/gtest.h>

#include "commands/lessons/player.h"
#include "tests/commands/desk.h"
#include "tests/environment_variable.h"
#include "tests/temporary_folder.h"

namespace tpulab::player_answers_test {
namespace {

class LessonAnswers : public testing::Test {
 protected:
  std::string file(const std::string& steps) const {
    return folder_.write("a.lesson", "title A\nabout b\nhides the rest\n" + steps).string();
  }

  test::TemporaryFolder folder_;
  Desk desk_;
};

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_F(LessonAnswers, a_task_that_is_skipped_is_done_by_the_lesson) {
  desk_.type("lesson " + file("do set batch to 8\nhint no other\nsolve batch 8\n"
                              "solve devices 4\ncheck batch == 8\nsay well done\nstop\n"));
  EXPECT_TRUE(has(desk_.answer("lesson next"), "`lesson skip` shows how it is done."));
  EXPECT_TRUE(has(desk_.answer("lesson answer a"), "waits for its task"));
  desk_.type("hint");
  EXPECT_TRUE(has(desk_.answer("hint"), "no more hints for this step; `lesson skip` shows"));
  EXPECT_TRUE(has(desk_.context.lesson->next_key(), "lesson hint, skip, back, stop"));
  desk_.type("batch 16");
  EXPECT_EQ(desk_.answer("skip"), "It is done so:\nEnter types:  batch 8");
  EXPECT_TRUE(desk_.type("lesson skip").failed);
  EXPECT_TRUE(has(desk_.answer("lesson next"), "Enter types:  devices 4"));
  EXPECT_EQ(desk_.answer("lesson back"), "Enter types:  batch 8");
}

TEST_F(LessonAnswers, a_skipped_task_goes_on_behind_its_checks_and_can_be_tried_again) {
  desk_.type("lesson " + file("do set batch to 8\nsolve batch 8\ncheck batch == 8\nsay well "
                              "done\nstop\ndo what nobody can show\ncheck batch == 9\nstop\n"));
  desk_.type("lesson skip");
  EXPECT_TRUE(has(desk_.answer("lesson next"), "> batch 8\n"));
  desk_.type("lesson back");
  EXPECT_TRUE(has(desk_.answer("lesson back"), "! set batch to 8"));
  desk_.type("batch 8");
  EXPECT_TRUE(has(desk_.answer("lesson next"), "Done.\nwell done\nEnter goes on"));
  desk_.type("lesson next");
  EXPECT_EQ(desk_.answer("lesson skip"), "Enter goes on");
}

TEST_F(LessonAnswers, a_question_that_is_skipped_stays_without_an_answer) {
  desk_.type("lesson " + file("choose which?\nwrong one\nright two\nstop\n"));
  EXPECT_TRUE(has(desk_.answer("lesson skip"), "It is b: two"));
}

TEST_F(LessonAnswers, what_is_changed_by_hand_is_set_back_before_a_command_is_typed) {
  desk_.type("lesson " + file("predict how many?\nanswer batch\n> run max_steps=2\nstop\n"
                              "do anything\nsolve batch 8\n> devices 4\nstop\n"));
  const auto lessons = desk_.settings.batch;
  desk_.type("batch 64");
  desk_.type("5");
  desk_.type("seed 9");
  const std::string typed = desk_.answer("lesson next");
  EXPECT_TRUE(has(typed, fmt::format("Set back, as the lesson needs it: batch {}, seed {}\n> run",
                                     lessons, Settings().seed)))
      << typed;
  EXPECT_EQ(desk_.settings.batch, lessons);
  desk_.type("lesson next");
  desk_.type("batch 16");  // in a task everything is the learner's
  EXPECT_TRUE(has(desk_.answer("lesson next"), "Done."));
  EXPECT_FALSE(has(desk_.answer("lesson next"), "Set back"));
  EXPECT_EQ(desk_.settings.batch, 16);
}

TEST_F(LessonAnswers, a_hidden_fault_stays_hidden_where_it_is_set_back) {
  desk_.type("lesson " + file("fault straggler core:3:2\nstop\n> batch 8\nmend\nstop\n"));
  desk_.type("straggler none");
  desk_.type("lesson next");
  const std::string typed = desk_.answer("lesson next");
  EXPECT_TRUE(has(typed, "Set back, as the lesson needs it: what it hides\n> batch 8")) << typed;
  EXPECT_TRUE(has(typed, "It was: straggler core:3:2"));
  EXPECT_EQ(desk_.settings.straggler, "none");
}

TEST_F(LessonAnswers, types_nothing_into_a_run_of_somebody) {
  const test::EnvironmentVariable state("XDG_STATE_HOME", folder_.path().string());
  desk_.context.interactive = true;
  desk_.type("lesson " + file("do anything\nsolve batch 8\nstop\n"));
  desk_.engine.wait();
  desk_.type("lesson next");
  desk_.type("run max_steps=-1 max_epochs=-1");
  EXPECT_TRUE(has(desk_.answer("lesson skip"), "Enter types:  batch 8"));
  EXPECT_TRUE(has(desk_.answer("lesson next"), "`stop` ends it: then Enter types the lesson's"));
  EXPECT_NE(desk_.settings.batch, 8);
  desk_.type("stop");
  desk_.engine.wait();
  EXPECT_TRUE(has(desk_.answer("lesson next"), "> batch 8"));
}

TEST_F(LessonAnswers, a_hidden_fault_is_told_by_no_estimate_before_its_run) {
  const std::string path =
      file("fault straggler core:5:3\n> run max_steps=3\nchoose what?\nwrong a\nright b\nstop\n");
  desk_.type("lesson " + path);
  EXPECT_TRUE(has(desk_.answer("explain core 0"), "asks about a run that comes first"));
  EXPECT_TRUE(desk_.type("advise").failed);
  desk_.type("lesson next");
  EXPECT_FALSE(desk_.type("explain core 0").failed);
}

TEST_F(LessonAnswers, check_says_that_it_has_played_nothing) {
  const std::string path = file("predict what?\nanswer nonsense\nsay {nonsense}\n");
  EXPECT_TRUE(has(desk_.answer("lesson check " + path), "Nothing was played"));
  EXPECT_TRUE(desk_.type("lesson run " + path).failed);
}

}  // namespace
}  // namespace tpulab::player_answers_test
