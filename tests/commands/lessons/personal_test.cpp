#include "commands/lessons/personal.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <map>
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

// Four faults of hardware times three of the script.
TEST(PersonalLesson, has_each_pair_of_faults_for_somebody) {
  std::set<std::string> pairs;
  for (int i = 0; i < 200; ++i) pairs.insert(faults_of(personal_lesson(learner(i))));
  EXPECT_EQ(pairs.size(), 12U);
}

TEST(PersonalLesson, goes_as_it_says) {
  for (const std::string& complaint : play_alone(personal_lesson("Ada"), {}).complaints) {
    ADD_FAILURE() << complaint;
  }
}

using ChecksByFault = std::map<std::string, std::string>;

// Of all lessons, by the line that runs: each fault with what shows it.
std::map<std::string, ChecksByFault> all_faults() {
  std::map<std::string, ChecksByFault> faults;
  for (int i = 0; i < 200; ++i) {
    std::string fault;
    std::string run;
    for (const LessonStep& step : personal_lesson(learner(i)).steps) {
      if (step.word == StepWord::fault) fault = step.text;
      if (step.word == StepWord::command) run = step.text;
      if (step.word != StepWord::check) continue;
      const bool other_core = fault.starts_with("straggler") && !fault.ends_with("core:0:3");
      if (!other_core) faults[run][fault] = step.condition.text;
    }
  }
  return faults;
}

// Each wrong choice is the right one of another fault: what shows that one must not be there.
TEST(EachFault, is_shown_by_its_own_check_alone) {
  for (const auto& [run, checks] : all_faults()) {
    EXPECT_GT(checks.size(), 2U);
    for (const auto& [fault, own] : checks) {
      std::string text = "title a\nabout b\nhides c\nfault " + fault + "\n> " + run + "\n";
      for (const auto& [other, check] : checks) text += "check " + check + "\n";
      const auto complaints = play_alone(parse_lesson(text, "a.lesson"), {}).complaints;
      EXPECT_EQ(complaints.size(), checks.size() - 1)
          << fault << ": " << fmt::format("{}", fmt::join(complaints, "\n"));
      for (const std::string& one : complaints) EXPECT_EQ(one.find(own), std::string::npos) << one;
    }
  }
}

TEST(PersonalLesson, refuses_what_is_no_name) {
  EXPECT_THROW(personal_lesson_text(""), Error);
  EXPECT_THROW(personal_lesson_text("a\nfault x"), Error);
  EXPECT_THROW(personal_lesson_text(std::string(61, 'a')), Error);
}

}  // namespace
}  // namespace tpulab::personal_test
