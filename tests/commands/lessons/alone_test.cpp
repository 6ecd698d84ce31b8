// Plays every lesson without a person: commands run, checks hold, figures are there.
#include "commands/lessons/alone.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "commands/lessons/shelf.h"
#include "engine/base/error.h"
#include "engine/base/text.h"

namespace tpulab::alone_test {
namespace {

std::vector<Lesson> lessons_and_template() {
  std::vector<Lesson> lessons = all_lessons();
  lessons.push_back(parse_lesson(lesson_template(), "template.lesson"));
  return lessons;
}

class Lessons : public testing::TestWithParam<Lesson> {};

TEST_P(Lessons, goes_as_it_says) {
  for (const std::string& complaint : play_alone(GetParam(), {}).complaints) {
    ADD_FAILURE() << GetParam().name << ", " << complaint;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Lessons, testing::ValuesIn(lessons_and_template()),
                         [](const auto& lesson) {
                           std::string name = lesson.param.name;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// Of words without a letter: "4,096", "2.87", "x 8". Names such as v3-8 and bf16 are no figures.
std::set<std::string> numbers_in(std::string text) {
  for (auto open = text.find('{'); open != std::string::npos; open = text.find('{')) {
    text.erase(open, text.find('}', open) - open + 1);
  }
  std::set<std::string> numbers;
  for (std::string word : split(text, ' ')) {
    const bool name = std::ranges::any_of(word, [](char c) { return std::isalpha(c) != 0; });
    if (name) continue;
    std::erase(word, ',');
    while (!word.empty() && std::isdigit(word.back()) == 0) word.pop_back();
    const auto start = std::min(word.find_first_of("0123456789"), word.size());
    if (start < word.size()) numbers.insert(word.substr(start));
  }
  return numbers;
}

// What a lesson types or checks.
std::set<std::string> grounded(const Lesson& lesson) {
  std::set<std::string> numbers;
  for (const LessonStep& step : lesson.steps) {
    using enum StepWord;
    const bool is_ground = step.word == command || step.word == solve || step.word == check ||
                           step.word == keep || step.word == fault;
    if (!is_ground) continue;
    std::string spaced = step.text;
    std::ranges::replace_if(
        spaced, [](char c) { return std::isdigit(c) == 0 && c != '.' && c != ','; }, ' ');
    numbers.merge(numbers_in(spaced));
    std::ranges::replace(spaced, ',', ' ');
    numbers.merge(numbers_in(spaced));
  }
  return numbers;
}

TEST(LessonTexts, every_number_is_typed_or_checked_by_its_lesson) {
  for (const Lesson& lesson : lessons_and_template()) {
    const std::set<std::string> known = grounded(lesson);
    for (const LessonStep& step : lesson.steps) {
      std::vector<std::string> texts = step.hints;
      using enum StepWord;
      const bool asks = step.word == predict || step.word == choose || step.word == task;
      if (step.word == say || asks) texts.push_back(step.text);
      texts.push_back(step.otherwise);
      if (step.right) texts.push_back(step.choices[*step.right]);
      for (const std::string& text : texts) {
        for (const std::string& number : numbers_in(text)) {
          EXPECT_TRUE(known.contains(number))
              << lesson.name << ", line " << step.line << ": nothing checks " << number;
        }
      }
    }
  }
}

// A value given to `run` is gone for the learner's own: with another he would have done the task.
TEST(LessonTexts, a_task_begins_with_the_settings_that_the_lesson_has_just_run_with) {
  int tasks = 0;
  for (const Lesson& lesson : all_lessons()) {
    std::string run;
    for (const LessonStep& step : lesson.steps) {
      if (step.word == StepWord::command && step.text.starts_with("run")) run = step.text;
      if (step.word != StepWord::task) continue;
      ++tasks;
      const bool plain = run == "run" || run.starts_with("run max_steps=");
      EXPECT_TRUE(plain && std::ranges::count(run, '=') <= 1) << lesson.name << ": " << run;
    }
  }
  EXPECT_GE(tasks, 3);
}

// Their own names of figures are no words of the task.
TEST(LessonTexts, a_task_says_in_its_own_words_what_is_not_done) {
  for (const Lesson& lesson : lessons_and_template()) {
    bool is_of_task = false;
    for (const LessonStep& step : lesson.steps) {
      using enum StepWord;
      is_of_task = step.word == task || (is_of_task && (step.word == solve || step.word == check));
      const bool silent = is_of_task && step.word == check && step.otherwise.empty();
      EXPECT_FALSE(silent) << lesson.name << ": " << step.text;
    }
  }
}

TEST(PlayAlone, a_check_that_does_not_hold_is_told_with_its_line_and_the_figure) {
  const Lesson lesson = parse_lesson(
      "title a\nabout b\nhides c\n> batch 8\ncheck batch == 9\nsay {loss}\n! batch 9\n"
      "check batch == 9\nelse no {loss}\n",
      "a.lesson");
  const PlayedLesson played = play_alone(lesson, {});
  ASSERT_EQ(played.complaints.size(), 4U);
  EXPECT_EQ(played.complaints[0], "line 5: batch == 9 does not hold: batch is 8");
  EXPECT_EQ(played.complaints[1], "line 6: nothing has said 'loss'");
  EXPECT_TRUE(played.complaints[2].starts_with("line 7: `batch 9` was not refused"));
  EXPECT_EQ(played.complaints[3], "line 8: nothing has said 'loss'");
}

TEST(PlayAlone, a_question_that_nothing_answers_is_told) {
  const Lesson lesson = parse_lesson(
      "title a\nabout b\nhides c\npredict how much?\nanswer loss\n> batch 8\n", "a.lesson");
  const PlayedLesson played = play_alone(lesson, {});
  ASSERT_EQ(played.complaints.size(), 1U);
  EXPECT_EQ(played.complaints[0], "line 4: nothing has told the answer");
}

TEST(PlayAlone, ends_when_it_is_asked_to) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(play_alone(lesson_named("1"), stop.get_token()), Error);
}

}  // namespace
}  // namespace tpulab::alone_test
