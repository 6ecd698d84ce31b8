// The real program on a pseudo-terminal, treated badly: the screen, the terminal and the process
// table are in order afterwards.
#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include "tests/e2e/terminal_emulator.h"

namespace tpulab::e2e::torture_test {
namespace {

constexpr const char* prompt = "tpulab:v3-8>";

// Typed bytes that leave, stop, suspend or enter would end the test and not the program's patience.
bool ends_the_test(char byte) {
  return byte == 3 || byte == 4 || byte == 26 || byte == 28 || byte == '\r' || byte == '\n';
}

class Torture : public testing::Test {
 protected:
  void open(const Child& child) {
    terminal_ = std::make_unique<TerminalEmulator>(home_, child);
    ASSERT_TRUE(terminal_->until_shows(prompt)) << terminal_->text();
  }
  void open_with_endless_run() {
    open({.command = {TPULAB_BINARY, "--no-run"}});
    terminal().type("run max_epochs=-1\r");
    ASSERT_TRUE(terminal().until_shows("epoch 1")) << terminal().text();
  }
  TerminalEmulator& terminal() { return *terminal_; }

  // The prompt answers, and the whole screen is as if drawn anew.
  void expect_in_order() {
    terminal().type("\x03zzz");
    const int last = terminal().rows() - 1;
    EXPECT_TRUE(terminal().until([&] {
      return terminal().row(last) == std::string(prompt) + " zzz" &&
             terminal().cursor_row() == last;
    })) << terminal().text();
  }
  void expect_gone_soon(int exit_code) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(terminal().wait_for_exit(), exit_code);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(3));
    EXPECT_EQ(::kill(-terminal().child(), 0), -1) << "a process of its group is left";
    EXPECT_EQ(errno, ESRCH);
  }
  void expect_restored() {
    EXPECT_FALSE(terminal().alternate_screen());
    EXPECT_TRUE(terminal().cursor_visible());
    EXPECT_TRUE(terminal().echo_on());
    EXPECT_TRUE(terminal().line_at_a_time());
  }

  FreshHome home_;
  std::unique_ptr<TerminalEmulator> terminal_;
};

TEST_F(Torture, a_storm_of_sizes_while_a_run_trains) {
  open_with_endless_run();
  std::minstd_rand random(5);
  for (int i = 0; i < 300; ++i) {
    const int rows = i % 10 == 0 ? 1 : 1 + static_cast<int>(random() % 120);
    const int columns = i % 15 == 0 ? 1 : 1 + static_cast<int>(random() % 400);
    terminal().resize(rows, columns);
    terminal().until([] { return false; }, std::chrono::milliseconds(i % 3));
  }
  for (const auto& [rows, columns] : {std::pair{1, 1}, {120, 400}, {1, 400}, {120, 1}, {24, 80}}) {
    terminal().resize(rows, columns);
    terminal().settle();
  }
  EXPECT_TRUE(terminal().until_shows("│ ▶")) << terminal().text();
  terminal().type("\x03");  // nothing is typed: the run ends
  EXPECT_TRUE(terminal().until_shows("stopped")) << terminal().text();
  expect_in_order();
  terminal().type("\x15");
  terminal().settle(std::chrono::seconds(1));  // the summary of the run comes line by line
  const auto before = terminal().text();
  terminal().type("\f");
  terminal().settle(std::chrono::seconds(1));
  EXPECT_EQ(terminal().text(), before);
}

TEST_F(Torture, a_size_beyond_what_a_screen_has) {
  open({.command = {TPULAB_BINARY, "--no-run"}});
  for (const auto& [rows, columns] : {std::pair{24, 65535}, {65535, 80}, {40, 120}}) {
    terminal().announce_size(rows, columns);
    terminal().settle();
  }
  expect_in_order();
}

// One line without a blank, as large as a paste can be, and echoed when it is entered.
TEST_F(Torture, a_pasted_line_of_half_a_megabyte_is_answered_at_once) {
  open({.command = {TPULAB_BINARY, "--no-run"}});
  terminal().type("\x1b[200~" + std::string(500'000, 'x') + "\x1b[201~");
  ASSERT_TRUE(terminal().until_shows("‹")) << terminal().text();
  const auto start = std::chrono::steady_clock::now();
  terminal().type("\r");
  EXPECT_TRUE(terminal().until_shows("┌ x")) << terminal().text();
  terminal().type("\x1b");
  EXPECT_TRUE(terminal().until_gone("┌ x")) << terminal().text();
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  expect_in_order();
}

// Seconds of a step on the reference backend are left.
TEST_F(Torture, quit_in_the_middle_of_a_slow_step_does_not_wait_for_it) {
  open({.command = {TPULAB_BINARY, "--no-run"}});
  terminal().type("backend reference; batch 180; hidden (3000,3000); run\r");
  ASSERT_TRUE(terminal().until_shows("run 1: ")) << terminal().text();
  terminal().type("quit\r");
  expect_gone_soon(0);
  expect_restored();
}

TEST_F(Torture, a_megabyte_of_paste_while_a_run_trains) {
  open_with_endless_run();
  std::string text;
  while (text.size() < (std::size_t{1} << 20)) text += "batch 64 grün 日本\r";
  terminal().type("\x1b[200~" + text + "\x1b[201~");
  EXPECT_TRUE(terminal().until_shows("‹")) << terminal().text();
  EXPECT_TRUE(terminal().until_shows("cut")) << terminal().text();  // above the limit by some bytes
  expect_in_order();
  EXPECT_TRUE(terminal().until_shows("│ ▶")) << terminal().text();
}

// The kernel would drop the bytes of a frame that the terminal has not read yet.
TEST_F(Torture, control_c_in_the_middle_of_a_frame_leaves_the_frame_whole) {
  open({.command = {TPULAB_BINARY, "--no-run"}});
  EXPECT_FALSE(terminal().interrupt_flushes());
  for (int i = 0; i < 50; ++i) terminal().type("\f\x03");
  terminal().settle(std::chrono::seconds(1));
  const auto before = terminal().text();
  terminal().type("\f");
  terminal().settle(std::chrono::seconds(1));
  EXPECT_EQ(terminal().text(), before);
}

TEST_F(Torture, a_paste_whose_end_never_comes) {
  open({.command = {TPULAB_BINARY, "--no-run"}});
  terminal().type("\x1b[200~batch 64");
  EXPECT_TRUE(terminal().until_shows("> batch 64")) << terminal().text();
  expect_in_order();
}

TEST_F(Torture, random_bytes_while_a_run_trains) {
  open_with_endless_run();
  std::minstd_rand random(11);
  for (int round = 0; round < 20; ++round) {
    std::string noise;
    for (int i = 0; i < 2000; ++i) {
      const auto byte = static_cast<char>(random() >> 8);
      noise += ends_the_test(byte) ? 'x' : byte;
    }
    terminal().type(noise);
  }
  // Ends a paste, closes a text over the panes, a search and the panes' focus, whatever is open.
  terminal().type("\x1b[201~\x07:\x03\x03");
  terminal().settle();
  terminal().signal(SIGTERM);
  EXPECT_EQ(terminal().wait_for_exit(), 128 + SIGTERM);
  expect_restored();
}

TEST_F(Torture, every_key_on_an_empty_screen) {
  open({.command = {TPULAB_BINARY, "--no-run"}});
  for (const char* key :
       {"\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D",   "\x1b[5~",  "\x1b[6~", "\x1b[3~",
        "\x1bOP", "\x1bOR", "\x1bOR", "\x1b[15~", "\x1b[24~", "\t",      "\x7f",
        "\x12",   "\x07",   "\x1b[Z", "\x1b[H",   "\x1b[F",   "\f",      "\x1b\x1b"}) {
    terminal().type(key);
    terminal().settle();
  }
  terminal().type("jkps?jkGg q:");
  terminal().settle();
  expect_in_order();
}

TEST_F(Torture, a_terminal_that_goes_away_ends_a_training_program) {
  open_with_endless_run();
  terminal().hang_up();
  expect_gone_soon(128 + SIGHUP);
}

TEST_F(Torture, a_hangup_signal_ends_it_and_restores_the_terminal) {
  open_with_endless_run();
  terminal().signal(SIGHUP);
  expect_gone_soon(128 + SIGHUP);
  expect_restored();
}

TEST_F(Torture, a_termination_signal_during_a_run_restores_the_terminal) {
  open_with_endless_run();
  terminal().signal(SIGTERM);
  expect_gone_soon(128 + SIGTERM);
  expect_restored();
}

TEST_F(Torture, a_plain_terminal_that_goes_away_ends_the_program_too) {
  open({.command = {TPULAB_BINARY, "--no-run"}, .environment = {{"TERM", "dumb"}}});
  terminal().type("pace real\rrun max_epochs=-1\r");
  ASSERT_TRUE(terminal().until_shows("epoch 1")) << terminal().text();
  terminal().hang_up();
  expect_gone_soon(128 + SIGHUP);
}

// Whoever ignores the signal of a hangup learns of it from the input alone.
TEST_F(Torture, a_plain_terminal_that_goes_away_unsignalled_ends_it_with_the_same_code) {
  const std::string deaf = "trap '' HUP; exec " TPULAB_BINARY " --no-run";
  open({.command = {"/bin/sh", "-c", deaf}, .environment = {{"TERM", "dumb"}}});
  terminal().hang_up();
  expect_gone_soon(128 + SIGHUP);
}

// What another program wrote over the screen meanwhile is gone.
TEST_F(Torture, stopped_and_continued_it_draws_everything_anew) {
  open({.command = {TPULAB_BINARY, "--no-run"}});
  ASSERT_TRUE(terminal().until_shows("no loss yet"));
  terminal().settle();
  const auto before = terminal().text();
  terminal().signal(SIGSTOP);
  terminal().scribble("\x1b[2J\x1b[5;5Hrubbish");
  ASSERT_TRUE(terminal().shows("rubbish"));
  terminal().signal(SIGCONT);
  EXPECT_TRUE(terminal().until([&] { return terminal().text() == before; })) << terminal().text();
  expect_in_order();
}

TEST_F(Torture, resized_while_stopped_it_fits_when_continued) {
  open_with_endless_run();
  terminal().signal(SIGSTOP);
  terminal().resize(24, 80);
  terminal().signal(SIGCONT);
  EXPECT_TRUE(terminal().until([&] {
    return terminal().row(23) == prompt && terminal().row(0).starts_with(" #1");
  })) << terminal().text();
}

TEST_F(Torture, whatever_the_terminal_is_called_a_line_is_answered_and_quit_leaves) {
  for (const char* term : {"", "dumb", "vt100", "linux", "xterm", "no-such-terminal"}) {
    for (const char* locale : {"", "C"}) {
      open({.command = {TPULAB_BINARY, "--no-run"},
            .environment = {{"TERM", term}, {"LC_ALL", locale}}});
      terminal().type("batch 64\r");
      EXPECT_TRUE(terminal().until_shows("64 x 8 = 512 global")) << term << terminal().text();
      terminal().type("quit\r");
      EXPECT_EQ(terminal().wait_for_exit(), 0) << term;
      EXPECT_TRUE(terminal().echo_on()) << term;
    }
  }
}

}  // namespace
}  // namespace tpulab::e2e::torture_test
