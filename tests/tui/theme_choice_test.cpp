#include "tui/theme_choice.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/environment_variable.h"

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

TEST(ThemeChoice, a_console_that_is_black_gets_no_theme_for_light_backgrounds) {
  const test::EnvironmentVariable terminal("TERM", "linux");
  const test::EnvironmentVariable colors("COLORFGBG", "0;15");
  OutputLines log;
  EXPECT_EQ(ThemeChoice("auto").theme_or_built_in(log).name, "dark");
  EXPECT_EQ(ThemeChoice("nord").theme_or_built_in(log).name, "nord");
  EXPECT_TRUE(log.lines().empty());
  EXPECT_EQ(ThemeChoice("contrast-light").theme_or_built_in(log).name, "dark");
  ASSERT_EQ(log.lines().size(), 1u);
  EXPECT_EQ(log.lines()[0].text,
            "the background of this terminal is black: dark in place of contrast-light");
}

TEST(ThemeChoice, says_how_to_leave_it_to_the_terminal_again) {
  EXPECT_EQ(ThemeChoice("light").words(true),
            "theme light, in later sessions too; `theme auto` follows the terminal's background "
            "again");
  EXPECT_EQ(ThemeChoice("auto").words(false),
            "dark or light, as the terminal's background is, in this session");
}

}  // namespace tpulab::theme_choice_test
