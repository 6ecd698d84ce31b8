// The real program on terminals that can do less, and on none.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <regex>
#include <string>

#include "tests/e2e/terminal_emulator.h"
#include "tests/temporary_folder.h"

namespace tpulab::e2e::modes_test {
namespace {

constexpr const char* prompt = "tpulab:v3-8>";
using Environment = std::map<std::string, std::string>;

class Modes : public testing::Test {
 protected:
  void open(const Environment& environment, std::vector<std::string> flags = {}) {
    std::vector<std::string> command{TPULAB_BINARY, "--no-run"};
    command.insert(command.end(), flags.begin(), flags.end());
    terminal_ = std::make_unique<TerminalEmulator>(
        home_, Child{.command = command, .environment = environment});
    ASSERT_TRUE(terminal_->until_shows(prompt)) << terminal_->text();
    terminal_->settle();
  }
  TerminalEmulator& terminal() { return *terminal_; }

  template <class Predicate>
  int count_cells(Predicate holds) {
    int count = 0;
    for (int row = 0; row < terminal().rows(); ++row) {
      for (int column = 0; column < terminal().columns(); ++column) {
        count += holds(terminal().cell(row, column)) ? 1 : 0;
      }
    }
    return count;
  }
  bool only_ascii() {
    const auto text = terminal().text();
    return std::ranges::all_of(text, [](char byte) { return (byte & 0x80) == 0; });
  }

  FreshHome home_;
  std::unique_ptr<TerminalEmulator> terminal_;
};

const auto is_coloured = [](const ScreenCell& cell) {
  return !cell.default_foreground || !cell.default_background;
};

TEST_F(Modes, a_terminal_with_256_colours_gets_colours_of_its_palette) {
  open({});
  EXPECT_GT(count_cells(is_coloured), 50);
  EXPECT_EQ(count_cells([](const ScreenCell& cell) { return cell.truecolor; }), 0);
}

TEST_F(Modes, a_terminal_that_announces_truecolor_gets_it) {
  open({{"COLORTERM", "truecolor"}});
  EXPECT_GT(count_cells([](const ScreenCell& cell) { return cell.truecolor; }), 50);
}

TEST_F(Modes, no_color_means_no_colour_but_bold_stays) {
  open({{"NO_COLOR", "1"}, {"COLORTERM", "truecolor"}});
  EXPECT_EQ(count_cells(is_coloured), 0);
  EXPECT_GT(count_cells([](const ScreenCell& cell) { return cell.bold; }), 0);
  const std::regex sets_colour("\x1b\\[([0-9]+;)*[34][0-9](;[0-9]+)*m");
  EXPECT_FALSE(std::regex_search(terminal().received(), sets_colour));
}

TEST_F(Modes, color_on_the_command_line_wins_over_the_environment) {
  open({{"NO_COLOR", "1"}}, {"--color", "256"});
  EXPECT_GT(count_cells(is_coloured), 50);
  open({}, {"--color", "never"});
  EXPECT_EQ(count_cells(is_coloured), 0);
  open({}, {"--color", "16"});
  EXPECT_GT(count_cells(is_coloured), 50);
  EXPECT_EQ(terminal().received().find("38;5"), std::string::npos);
}

// By a description of its own, as of xterm-16color, which few systems have.
TEST_F(Modes, a_terminal_that_describes_16_colours_gets_these) {
  const test::TemporaryFolder folder;
  const auto source = folder.path() / "xterm-16color.ti";
  std::ofstream(source) << "xterm-16color|xterm with 16 colors,\n\tcolors#16, pairs#256,\n"
                           "\tsetab=\\E[%?%p1%{8}%<%t%p1%{40}%+%e%p1%{92}%+%;%dm,\n"
                           "\tsetaf=\\E[%?%p1%{8}%<%t%p1%{30}%+%e%p1%{82}%+%;%dm, use=xterm,\n";
  const std::string compile =
      fmt::format("tic -x -o {} {} 2>/dev/null", folder.path().string(), source.string());
  if (std::system(compile.c_str()) != 0) GTEST_SKIP() << "tic is not here";
  open({{"TERM", "xterm-16color"}, {"TERMINFO", folder.path().string()}});
  EXPECT_GT(count_cells(is_coloured), 50);
  const std::string& received = terminal().received();
  EXPECT_EQ(received.find("38;5"), std::string::npos);
  EXPECT_TRUE(std::regex_search(received, std::regex("\x1b\\[([0-9]+;)*9[0-7]m")));  // bright ones
}

TEST_F(Modes, a_locale_without_utf8_gets_ascii_only) {
  open({{"LC_ALL", "C"}});
  EXPECT_TRUE(only_ascii()) << terminal().text();
  EXPECT_TRUE(terminal().until_shows("no loss yet")) << terminal().text();
}

TEST_F(Modes, a_utf8_locale_that_is_not_installed_is_still_utf8) {
  open({{"LANG", "xx_YY.UTF-8"}});
  EXPECT_FALSE(only_ascii());
}

TEST_F(Modes, ascii_can_be_asked_for) {
  open({}, {"--ascii"});
  EXPECT_TRUE(only_ascii()) << terminal().text();
}

TEST_F(Modes, the_light_theme_draws) {
  open({}, {"--theme", "light"});
  EXPECT_GT(count_cells(is_coloured), 50);
}

TEST_F(Modes, the_terminal_says_that_its_background_is_light) {
  open({});
  ASSERT_TRUE(terminal().until(
      [&] { return terminal().received().find("\x1b]11;?\x1b\\") != std::string::npos; }));
  const std::string light_title = "38;5;234";
  EXPECT_EQ(terminal().received().find(light_title), std::string::npos);
  terminal().type("\x1b]11;rgb:ffff/ffff/ffff\x1b\\");
  EXPECT_TRUE(terminal().until(
      [&] { return terminal().received().find(light_title) != std::string::npos; }));
  EXPECT_FALSE(terminal().shows("rgb:")) << terminal().text();  // nothing of it was typed
}

TEST_F(Modes, colorfgbg_is_believed_from_the_first_picture_on) {
  open({{"COLORFGBG", "0;15"}});
  const auto asked = terminal().received().find("\x1b]11;?");
  const auto light = terminal().received().find("38;5;234");
  ASSERT_NE(light, std::string::npos);
  EXPECT_LT(light, asked);
}

TEST_F(Modes, who_wants_no_colour_or_has_a_plain_console_is_not_asked) {
  open({{"NO_COLOR", "1"}});
  EXPECT_EQ(terminal().received().find("\x1b]11"), std::string::npos);
  open({{"TERM", "linux"}});
  EXPECT_EQ(terminal().received().find("\x1b]11"), std::string::npos);
}

TEST_F(Modes, a_theme_file_with_an_error_is_said_and_the_screen_opens) {
  const auto folder = home_.path() / "config/tpulab/themes";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "dark.toml") << "[roles\n";
  open({});
  EXPECT_TRUE(terminal().until_shows("dark.toml")) << terminal().text();
}

TEST_F(Modes, a_configuration_sets_the_colours_and_its_errors_are_said) {
  const auto folder = home_.path() / "config/tpulab";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "config.toml") << "theme = 'drak'\nseed = 7\n";
  open({});
  EXPECT_TRUE(terminal().until_shows("there is no theme 'drak'")) << terminal().text();
  terminal().type("show seed\r");
  EXPECT_TRUE(terminal().until_shows("seed 7")) << terminal().text();
}

TEST_F(Modes, older_terminals_get_a_screen_without_rubbish) {
  for (const char* term : {"vt100", "linux", "screen-256color", "tmux-256color"}) {
    open({{"TERM", term}});
    EXPECT_TRUE(terminal().until_shows("no loss yet")) << term << '\n' << terminal().text();
  }
}

TEST_F(Modes, the_name_of_a_terminal_cannot_act_on_it) {
  open({{"TERM", "\x1b]52:c:eA==\x07"}});
  EXPECT_TRUE(terminal().until_shows("<U+001B>]52:c:eA==<U+0007>")) << terminal().text();
  EXPECT_EQ(terminal().received().find('\x1b'), std::string::npos);
}

TEST_F(Modes, a_dumb_terminal_gets_plain_lines) {
  for (const Environment& environment : {Environment{{"TERM", "dumb"}}, Environment{{"TERM", ""}},
                                         Environment{{"TERM", "no-such-terminal"}}}) {
    open(environment);
    EXPECT_TRUE(terminal().until_shows("plain lines")) << terminal().text();
    EXPECT_EQ(terminal().received().find('\x1b'), std::string::npos);
    terminal().type("batch 64\rbacth\r");
    EXPECT_TRUE(terminal().until_shows("64 x 8 = 512 global")) << terminal().text();
    terminal().type("quit\r");
    EXPECT_EQ(terminal().wait_for_exit(), 0);
  }
}

}  // namespace
}  // namespace tpulab::e2e::modes_test
