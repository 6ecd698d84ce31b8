// The real program without a terminal: pipes, scripts, JSON.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <memory>
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

// A person at a terminal that cannot show the dashboard.
class PlainTerminal : public testing::Test {
 protected:
  void open(std::vector<std::string> flags) {
    std::vector<std::string> command{TPULAB_BINARY};
    command.insert(command.end(), flags.begin(), flags.end());
    terminal_ = std::make_unique<TerminalEmulator>(
        home_, Child{.command = command, .environment = {{"TERM", "dumb"}}});
  }
  // A run that goes on until it is stopped.
  void start_endless_run() {
    open({"--no-run"});
    ASSERT_TRUE(terminal().until_shows("tpulab:v3-8>"));
    terminal().type("pace real\rrun max_epochs=-1\r");
    ASSERT_TRUE(terminal().until_shows("epoch 1")) << terminal().text();
  }
  TerminalEmulator& terminal() { return *terminal_; }

  FreshHome home_;
  std::unique_ptr<TerminalEmulator> terminal_;
};

TEST_F(PlainTerminal, control_c_stops_the_run_and_a_second_one_leaves) {
  start_endless_run();
  terminal().type("\x03");
  EXPECT_TRUE(terminal().until_shows("the run ends after its current step")) << terminal().text();
  EXPECT_TRUE(terminal().until_shows("run 1 stopped")) << terminal().text();
  terminal().type("show batch\r");
  EXPECT_TRUE(terminal().until_shows("256 global")) << terminal().text();
  terminal().type("\x03");
  EXPECT_TRUE(terminal().until_shows("a second Ctrl-C leaves")) << terminal().text();
  terminal().type("\x03");
  EXPECT_EQ(terminal().wait_for_exit(), 128 + SIGINT);
}

TEST_F(PlainTerminal, what_is_typed_during_a_run_is_answered_during_it) {
  start_endless_run();
  terminal().type("batch 64\r");
  EXPECT_TRUE(terminal().until_shows("64 x 8 = 512 global")) << terminal().text();
  EXPECT_FALSE(terminal().shows("run 1 stopped")) << terminal().text();
  terminal().type("stop\r");
  EXPECT_TRUE(terminal().until_shows("run 1 stopped")) << terminal().text();
}

TEST_F(PlainTerminal, every_word_for_leaving_leaves) {
  for (const char* word : {"quit", "exit", "q", "quit # enough", "seed 7; exit"}) {
    open({"--no-run"});
    ASSERT_TRUE(terminal().until_shows("tpulab:v3-8>"));
    terminal().type(std::string(word) + "\r");
    EXPECT_EQ(terminal().wait_for_exit(), 0) << word;
  }
}

TEST_F(PlainTerminal, the_default_experiment_runs_first_and_can_be_stopped) {
  open({});
  ASSERT_TRUE(terminal().until_shows("epoch 1")) << terminal().text();
  terminal().type("stop\r");
  EXPECT_TRUE(terminal().until_shows("run 1 stopped")) << terminal().text();
  EXPECT_TRUE(terminal().until_shows("tpulab:v3-8>")) << terminal().text();
  terminal().type("\x04");
  EXPECT_EQ(terminal().wait_for_exit(), 0);
}

TEST_F(PlainTerminal, control_c_in_a_script_stops_its_run_and_ends_it) {
  open({"-c", "pace real; run max_epochs=-1 max_steps=1000000; metrics"});
  ASSERT_TRUE(terminal().until_shows("epoch 1")) << terminal().text();
  terminal().type("\x03");
  EXPECT_EQ(terminal().wait_for_exit(), 128 + SIGINT);
  EXPECT_TRUE(terminal().until_shows("run 1 stopped")) << terminal().text();
  EXPECT_TRUE(terminal().until_shows("command 2: stopped by Ctrl-C")) << terminal().text();
  EXPECT_FALSE(terminal().shows("TotalSamples")) << terminal().text();
}

TEST(Plain, help_and_version_are_answered) {
  const auto help = run("--help");
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_NE(help.output.find("--json"), std::string::npos);
  EXPECT_EQ(run("--version").output.rfind("tpulab ", 0), 0U);
}

}  // namespace
}  // namespace tpulab::e2e
