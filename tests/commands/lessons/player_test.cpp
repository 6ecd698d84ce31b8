#include "commands/lessons/player.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "commands/ask.h"
#include "commands/lessons/alone.h"
#include "commands/lessons/progress.h"
#include "commands/lessons/shelf.h"
#include "engine/base/text.h"
#include "tests/commands/desk.h"
#include "tests/environment_variable.h"
#include "tests/temporary_folder.h"

namespace tpulab::player_test {
namespace {

class LessonVerb : public testing::Test {
 protected:
  std::string file(const std::string& steps) const {
    return folder_.write("a.lesson", "title A\nabout b\nhides the rest\n" + steps).string();
  }

  // At the prompt: once what was there before it has ended, its text comes by itself.
  std::string begin(const std::string& path) {
    desk_.type("lesson " + path);
    desk_.engine.wait();
    return desk_.answer("lesson next");
  }

  test::TemporaryFolder folder_;
  Desk desk_;
};

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_F(LessonVerb, goes_on_step_by_step_and_judges_guesses) {
  const std::string path = file(
      "say hello\npredict how many rows?\nanswer batch within 10 %\n> batch 8\nsay it is {batch}\n"
      "choose which?\nwrong one\nright two\nstop\nsay end\n");
  EXPECT_TRUE(has(desk_.answer("lesson " + path), "hello\n? how many rows?"));
  EXPECT_EQ(desk_.type("sveen").lines.at(0),
            "'sveen' is no number; type one as 6, 0.5 or 40 %, a command, or Enter to go on "
            "without");
  EXPECT_TRUE(has(desk_.answer("7"), "noted: 7\nEnter types:  batch 8"));
  const std::string after = desk_.answer("lesson next");
  EXPECT_TRUE(has(after, "> batch 8\n"));
  EXPECT_TRUE(has(after, "Your guess was 7, it is 8: not within 10 %."));
  EXPECT_TRUE(has(after, "it is 8\n? which?\n  a  one\n  b  two"));
  EXPECT_TRUE(desk_.type("x").failed);
  EXPECT_TRUE(has(desk_.answer("b"), "Right, b: two\nEnter goes on"));
  const std::string end = desk_.answer("lesson next");
  EXPECT_TRUE(has(end, "What this hides: the rest"));
  EXPECT_EQ(desk_.context.lesson, nullptr);
  EXPECT_TRUE(desk_.type("lesson next").failed);
}

TEST_F(LessonVerb, puts_the_settings_aside_and_gives_them_back) {
  desk_.type("batch 64");
  desk_.type("lesson " + file("> batch 8\nstop\n"));
  EXPECT_EQ(desk_.settings.batch, Settings().batch);
  desk_.type("lesson next");
  EXPECT_EQ(desk_.settings.batch, 8);
  EXPECT_TRUE(has(desk_.answer("lesson stop"), "is left at step 2 of 2; your settings are back"));
  EXPECT_EQ(desk_.settings.batch, 64);
}

TEST_F(LessonVerb, commands_act_as_ever_while_a_lesson_asks) {
  desk_.type("lesson " + file("predict how many?\nanswer batch\n> batch 8\n"));
  EXPECT_TRUE(has(desk_.answer("batch 16"), "batch 16:"));
  EXPECT_TRUE(desk_.context.lesson->asks());
  EXPECT_TRUE(has(desk_.answer("lesson next"), "A guess first"));
  EXPECT_TRUE(has(desk_.answer("lesson next"), "Enter types:  batch 8"));
  EXPECT_TRUE(has(desk_.answer("lesson next"), "It is 8."));
}

TEST_F(LessonVerb, a_task_is_done_when_its_checks_hold_and_not_before) {
  desk_.type("lesson " + file("do set batch to 8\nhint look at help batch\nsolve batch 8\n"
                              "check batch == 8\nsay well done\n"));
  EXPECT_TRUE(has(desk_.answer("lesson next"), "Not yet: nothing was run since this task began."));
  desk_.type("batch 16");
  EXPECT_TRUE(has(desk_.answer("lesson next"), "batch is 16, where 8 is asked"));
  EXPECT_TRUE(has(desk_.answer("lesson hint"), "Hint: look at help batch"));
  EXPECT_TRUE(has(desk_.answer("lesson hint"), "no more hints"));
  desk_.type("batch 8");
  EXPECT_TRUE(has(desk_.answer("lesson next"), "Done.\nwell done"));
}

TEST_F(LessonVerb, a_task_says_in_the_words_of_its_lesson_what_is_not_done) {
  desk_.type("lesson " + file("do train few rows\nsolve batch 8\ncheck batch == 8\n"
                              "else {batch} rows are not few\n"));
  desk_.type("batch 16");
  EXPECT_TRUE(has(desk_.answer("lesson next"), "Not yet: 16 rows are not few. `run` tries it"));
}

TEST_F(LessonVerb, back_plays_the_part_before_again_with_its_settings) {
  desk_.type("lesson " + file("say one\n> batch 8\nsay two\n> batch 16\nstop\n"));
  desk_.type("lesson next");
  desk_.type("lesson next");
  EXPECT_EQ(desk_.settings.batch, 16);
  EXPECT_TRUE(has(desk_.answer("lesson back"), "two\nEnter types:  batch 16"));
  EXPECT_EQ(desk_.settings.batch, 8);
  EXPECT_TRUE(has(desk_.answer("lesson back"), "one\nEnter types:  batch 8"));
  EXPECT_EQ(desk_.settings.batch, Settings().batch);
  EXPECT_TRUE(has(desk_.answer("lesson back"), "one\nEnter types:  batch 8"));
}

TEST_F(LessonVerb, back_tells_the_figures_that_were_told_there) {
  desk_.type("lesson " + file("> batch 8\nsay it is {batch}\n! devices 4\nstop\n"));
  desk_.type("lesson next");
  desk_.type("lesson next");
  EXPECT_TRUE(has(desk_.answer("lesson back"), "it is 8\nEnter types:  devices 4"));
}

TEST_F(LessonVerb, back_to_its_first_run_begins_as_that_began_and_else_it_says_so) {
  desk_.type("lesson " +
             file("> run max_steps=2\nsay {compiles} compiles\n> run max_steps=3\nstop\n"));
  const std::string first = desk_.answer("lesson next");
  EXPECT_FALSE(has(first, "\n0 compiles")) << first;
  desk_.type("lesson next");
  EXPECT_TRUE(has(desk_.answer("lesson back"), "runs that come again compile less."));
  EXPECT_FALSE(has(desk_.answer("lesson back"), "compile less"));
  const std::string told = first.substr(first.rfind("\n", first.find(" compiles\nEnter")));
  EXPECT_TRUE(has(desk_.answer("lesson next"), told)) << told;
}

TEST_F(LessonVerb, a_guess_that_cannot_be_is_refused) {
  desk_.type("lesson " + file("predict what share? (in per cent)\nanswer duty from 0 % to 100 %\n"
                              "> run max_steps=2\nstop\n"));
  EXPECT_EQ(desk_.answer("200"),
            "200 cannot be: it lies from 0 % to 100 %; type another, or Enter to go on without");
  EXPECT_EQ(desk_.answer("0.044"),
            "0.044 may be 4.4 % or 0.044 %; type another, or Enter to go on without");
  EXPECT_TRUE(desk_.type("5 ms").failed);
  EXPECT_TRUE(has(desk_.answer("5 per cent"), "noted: 5 per cent"));
}

TEST_F(LessonVerb, a_guess_may_be_about_something) {
  for (const char* typed : {"8", "~8", "about 8", "8x", "about 8 times"}) {
    desk_.type("lesson " + file("predict how many?\nanswer batch\n> batch 8\nstop\n"));
    desk_.type(typed);
    EXPECT_TRUE(has(desk_.answer("lesson next"), "Your guess was 8, it is 8: right.")) << typed;
  }
}

TEST_F(LessonVerb, a_guess_of_what_can_be_counted_is_right_or_wrong) {
  const std::string path = file("predict how many?\nanswer batch\n> batch 8\nstop\n");
  desk_.type("lesson " + path);
  desk_.type("7");
  EXPECT_TRUE(has(desk_.answer("lesson next"), "Your guess was 7, it is 8: wrong."));
  desk_.type("lesson " + path);
  desk_.type("8");
  EXPECT_TRUE(has(desk_.answer("lesson next"), "Your guess was 8, it is 8: right."));
}

TEST_F(LessonVerb, a_lesson_leaves_no_advice_behind_and_brings_the_old_one_back) {
  desk_.type("run max_steps=2; advise");
  const auto advice = desk_.context.advice;
  ASSERT_NE(advice, nullptr);
  desk_.type("lesson " + file("> run max_steps=2\nstop\n"));
  EXPECT_TRUE(has(desk_.answer("advise 1 apply"), "no advice was given yet"));
  desk_.type("lesson next");
  desk_.type("advise");
  desk_.type("lesson stop");
  EXPECT_EQ(desk_.context.advice, advice);
  EXPECT_EQ(desk_.context.run_of_lesson, desk_.engine.latest()->run.number);
  EXPECT_GT(desk_.context.run_of_lesson, 0);
}

TEST_F(LessonVerb, a_fault_is_kept_from_show_until_it_is_mended) {
  desk_.type("lesson " + file("fault straggler core:3:2\nstop\nmend\nstop\n"));
  EXPECT_EQ(desk_.settings.straggler, "core:3:2");
  EXPECT_FALSE(has(desk_.answer("show"), "straggler"));
  EXPECT_FALSE(has(desk_.answer("show all"), "straggler"));
  EXPECT_TRUE(desk_.type("show straggler").failed);
  EXPECT_TRUE(desk_.type("straggler").failed);
  for (const char* telling :
       {"reproduce", "save q.toml", "export lightning q.py", "runs diff 1 2", "handout h.md"}) {
    EXPECT_TRUE(has(desk_.answer(telling), "the lesson keeps that to itself")) << telling;
  }
  desk_.news();
  const auto names_it = [&] {
    return std::ranges::any_of(desk_.news(),
                               [](const auto& line) { return has(line, " is slow"); });
  };
  desk_.type("run; step 6");
  EXPECT_FALSE(names_it());
  EXPECT_TRUE(has(desk_.answer("lesson next"), "It was: straggler core:3:2"));
  desk_.type("run straggler=core:3:2");
  EXPECT_TRUE(names_it());
  EXPECT_EQ(desk_.settings.straggler, "none");
  EXPECT_FALSE(desk_.type("show straggler").failed);
}

TEST_F(LessonVerb, another_lesson_takes_the_place_of_the_one_that_is_played) {
  desk_.type("batch 64");
  desk_.type("lesson " + file("> batch 8\nstop\n"));
  desk_.type("lesson next");
  EXPECT_TRUE(has(desk_.answer("lesson 1"), "lesson a is left at step 2 of 2"));
  desk_.type("lesson stop");
  EXPECT_EQ(desk_.settings.batch, 64);
}

TEST_F(LessonVerb, a_broken_file_leaves_everything_as_it_is) {
  desk_.type("lesson " + file("stop\n"));
  const Reply reply = desk_.type("lesson " + (folder_ / "none.lesson").string());
  EXPECT_TRUE(reply.failed);
  ASSERT_NE(desk_.context.lesson, nullptr);
  EXPECT_TRUE(has(desk_.answer("lesson " + file("sey hello\n")), "a.lesson:4: expected one of"));
  ASSERT_NE(desk_.context.lesson, nullptr);
}

TEST_F(LessonVerb, new_writes_a_lesson_that_plays_and_never_over_a_file) {
  const std::string path = (folder_ / "mine.lesson").string();
  EXPECT_FALSE(desk_.type("lesson new " + path).failed);
  EXPECT_TRUE(has(desk_.answer("lesson check " + path), "a lesson of"));
  EXPECT_TRUE(has(desk_.answer("lesson new " + path), "is there already"));
  EXPECT_EQ(lesson_named(path).name, "mine");
}

TEST_F(LessonVerb, run_says_what_does_not_hold) {
  const Reply reply = desk_.type("lesson run " + file("> batch 8\ncheck batch == 9\n"));
  EXPECT_TRUE(reply.failed);
  EXPECT_TRUE(has(reply.lines.front() + reply.lines.back(), "line 5: batch == 9 does not hold"));
  EXPECT_FALSE(desk_.type("lesson run " + file("> batch 8\ncheck batch == 8\n")).failed);
  EXPECT_EQ(desk_.settings.batch, small_settings().batch);
}

TEST_F(LessonVerb, progress_is_kept_for_the_prompt_alone) {
  const test::EnvironmentVariable state("XDG_STATE_HOME", folder_.path().string());
  const std::string path = file("stop\nstop\n");
  desk_.type("lesson " + path);
  desk_.type("lesson stop");
  EXPECT_TRUE(lesson_progress().empty());
  desk_.context.interactive = true;
  begin(path);
  desk_.type("lesson next");
  EXPECT_EQ(lesson_progress().at("a").how_far, "step 2 of 2");
  desk_.type("lesson next");
  EXPECT_EQ(lesson_progress().at("a").how_far, "finished");
  desk_.type("lesson " + path);
  desk_.type("lesson stop");
  EXPECT_EQ(lesson_progress().at("a").how_far, "finished");
}

TEST_F(LessonVerb, at_the_prompt_its_text_comes_behind_what_the_run_before_it_says) {
  const test::EnvironmentVariable state("XDG_STATE_HOME", folder_.path().string());
  desk_.context.interactive = true;
  desk_.type("run max_steps=-1 max_epochs=-1");
  const std::string start = desk_.answer("stop; lesson " + file("say hello\nstop\n"));
  EXPECT_FALSE(has(start, "hello")) << start;
  EXPECT_TRUE(desk_.context.lesson->works());
  desk_.engine.wait();
  EXPECT_TRUE(has(desk_.answer("lesson next"), "hello\nEnter goes on"));
}

TEST_F(LessonVerb, ends_no_run_of_somebody_but_the_default_experiment) {
  const test::EnvironmentVariable state("XDG_STATE_HOME", folder_.path().string());
  desk_.context.interactive = true;
  const std::string path = file("say hello\nstop\n");
  desk_.type("run max_steps=-1 max_epochs=-1");
  const Reply refused = desk_.type("lesson " + path);
  EXPECT_TRUE(refused.failed);
  EXPECT_TRUE(has(refused.lines.front(), "wait for its end, or `stop; lesson " + path + "`"));
  EXPECT_TRUE(run_is_active(desk_.context));
  desk_.type("stop");
  desk_.engine.wait();
  Settings endless = small_settings();
  endless.max_steps = endless.max_epochs = -1;
  Desk fresh(endless);
  fresh.context.interactive = true;
  fresh.type("run");
  EXPECT_TRUE(has(fresh.answer("lesson " + path), "The default experiment ends"));
}

TEST_F(LessonVerb, at_the_prompt_waits_for_the_run_that_it_typed) {
  desk_.context.interactive = true;
  ::setenv("XDG_STATE_HOME", folder_.path().c_str(), 1);
  begin(file("> run hidden=16 max_steps=20\nsay {steps} steps\n"));
  desk_.type("lesson next");
  if (desk_.context.lesson->works()) {
    desk_.engine.wait();
    EXPECT_TRUE(has(desk_.answer("lesson next"), "20 steps\nWhat this hides"));
  }
  ::unsetenv("XDG_STATE_HOME");
}

TEST_F(LessonVerb, at_the_prompt_a_refused_answer_is_a_refused_command) {
  const test::EnvironmentVariable state("XDG_STATE_HOME", folder_.path().string());
  desk_.context.interactive = true;
  const auto enter = [&] {
    std::string told = desk_.answer("lesson next");
    while (desk_.engine.answering()) desk_.engine.wait();
    return told + "\n" + (desk_.context.lesson->works() ? desk_.answer("lesson next") : "");
  };
  const std::string refused = "forecast model=resnet50 batch=4096\n";
  begin(file("! " + refused + "say so it is\n> " + refused + "stop\n"));
  EXPECT_TRUE(has(enter(), "so it is"));
  EXPECT_TRUE(has(enter(), "The lesson cannot go on like this"));
}

TEST_F(LessonVerb, its_text_fills_the_rows_that_the_screen_has_now) {
  const std::string path = file("say one two three four five six\nstop\nsay seven eight nine\n");
  desk_.context.columns = 20;
  EXPECT_TRUE(has(desk_.answer("lesson " + path), "\none two three four\nfive six\n"));
  desk_.context.columns = 12;
  EXPECT_TRUE(has(desk_.answer("lesson next"), "seven eight\nnine\n"));
}

TEST_F(LessonVerb, its_own_words_need_no_lesson_before_them) {
  EXPECT_TRUE(desk_.type("hint").failed);
  desk_.type("lesson " + file("do set batch to 8\nhint look at help batch\nsolve batch 8\n"
                              "check batch == 8\n"));
  EXPECT_TRUE(has(desk_.answer("hint"), "Hint: look at help batch"));
  EXPECT_FALSE(desk_.type("back").failed);
  EXPECT_TRUE(has(desk_.answer("stop"), "`lesson stop` ends the lesson"));
}

// Somebody at the prompt who presses Enter, answers and does what is asked.
class Student {
 public:
  Student() : desk_(Settings()) { desk_.context.interactive = true; }

  // All that was told, in one line. Behind a run, as in the dashboard.
  std::string play(const Lesson& lesson) && {
    type("run max_steps=5");
    type("lesson " + lesson.name);
    const std::size_t most = 3 * lesson.steps.size();
    for (std::size_t turn = 0; desk_.context.lesson && turn < most; ++turn) go_on();
    EXPECT_EQ(desk_.context.lesson, nullptr) << told_;
    return std::move(told_);
  }

 private:
  void type(const std::string& line) {
    for (const std::string& part : desk_.type(line).lines) {
      told_ += fmt::format("{} ", trimmed(part));
    }
    do {
      desk_.engine.wait();
    } while (desk_.engine.answering());
  }

  void go_on() {
    const LessonPlayer& player = *desk_.context.lesson;
    const std::vector<LessonStep>& steps = player.lesson().steps;
    if (player.works()) return type("lesson next");
    const LessonStep& step = steps[player.step()];
    if (step.word == StepWord::choose) return type(std::string(1, letter(*step.right)));
    const auto& range = step.condition.range;
    if (step.word == StepWord::predict) return type(range ? text_of(range->least) : "0");
    for (auto next = player.step() + 1; step.word == StepWord::task; ++next) {
      if (steps[next].word != StepWord::solve) break;
      type(steps[next].text);
    }
    type("lesson next");
  }

  static char letter(std::size_t number) { return static_cast<char>('a' + number); }

  test::TemporaryFolder folder_;
  const test::EnvironmentVariable state_{"XDG_STATE_HOME", folder_.path().string()};
  Desk desk_;
  std::string told_;
};

class LessonsOfStudents : public testing::TestWithParam<Lesson> {};

TEST_P(LessonsOfStudents, tell_what_they_tell_when_nobody_plays_them) {
  const std::string told = Student().play(GetParam());
  for (const char* wrong : {"Here it is not so", "Not yet", "cannot go on", "is not known"}) {
    EXPECT_FALSE(has(told, wrong)) << told.substr(told.find(wrong), 200);
  }
  for (const PlayedStep& step : play_alone(GetParam(), {}).steps) {
    if (step.step.word == StepWord::solve) continue;
    EXPECT_TRUE(has(told, step.text)) << "line " << step.step.line << ": " << step.text;
    EXPECT_EQ(has(step.text, "in per cent"), step.answer.ends_with('%')) << step.text;
  }
}

INSTANTIATE_TEST_SUITE_P(All, LessonsOfStudents, testing::ValuesIn(all_lessons()),
                         [](const auto& lesson) {
                           std::string name = lesson.param.name;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace tpulab::player_test
