// The real program without a terminal: pipes, scripts, JSON.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <sstream>
#include <string>

#include "tests/e2e/terminal_emulator.h"

namespace tpulab::e2e {
namespace {

struct Outcome {
  std::string output;  // both streams
  int exit_code = -1;
};

Outcome run(const std::string& arguments, const std::string& input = "</dev/null") {
  const FreshHome home;
  const std::string command = "HOME=" + home.path().string() + " XDG_STATE_HOME= TERM=dumb " +
                              TPULAB_BINARY + " " + arguments + " 2>&1 " + input;
  Outcome outcome;
  FILE* pipe = ::popen(command.c_str(), "r");
  std::array<char, 4096> part{};
  while (const auto count = std::fread(part.data(), 1, part.size(), pipe)) {
    outcome.output.append(part.data(), count);
  }
  const int status = ::pclose(pipe);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

std::string script(const std::string& lines) { return "<<'END'\n" + lines + "\nEND"; }

TEST(Plain, without_commands_the_default_experiment_runs_and_ends_with_a_summary) {
  const auto outcome = run("");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  for (const char* part : {"test accuracy", "TPU time", "wall time", "duty cycle", "bound",
                           "compiles", "CPU fallbacks", "samples/s"}) {
    EXPECT_NE(outcome.output.find(part), std::string::npos) << part << '\n' << outcome.output;
  }
  EXPECT_EQ(outcome.output.find('\x1b'), std::string::npos);
}

TEST(Plain, commands_come_from_the_command_line) {
  const auto outcome = run("-c 'batch 64; run max_steps=2' -c 'show batch'");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("64 x 8 = 512 global"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("2 steps"), std::string::npos) << outcome.output;
}

TEST(Plain, a_script_stops_at_the_line_that_fails_and_says_which) {
  const auto outcome = run("", script("batch 64\n\nbatch none\nseed 7"));
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.output.find("line 3: "), std::string::npos) << outcome.output;
  EXPECT_EQ(outcome.output.find("seed"), std::string::npos) << outcome.output;
}

TEST(Plain, a_script_of_comments_is_no_script) {
  const auto outcome = run("--no-run", script("# nothing\n"));
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.output, "");
}

TEST(Plain, json_is_one_object_a_line) {
  const auto outcome = run("--json -c 'run max_steps=2'");
  EXPECT_EQ(outcome.exit_code, 0);
  std::istringstream lines(outcome.output);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_TRUE(nlohmann::json::parse(line, nullptr, false).is_object()) << line;
  }
  EXPECT_GT(count, 2);
}

TEST(Plain, wrong_flags_are_named_and_the_exit_code_is_2) {
  const auto outcome = run("--colour");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.output.find("--colour"), std::string::npos) << outcome.output;
  EXPECT_EQ(run("--theme no-such-theme").exit_code, 2);
  EXPECT_EQ(run("no-such-script").exit_code, 2);
}

TEST(Plain, help_and_version_are_answered) {
  const auto help = run("--help");
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_NE(help.output.find("--json"), std::string::npos);
  EXPECT_EQ(run("--version").output.rfind("tpulab ", 0), 0U);
}

}  // namespace
}  // namespace tpulab::e2e
