#include "tui/walk/letters.h"

#include <gtest/gtest.h>

#include <array>

namespace tpulab::letters_test {
namespace {

using std::chrono::milliseconds;

bool begins_word(std::string_view start) {
  constexpr std::array<std::string_view, 4> words{"slice", "step", "explain", "batch"};
  for (const std::string_view word : words) {
    if (word.starts_with(start)) return true;
  }
  return false;
}

class LettersTest : public testing::Test {
 protected:
  Letters::Meaning press(char letter, int after_ms = 50) {
    now_ += milliseconds(after_ms);
    const bool waits = letter == 's' || letter == 'x';
    return letters_.press(letter, waits || letter == 'e' || letter == 'j', waits, now_);
  }
  Letters::Meaning pass(int milli) {
    now_ += milliseconds(milli);
    return letters_.passed(now_);
  }

  Letters letters_{begins_word};
  Letters::Time now_{std::chrono::hours(1)};
};

TEST_F(LettersTest, a_key_that_changes_the_run_waits_for_the_rest_of_a_word) {
  EXPECT_EQ(press('s').keys, "");
  ASSERT_TRUE(letters_.deadline());
  EXPECT_EQ(pass(299).keys, "");
  EXPECT_EQ(pass(1).keys, "s");
  EXPECT_FALSE(letters_.deadline());
}

TEST_F(LettersTest, a_word_goes_to_the_prompt_as_a_whole_and_no_key_acts) {
  press('s');
  const auto meaning = press('l');
  EXPECT_EQ(meaning.keys, "");
  EXPECT_EQ(meaning.word, "sl");
  EXPECT_FALSE(meaning.takes_back);
  EXPECT_EQ(pass(1000).keys, "");
}

TEST_F(LettersTest, a_key_that_acted_at_once_is_taken_back_by_a_word) {
  EXPECT_EQ(press('e').keys, "e");
  const auto meaning = press('x');
  EXPECT_EQ(meaning.word, "ex");
  EXPECT_TRUE(meaning.takes_back);
}

TEST_F(LettersTest, two_keys_that_make_no_word_both_act) {
  EXPECT_EQ(press('j').keys, "j");
  EXPECT_EQ(press('j').keys, "j");
  press('x');
  EXPECT_EQ(press('x').keys, "x");  // the first one; the second waits
  EXPECT_EQ(pass(300).keys, "x");
}

TEST_F(LettersTest, a_letter_that_is_no_key_begins_a_word_or_means_nothing) {
  EXPECT_EQ(press('b').word, "b");
  const auto meaning = press('w', 2000);
  EXPECT_EQ(meaning.word + meaning.keys, "");
}

TEST_F(LettersTest, a_slow_hand_loses_no_letter) {
  press('s');
  EXPECT_EQ(pass(400).keys, "s");
  const auto meaning = press('l', 200);
  EXPECT_EQ(meaning.word, "sl");
}

}  // namespace
}  // namespace tpulab::letters_test
