// Lessons that people write or damage, and what they compute.
#include <gtest/gtest.h>

#include "commands/lessons/shelf.h"
#include "engine/base/error.h"
#include "tests/fuzz/mutation.h"

namespace tpulab::fuzz::lessons_fuzz_test {
namespace {

const Texts& words_of_lessons() {
  static const Texts words{"title ",  "about ",  "hides ",    "say ",         "> ",
                           "! ",      "keep ",   "check ",    "else ",        "predict ",
                           "answer ", "choose ", "right ",    "wrong ",       "do ",
                           "solve ",  "hint ",   "fault ",    "mend",         "{step}",
                           "{",       "}",       "[a=b]",     " within 10 %", " from 0 % to 1",
                           " has ",   "~",       "1e999 GiB", "((((",         "\n"};
  return words;
}

void fuzz_lessons(Effort effort) {
  const Corpus corpus{.seeds = {lesson_template(), "title a\nabout b\nhides c\nsay d\n"},
                      .words = words_of_lessons()};
  expect_holds(corpus, effort, [](const std::string& text, Random&) {
    try {
      EXPECT_FALSE(parse_lesson(text, "mine.lesson").steps.empty());
    } catch (const Error& refusal) {
      EXPECT_TRUE(std::string_view(refusal.what()).starts_with("mine.lesson:")) << refusal.what();
    }
  });
}

void fuzz_conditions(Effort effort) {
  const Corpus corpus{.seeds = {"step[devices=1] / step ~ 1.5 within 10 %", "(a + 2 ms) * 3 >= 1",
                                "bound has \"host\"", "1,437 - rows[3] != 0.5 GiB / 2 k"},
                      .words = words_of_lessons()};
  expect_holds(corpus, effort, [](const std::string& text, Random& random) {
    const FigureScope scope = [&random](const std::string& name,
                                        const FactChoice&) -> std::optional<LessonValue> {
      if (random.below(8) == 0) return name;
      return LessonNumber{1e3, static_cast<LessonUnit>(random.below(4))};
    };
    try {
      const Condition condition = parse_condition(text);
      EXPECT_FALSE(text_of(value_of(condition.left, scope)).empty());
      holds(condition, scope);
    } catch (const Error&) {
      SUCCEED();
    }
  });
}

TEST(LessonsFuzz, a_damaged_lesson_is_a_lesson_or_refused_with_its_file) {
  fuzz_lessons({.inputs = 1500});
}
TEST(LessonsFuzz, a_damaged_condition_is_worked_out_or_refused) {
  fuzz_conditions({.inputs = 3000});
}
TEST(SlowLessonsFuzz, lessons) { fuzz_lessons({.slow = true}); }
TEST(SlowLessonsFuzz, conditions) { fuzz_conditions({.slow = true}); }

}  // namespace
}  // namespace tpulab::fuzz::lessons_fuzz_test
