#include "tui/theme_choice.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tpulab::theme_choice_test {

TEST(ThemeChoice, the_terminals_answer_tells_dark_from_light) {
  EXPECT_EQ(light_by_answer("11;rgb:ffff/ffff/ffff"), true);
  EXPECT_EQ(light_by_answer("11;rgb:fd/f6/e3"), true);
  EXPECT_EQ(light_by_answer("11;rgba:0000/2b2b/3636/ffff"), false);
  EXPECT_EQ(light_by_answer("11;rgb:0/0/0"), false);
}

TEST(ThemeChoice, other_answers_say_nothing) {
  for (const char* answer : {"", "11;", "10;rgb:ffff/ffff/ffff", "11;rgb:ffff/ffff", "11;?",
                             "11;rgb:gggg/0/0", "11;rgb:fffff/0/0", "11;rgb://"}) {
    EXPECT_EQ(light_by_answer(answer), std::nullopt) << answer;
  }
}

TEST(ThemeChoice, the_last_number_of_colorfgbg_is_the_background) {
  EXPECT_EQ(light_by_colorfgbg("0;15"), true);
  EXPECT_EQ(light_by_colorfgbg("0;default;7"), true);
  EXPECT_EQ(light_by_colorfgbg("15;0"), false);
  EXPECT_EQ(light_by_colorfgbg("12;8"), false);
  for (const char* value : {"", "0;default", "0;16", "0;-1", "0;1x"}) {
    EXPECT_EQ(light_by_colorfgbg(value), std::nullopt) << value;
  }
}

TEST(ThemeChoice, auto_follows_the_background_and_a_name_does_not) {
  ::setenv("COLORFGBG", "0;15", 1);
  ThemeChoice choice("auto");
  ::unsetenv("COLORFGBG");
  EXPECT_EQ(choice.theme().name, "light");
  EXPECT_FALSE(choice.take_answer("11;rgb:ffff/ffff/ffff"));  // as it was
  EXPECT_TRUE(choice.take_answer("11;rgb:0000/0000/0000"));
  EXPECT_EQ(choice.theme().name, "dark");
  EXPECT_FALSE(choice.take_answer("4;1;rgb:ffff/ffff/ffff"));
  OutputLines log;
  choice.choose("nord", log);
  EXPECT_FALSE(choice.take_answer("11;rgb:ffff/ffff/ffff"));
  EXPECT_EQ(choice.theme().name, "nord");
  choice.choose("no such theme", log);  // is said, and nord stays
  EXPECT_EQ(choice.theme().name, "nord");
  EXPECT_EQ(log.lines().size(), 1u);
  choice.choose("auto", log);  // what the terminal said is remembered
  EXPECT_EQ(choice.theme().name, "light");
}

}  // namespace tpulab::theme_choice_test
