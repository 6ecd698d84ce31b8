// The completion files hold the tables' words, and the shells read them.
#include "commands/shell_completion.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "commands/command.h"
#include "engine/base/error.h"

namespace tpulab::shell_completion_test {
namespace {

const std::vector<ShellOption>& options() {
  static const std::vector<ShellOption> rows{
      {{"-c", "--command"}, "run these commands (\"batch 64; run\") and leave", true, {}},
      {{"--json"}, "one JSON object per event", false, {}},
      {{"--color"}, "how many colours it's to use", true, {"auto", "never"}},
      {{"--theme"}, "colours", true, {"light", "dark", "$(id)", "it's", "a b", "a}b"}},
      {{"validate"},
       "measured points",
       false,
       {},
       {{{"--points"}, "a file", true, {}}, {{"--json"}, "as JSON", false, {}}}}};
  return rows;
}

bool is_installed(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

// What `program`, a shell, prints; `text` is its script.
std::string printed_by(const std::string& program, const std::string& text) {
  const auto path =
      std::filesystem::temp_directory_path() / ("tpulab_completion_" + std::to_string(::getpid()));
  std::ofstream(path) << text;
  FILE* pipe = ::popen((program + " " + path.string() + " 2>&1").c_str(), "r");
  std::string printed;
  for (int byte = std::fgetc(pipe); byte != EOF; byte = std::fgetc(pipe)) {
    printed += static_cast<char>(byte);
  }
  const int status = ::pclose(pipe);
  std::filesystem::remove(path);
  return status == 0 ? printed : "failed: " + printed;
}

std::string completed_by_bash(const std::string& words, int word) {
  return printed_by("bash", shell_completion("bash", options()) + "COMP_WORDS=(" + words +
                                ")\nCOMP_CWORD=" + std::to_string(word) +
                                "\n_tpulab\necho \"${COMPREPLY[*]}\"\n");
}

TEST(ShellCompletion, holds_every_command_and_every_setting) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    std::string text = shell_completion(shell, options());
    for (char& byte : text) {
      if (byte == '\'' || byte == '(' || byte == ')' || byte == '\n') byte = ' ';
    }
    for (const Command* command : all_commands()) {
      EXPECT_NE(text.find(" " + std::string(command->name) + " "), std::string::npos)
          << command->name << " in " << shell;
    }
    for (const SettingRow& row : setting_rows()) {
      EXPECT_NE(text.find(" " + std::string(row.name) + " "), std::string::npos)
          << row.name << " in " << shell;
    }
  }
}

TEST(ShellCompletion, completes_options_values_and_commands_in_bash) {
  EXPECT_EQ(completed_by_bash("tpulab --j", 1), "--json\n");
  EXPECT_EQ(completed_by_bash("tpulab va", 1), "validate\n");
  EXPECT_EQ(completed_by_bash("tpulab --color a", 2), "auto\n");
  EXPECT_EQ(completed_by_bash("tpulab -c metr", 2), "metrics\n");
  EXPECT_EQ(completed_by_bash("tpulab --command max_s", 2), "max_steps\n");
}

// Bash hands "--theme=l" over in three words.
TEST(ShellCompletion, completes_values_behind_an_equals_sign_in_bash) {
  EXPECT_EQ(completed_by_bash("tpulab --theme = l", 3), "light\n");
  EXPECT_EQ(completed_by_bash("tpulab --theme =", 2), "light dark\n");
}

TEST(ShellCompletion, offers_behind_a_subcommand_what_it_takes) {
  EXPECT_EQ(completed_by_bash("tpulab validate -", 2), "--points --json\n");
  EXPECT_EQ(completed_by_bash("tpulab validate --points ''", 3), "\n") << "files, by default";
  EXPECT_EQ(completed_by_bash("tpulab validate --points f --j", 4), "--json\n");
}

TEST(ShellCompletion, leaves_out_values_that_a_shell_would_obey) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const std::string text = shell_completion(shell, options());
    for (const char* value : {"$(id)", "it's", "a b", "a}b"}) {
      EXPECT_EQ(text.find(value), std::string::npos) << value << " in " << shell;
    }
  }
}

class EachShell : public testing::TestWithParam<const char*> {};

TEST_P(EachShell, reads_its_completion) {
  const std::string shell = GetParam();
  if (!is_installed(shell)) GTEST_SKIP() << shell << " is not installed";
  EXPECT_EQ(printed_by(shell + " -n", shell_completion(shell, options())), "");
}

INSTANTIATE_TEST_SUITE_P(Shells, EachShell, testing::Values("bash", "zsh", "fish"),
                         [](const auto& shell) { return std::string(shell.param); });

TEST(ShellCompletion, of_another_shell_is_refused) {
  EXPECT_THROW(static_cast<void>(shell_completion("tcsh", options())), Error);
}

}  // namespace
}  // namespace tpulab::shell_completion_test
