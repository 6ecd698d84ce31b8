// The real program inside tmux, which is a terminal of its own between it and the one that people
// look at: colours, cursor, mouse, a paste of a megabyte, a storm of sizes, modes after the end.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>

#include "tests/e2e/terminal_emulator.h"

namespace tpulab::e2e::tmux_test {
namespace {

// What a shell command prints.
std::string printed(const std::string& command) {
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  std::string text;
  std::array<char, 256> part{};
  while (pipe && std::fgets(part.data(), part.size(), pipe.get()) != nullptr) text += part.data();
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

class Tmux : public testing::Test {
 protected:
  void SetUp() override {
    if (printed("command -v tmux").empty()) GTEST_SKIP() << "tmux is not installed";
    configuration_ = (home_.path() / "tmux.conf").string();
    std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(configuration_.c_str(), "w"),
                                               std::fclose);
    std::fputs(
        "set -g mouse on\nset -g status off\nset -s escape-time 20\n"
        "set -g default-terminal tmux-256color\n",
        file.get());
  }
  void TearDown() override {
    if (terminal_) printed(tmux() + " kill-server 2>/dev/null");
  }

  std::string tmux() const {
    return fmt::format("tmux -S {} -f {}",
                       (home_.path() / fmt::format("socket{}", servers_)).string(), configuration_);
  }
  // In a server of its own: one that was told to end may still hold its socket.
  void open_shell() {
    ++servers_;
    Child child;
    child.command = {"/bin/sh", "-c", tmux() + " new-session 'PS1=shell: sh'"};
    child.environment = {{"SHELL", "/bin/sh"}};
    terminal_ = std::make_unique<TerminalEmulator>(home_, child);
    ASSERT_TRUE(terminal_->until_shows("shell:")) << terminal_->text();
  }
  // The program in the shell.
  void open() {
    open_shell();
    terminal_->type(fmt::format("{} --no-run\r", TPULAB_BINARY));
    ASSERT_TRUE(terminal_->until_shows("tpulab:v3-8>")) << terminal_->text();
    ASSERT_TRUE(terminal_->until_shows("no loss yet")) << terminal_->text();
  }
  std::string modes() const {
    return printed(tmux() +
                   " display -p 'screen #{alternate_on} mouse #{mouse_any_flag} "
                   "cursor #{cursor_flag}'");
  }
  TerminalEmulator& terminal() { return *terminal_; }
  bool last_row_becomes(const std::string& wanted) {
    return terminal().until([&] { return terminal().row(terminal().rows() - 1) == wanted; });
  }

  FreshHome home_;
  std::string configuration_;
  int servers_ = 0;
  std::unique_ptr<TerminalEmulator> terminal_;
};

TEST_F(Tmux, shows_colours_and_the_cursor_and_hands_the_mouse_through) {
  open();
  EXPECT_EQ(modes(), "screen 1 mouse 1 cursor 1");
  EXPECT_FALSE(terminal().cell(0, 0).default_background) << "the status line has a ground";
  terminal().type("batch 6");
  EXPECT_TRUE(last_row_becomes("tpulab:v3-8> batch 6")) << terminal().text();
  EXPECT_TRUE(terminal().until(
      [&] { return terminal().cursor_row() == 39 && terminal().cursor_column() == 20; }));
  terminal().type("\x15");
  ASSERT_TRUE(last_row_becomes("tpulab:v3-8>"));
  terminal().type("\x1b[<0;5;22M\x1b[<0;5;22m");
  EXPECT_TRUE(terminal().until_shows("┏ loss ━")) << terminal().text();
  EXPECT_TRUE(terminal().until([&] { return !terminal().cursor_visible(); }));
}

TEST_F(Tmux, takes_a_megabyte_of_paste_and_a_storm_of_sizes) {
  open();
  terminal().type("\x1b[200~" + std::string(1'000'000, 'x') + "\x1b[201~");
  EXPECT_TRUE(terminal().until([&] {
    const std::string row = terminal().row(39);
    return row.starts_with("tpulab:v3-8> ‹") && row.ends_with("x");
  })) << terminal().text();
  terminal().type("\x03");
  EXPECT_TRUE(last_row_becomes("tpulab:v3-8>")) << terminal().text();
  terminal().type("run max_epochs=-1\r");
  ASSERT_TRUE(terminal().until_shows("epoch 1")) << terminal().text();
  std::minstd_rand random(11);
  for (int i = 0; i < 60; ++i) {
    terminal().resize(2 + static_cast<int>(random() % 80), 5 + static_cast<int>(random() % 240));
    terminal().until([] { return false; }, std::chrono::milliseconds(i % 4));
  }
  terminal().resize(24, 80);
  EXPECT_TRUE(terminal().until_shows("─ compiles ─")) << terminal().text();
  EXPECT_TRUE(last_row_becomes("tpulab:v3-8>")) << terminal().text();
}

TEST_F(Tmux, leaves_the_shell_as_it_was) {
  open();
  terminal().type("quit\r");
  ASSERT_TRUE(terminal().until_gone("no loss yet")) << terminal().text();
  EXPECT_TRUE(terminal().until([&] { return modes() == "screen 0 mouse 0 cursor 1"; })) << modes();
  terminal().type("echo a$((1+1))b\r");
  EXPECT_TRUE(terminal().until_shows("a2b")) << terminal().text();
  EXPECT_TRUE(terminal().shows("echo a$((1+1))b")) << "what is typed is echoed";
}

TEST_F(Tmux, takes_no_screen_in_the_background_until_it_is_brought_to_the_front) {
  open_shell();
  terminal().type(fmt::format("{} --no-run & sleep 1; echo b$((1+1))g\r", TPULAB_BINARY));
  ASSERT_TRUE(terminal().until_shows("b2g")) << terminal().text();
  EXPECT_EQ(modes(), "screen 0 mouse 0 cursor 1");
  terminal().type("fg\r");
  EXPECT_TRUE(terminal().until_shows("no loss yet")) << terminal().text();
}

// A job that tidies the terminal from the background would be stopped again, and `wait` for ever.
TEST_F(Tmux, ends_when_it_is_told_to_while_it_is_stopped) {
  for (const char* before : {"", "bg; sleep 0.3; "}) {
    open();
    terminal().type("\x1a");
    ASSERT_TRUE(terminal().until_shows("Stopped")) << terminal().text();
    terminal().type(fmt::format("{}kill %1; wait; echo e$((1+1))d\r", before));
    EXPECT_TRUE(terminal().until_shows("e2d")) << before << terminal().text();
    EXPECT_EQ(modes(), "screen 0 mouse 0 cursor 1");
    printed(tmux() + " kill-server 2>/dev/null");
  }
}

}  // namespace
}  // namespace tpulab::e2e::tmux_test
