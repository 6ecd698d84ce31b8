// The real program on a pseudo-terminal: the terminal is as before, however the program ends.
#include <gtest/gtest.h>

#include <csignal>
#include <memory>
#include <string>

#include "tests/e2e/terminal_emulator.h"

namespace tpulab::e2e::restore_test {
namespace {

constexpr const char* prompt = "tpulab:v3-8>";

void expect_restored(const TerminalEmulator& terminal) {
  EXPECT_FALSE(terminal.alternate_screen());
  EXPECT_TRUE(terminal.cursor_visible());
  EXPECT_TRUE(terminal.echo_on());
  EXPECT_TRUE(terminal.line_at_a_time());
  EXPECT_TRUE(terminal.interrupt_flushes());
  const auto& bytes = terminal.received();
  const auto paste_off = bytes.rfind("\x1b[?2004l");
  EXPECT_NE(paste_off, std::string::npos);
  EXPECT_LT(bytes.rfind("\x1b[?2004h"), paste_off);
}

class Restore : public testing::Test {
 protected:
  Restore() : terminal(home, {.command = {TPULAB_BINARY, "--no-run"}}) {}
  void SetUp() override {
    ASSERT_TRUE(terminal.until_shows(prompt)) << terminal.text();
    ASSERT_FALSE(terminal.echo_on());
  }
  FreshHome home;
  TerminalEmulator terminal;
};

TEST_F(Restore, after_quit) {
  terminal.type("quit\r");
  EXPECT_EQ(terminal.wait_for_exit(), 0);
  expect_restored(terminal);
}

TEST_F(Restore, after_a_termination_signal) {
  terminal.signal(SIGTERM);
  EXPECT_EQ(terminal.wait_for_exit(), 128 + SIGTERM);
  expect_restored(terminal);
}

TEST_F(Restore, after_control_backslash) {
  terminal.type("\x1c");
  EXPECT_EQ(terminal.wait_for_exit(), 128 + SIGQUIT);
  expect_restored(terminal);
}

// A signal from outside takes the same way as a null pointer inside.
TEST_F(Restore, after_a_crash_that_then_says_what_it_was) {
  for (const int crash : {SIGSEGV, SIGABRT, SIGFPE}) {
    TerminalEmulator other(home, {.command = {TPULAB_BINARY, "--no-run"}});
    ASSERT_TRUE(other.until_shows(prompt));
    other.settle();
    other.signal(crash);
    EXPECT_EQ(other.wait_for_exit(), 128 + crash);
    expect_restored(other);
    EXPECT_TRUE(other.shows("tpulab: stopped by SIG")) << other.text();
  }
}

TEST_F(Restore, after_a_signal_that_nobody_handles) {
  for (const int signal : {SIGUSR1, SIGALRM, SIGXCPU, SIGTRAP, SIGRTMAX}) {
    TerminalEmulator other(home, {.command = {TPULAB_BINARY, "--no-run"}});
    ASSERT_TRUE(other.until_shows(prompt));
    other.settle();
    other.signal(signal);
    EXPECT_EQ(other.wait_for_exit(), 128 + signal);
    expect_restored(other);
  }
}

// Frames fill it, and the program hangs in a write.
TEST_F(Restore, from_a_terminal_that_is_not_read) {
  for (const int signal : {SIGTERM, SIGHUP}) {
    TerminalEmulator other(home, {.command = {TPULAB_BINARY, "--no-run"}});
    ASSERT_TRUE(other.until_shows(prompt));
    other.type(std::string(1000, '\f'));  // each draws the whole screen
    other.signal(signal);
    EXPECT_EQ(other.wait_for_exit_unread(), 128 + signal);
    other.settle();
    expect_restored(other);
  }
}

TEST_F(Restore, while_stopped_by_control_z_and_back_again) {
  TerminalEmulator shell(home, {.command = {"/bin/bash", "--norc", "--noprofile", "-i"},
                                .environment = {{"PS1", "shell$ "}}});
  ASSERT_TRUE(shell.until_shows("shell$"));
  shell.type(std::string(TPULAB_BINARY) + " --no-run\r");
  ASSERT_TRUE(shell.until_shows(prompt)) << shell.text();
  shell.type("batch 6");
  ASSERT_TRUE(shell.until_shows("> batch 6"));
  shell.type("\x1a");
  ASSERT_TRUE(shell.until_shows("Stopped")) << shell.text();
  EXPECT_FALSE(shell.alternate_screen());
  shell.resize(24, 80);
  shell.type("fg\r");
  ASSERT_TRUE(shell.until([&] { return shell.row(23) == "tpulab:v3-8> batch 6"; })) << shell.text();
  EXPECT_TRUE(shell.alternate_screen());
  shell.type("4");
  ASSERT_TRUE(shell.until([&] { return shell.row(23) == "tpulab:v3-8> batch 64"; }))
      << shell.text();
  shell.type("\x15quit\r");
  ASSERT_TRUE(shell.until([&] { return !shell.alternate_screen(); })) << shell.text();
  shell.type("exit 7\r");
  EXPECT_EQ(shell.wait_for_exit(), 7);
}

TEST_F(Restore, however_often_control_z_comes_while_a_run_is_drawn) {
  TerminalEmulator shell(home, {.command = {"/bin/bash", "--norc", "--noprofile", "-i"},
                                .environment = {{"PS1", "shell$ "}}});
  ASSERT_TRUE(shell.until_shows("shell$"));
  shell.type(std::string(TPULAB_BINARY) + "\r");
  for (int time = 0; time < 30; ++time) {
    ASSERT_TRUE(shell.until([&] { return shell.alternate_screen(); })) << time;
    ASSERT_TRUE(shell.until_shows(prompt)) << time << shell.text();
    shell.type("a");
    ASSERT_TRUE(shell.until_shows("> " + std::string(static_cast<std::size_t>(time) + 1, 'a')));
    shell.type("\x1a");
    ASSERT_TRUE(shell.until([&] { return !shell.alternate_screen(); })) << time << shell.text();
    shell.type("fg\r");
  }
}

TEST_F(Restore, without_a_shell_control_z_does_not_hang) {
  terminal.type("\x1a");
  terminal.settle();
  terminal.type("abc");
  EXPECT_TRUE(terminal.until_shows("tpulab:v3-8> abc")) << terminal.text();
}

TEST_F(Restore, leaves_when_the_terminal_goes_away) {
  terminal.hang_up();
  EXPECT_EQ(terminal.wait_for_exit(), 128 + SIGHUP);
}

}  // namespace
}  // namespace tpulab::e2e::restore_test
