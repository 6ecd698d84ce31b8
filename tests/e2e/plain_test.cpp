// The real program without a terminal: pipes, scripts, JSON.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "tests/e2e/program_output.h"
#include "tests/e2e/terminal_emulator.h"

namespace tpulab::e2e::plain_test {
namespace {

std::string script(const std::string& lines) { return "2>&1 <<'END'\n" + lines + "\nEND"; }

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

TEST(Plain, an_empty_line_of_a_pipe_goes_on_with_a_lesson) {
  const auto outcome = run("--plain --no-run", script("lesson 2\n"));
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.output.find("Enter types:  run max_steps=60"), std::string::npos)
      << outcome.output;
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
  EXPECT_EQ(run("-c 'batch 64' validate").exit_code, 2);
  EXPECT_EQ(run("-c 'batch 64' a-script").exit_code, 2);
}

TEST(Plain, a_file_that_is_not_there_is_no_wrong_option) {
  for (const char* arguments : {"no-such-file", "validate --points no-such-file"}) {
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 1) << arguments;
    EXPECT_NE(outcome.output.find("cannot read no-such-file: No such file"), std::string::npos)
        << outcome.output;
  }
}

TEST(Plain, output_that_cannot_be_written_is_no_success) {
  for (const char* arguments : {"--json -c 'batch 8'", "-c 'show all'", "validate", "--help",
                                "--dump-config", "-c 'run max_steps=2'"}) {
    const auto outcome = run(arguments, "2>&1 >/dev/full </dev/null");
    EXPECT_EQ(outcome.exit_code, 1) << arguments;
    EXPECT_NE(outcome.output.find("tpulab: standard output cannot be written"), std::string::npos)
        << arguments << outcome.output;
  }
}

TEST(Plain, nothing_that_is_typed_or_read_reaches_the_terminal_as_a_control) {
  const std::string escape = "\x1b]52:c:eA==\x07";
  const FreshHome home;
  const auto points = home.path() / ("points" + escape + ".toml");
  std::ofstream(points) << "[[point]]\nid = \"\\u001b]52:c:eA==\\u0007\"\n";
  for (const std::string& arguments :
       {"--colour='" + escape + "'", "'" + escape + "'", "--theme '" + escape + "'",
        "-c 'batch " + escape + "'", "validate --points '" + points.string() + "'",
        "--json -c 'model " + escape + "'"}) {
    const auto outcome = run(arguments);
    EXPECT_NE(outcome.exit_code, 0) << arguments;
    EXPECT_NE(outcome.output.find("<U+001B>]52:c:eA==<U+0007>"), std::string::npos)
        << outcome.output;
    EXPECT_EQ(outcome.output.find('\x1b'), std::string::npos) << outcome.output;
  }
}

TEST(Plain, an_argument_of_any_length_is_answered_in_a_few_lines) {
  const std::string ones(100'000, '1');
  for (const std::string& arguments :
       {"--colour=" + ones, "--theme " + ones, "-c 'batch " + ones + "'"}) {
    const auto outcome = run(arguments);
    EXPECT_NE(outcome.exit_code, 0);
    EXPECT_LT(outcome.output.size(), 4000U);
  }
}

TEST(Plain, pipes_and_devices_are_no_files) {
  const FreshHome home;
  const auto pipe = home.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& arguments :
       {pipe.string(), "validate --points " + pipe.string(), std::string("/dev/zero"),
        std::string("validate --points /dev/zero")}) {
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 1) << arguments;
    EXPECT_NE(outcome.output.find("cannot read "), std::string::npos) << outcome.output;
  }
  EXPECT_EQ(run("validate --points -", "</dev/zero").exit_code, 1);
  EXPECT_EQ(run("", "</dev/zero").exit_code, 1);
}

TEST(Plain, standard_input_that_cannot_be_read_is_no_empty_script) {
  const auto outcome = run("", "2>&1 </");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.output.find("standard input cannot be read: Is a directory"), std::string::npos)
      << outcome.output;
}

TEST(Plain, settings_of_any_number_can_be_piped_in) {
  std::string lines;
  for (int batch = 1; batch <= 300; ++batch) lines += "batch " + std::to_string(batch) + "\n";
  const auto outcome = run("", script(lines));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("batch 300:"), std::string::npos) << outcome.output;
}

TEST(Plain, the_configuration_holds_and_what_is_wrong_in_it_is_said) {
  const FreshHome home;
  std::filesystem::create_directories(home.path() / "own/tpulab");
  std::filesystem::create_directories(home.path() / "site/tpulab");
  std::ofstream(home.path() / "site/tpulab/config.toml") << "batch = 8\nseed = 7\n";
  std::ofstream(home.path() / "own/tpulab/config.toml") << "batch = 16\nbacth = 1\n";
  const std::string folders = "XDG_CONFIG_HOME=" + (home.path() / "own").string() +
                              " XDG_CONFIG_DIRS=" + (home.path() / "site").string();
  const auto outcome = run("-c 'show batch; show seed'", "2>&1 </dev/null", folders);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  for (const char* part : {"own/tpulab/config.toml:2: there is no setting 'bacth'; did you mean "
                           "batch?",
                           "batch 16", "seed 7"}) {
    EXPECT_NE(outcome.output.find(part), std::string::npos) << part << '\n' << outcome.output;
  }
  const auto dumped = run("--dump-config", "</dev/null", folders);
  EXPECT_NE(dumped.output.find("\nbatch = 16\n"), std::string::npos) << dumped.output;
}

TEST(Plain, runs_outlive_the_program_unless_that_is_switched_off) {
  const FreshHome home;
  const std::string folders = "XDG_DATA_HOME=" + (home.path() / "data").string() +
                              " XDG_CONFIG_HOME=" + (home.path() / "own").string();
  const auto type = [&](const std::string& line) {
    return run(line, "2>&1 </dev/null", folders).output;
  };
  EXPECT_EQ(type("-c quit"), "");
  EXPECT_FALSE(std::filesystem::exists(home.path() / "data")) << "nothing is made before a run";
  EXPECT_NE(type("-c 'run max_steps=3'").find("\nkept as 1; "), std::string::npos);
  EXPECT_EQ(type("--no-history -c 'run max_steps=3'").find("kept as"), std::string::npos);
  std::filesystem::create_directories(home.path() / "own/tpulab");
  std::ofstream(home.path() / "own/tpulab/config.toml") << "history = false\n";
  EXPECT_EQ(type("-c 'run max_steps=3'").find("kept as"), std::string::npos);
  EXPECT_NE(type("-c runs").find("\n1 run; TPU time is estimated\n"), std::string::npos);
  EXPECT_NE(type("-c 'runs rerun 1'").find("losses: the same in every bit, 3 steps"),
            std::string::npos);
}

// A person at a terminal that cannot show the dashboard.
class PlainTerminal : public testing::Test {
 protected:
  void open(std::vector<std::string> flags, int columns = Child().columns) {
    std::vector<std::string> command{TPULAB_BINARY};
    command.insert(command.end(), flags.begin(), flags.end());
    terminal_ = std::make_unique<TerminalEmulator>(
        home_, Child{.command = command, .columns = columns, .environment = {{"TERM", "dumb"}}});
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
  // The same words stand above already; a Ctrl-C would wipe a line that nobody has read.
  auto before = terminal().received().size();
  const auto answers = [&](const char* words) {
    return terminal().until(
        [&] { return terminal().received().find(words, before) != std::string::npos; });
  };
  terminal().type("show batch\r");
  EXPECT_TRUE(answers("256 global")) << terminal().text();
  before = terminal().received().size();
  terminal().type("\x03");
  EXPECT_TRUE(answers("a second Ctrl-C leaves")) << terminal().text();
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

TEST_F(PlainTerminal, lines_of_a_run_are_broken_between_words) {
  open({"--no-run"}, 60);
  ASSERT_TRUE(terminal().until_shows("tpulab:v3-8>"));
  terminal().type("run max_steps=3\r");
  EXPECT_TRUE(terminal().until_shows(" useful\n  utilisation ")) << terminal().text();
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
  terminal().type("quit\r");
  EXPECT_EQ(terminal().wait_for_exit(), 0);
  EXPECT_TRUE(terminal().until_shows("again: tpulab")) << "three lines stay, as of the dashboard";
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

TEST_F(PlainTerminal, a_script_that_is_asked_to_end_ends_its_run_first) {
  for (const auto& [signal, name] : {std::pair{SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}}) {
    open({"-c", "pace real; run max_epochs=-1 max_steps=1000000; metrics"});
    ASSERT_TRUE(terminal().until_shows("epoch 1")) << terminal().text();
    terminal().signal(signal);
    EXPECT_EQ(terminal().wait_for_exit(), 128 + signal);
    EXPECT_TRUE(terminal().until_shows("run 1 stopped")) << terminal().text();
    EXPECT_TRUE(terminal().until_shows("kept as")) << terminal().text();
    EXPECT_TRUE(terminal().until_shows(std::string("command 2: stopped by ") + name));
  }
}

TEST_F(PlainTerminal, control_c_ends_a_long_sweep_of_a_script) {
  std::string sweep = "sweep hidden=(64),(128) batch=1";
  for (int batch = 2; batch <= 3000; ++batch) sweep += "," + std::to_string(batch);
  open({"-c", "batch 64; " + sweep});
  ASSERT_TRUE(terminal().until_shows("512 global")) << terminal().text();
  terminal().type("\x03");
  EXPECT_EQ(terminal().wait_for_exit(), 128 + SIGINT);
  // Of the sweep, or of the command before it, whose answer shows before it has ended.
  EXPECT_TRUE(terminal().until_shows(": stopped by Ctrl-C")) << terminal().text();
}

TEST(Plain, help_and_version_are_answered) {
  const auto help = run("--help");
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_NE(help.output.find("--json"), std::string::npos);
  EXPECT_EQ(run("--version").output.rfind("tpulab ", 0), 0U);
}

}  // namespace
}  // namespace tpulab::e2e::plain_test
