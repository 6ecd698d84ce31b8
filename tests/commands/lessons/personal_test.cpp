#include "commands/lessons/personal.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "commands/lessons/alone.h"
#include "engine/base/error.h"

namespace tpulab::personal_test {
namespace {

// The settings of its faults, without numbers.
std::string faults_of(const Lesson& lesson) {
  std::string names;
  for (const LessonStep& step : lesson.steps) {
    if (step.word == StepWord::fault) names += step.text.substr(0, step.text.find(' ')) + " ";
  }
  return names;
}

std::string learner(int number) { return fmt::format("learner {}", number); }

// Without its title.
std::string body_of(const std::string& name) {
  const std::string text = personal_lesson_text(name);
  return text.substr(text.find('\n'));
}

TEST(PersonalLesson, follows_from_the_name_whatever_its_capitals) {
  EXPECT_EQ(body_of("Ada Lovelace"), body_of("ada lovelace"));
  EXPECT_EQ(personal_lesson("Ada Lovelace").name, "faults-of-ada-lovelace");
  std::set<std::string> texts;
  for (int i = 0; i < 30; ++i) texts.insert(body_of(learner(i)));
  EXPECT_GT(texts.size(), 20U);
}

// Four faults of hardware times three of the script; each combination once.
TEST(EachPairOfFaults, makes_a_lesson_that_goes_as_it_says) {
  std::set<std::string> played;
  for (int i = 0; i < 200; ++i) {
    const Lesson lesson = personal_lesson(learner(i));
    if (!played.insert(faults_of(lesson)).second) continue;
    for (const std::string& complaint : play_alone(lesson, {}).complaints) {
      ADD_FAILURE() << faults_of(lesson) << ": " << complaint;
    }
  }
  EXPECT_EQ(played.size(), 12U);
}

TEST(PersonalLesson, refuses_what_is_no_name) {
  EXPECT_THROW(personal_lesson_text(""), Error);
  EXPECT_THROW(personal_lesson_text("a\nfault x"), Error);
  EXPECT_THROW(personal_lesson_text(std::string(61, 'a')), Error);
}

}  // namespace
}  // namespace tpulab::personal_test
