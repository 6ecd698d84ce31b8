// The real program on a pseudo-terminal: what a person types.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "tests/e2e/terminal_emulator.h"

namespace tpulab::e2e::prompt_test {
namespace {

constexpr const char* prompt = "tpulab:v3-8>";

class PromptOnScreen : public testing::Test {
 protected:
  void open(std::map<std::string, std::string> environment = {}) {
    terminal_ = std::make_unique<TerminalEmulator>(
        home_, Child{.command = {TPULAB_BINARY, "--no-run"}, .environment = environment});
    ASSERT_TRUE(terminal_->until_shows(prompt)) << terminal_->text();
  }
  void leave() {
    terminal_->type("quit\r");
    ASSERT_EQ(terminal_->wait_for_exit(), 0) << terminal_->text();
  }
  TerminalEmulator& terminal() { return *terminal_; }
  bool last_row_becomes(const std::string& row) {
    return terminal().until([&] { return terminal().row(39) == row; });
  }

  FreshHome home_;
  std::unique_ptr<TerminalEmulator> terminal_;
};

TEST_F(PromptOnScreen, typed_letters_appear) {
  open();
  terminal().type("batch 6");
  EXPECT_TRUE(last_row_becomes("tpulab:v3-8> batch 6")) << terminal().text();
  EXPECT_EQ(terminal().cursor_column(), 20);
}

TEST_F(PromptOnScreen, characters_of_two_columns_and_two_bytes_are_edited_whole) {
  open();
  terminal().type("日本é\x1b[D");
  EXPECT_TRUE(last_row_becomes("tpulab:v3-8> 日本é")) << terminal().text();
  EXPECT_TRUE(terminal().until([&] { return terminal().cursor_column() == 13 + 4; }));
  terminal().type("\x7f\x7f");
  EXPECT_TRUE(last_row_becomes("tpulab:v3-8> é")) << terminal().text();
}

TEST_F(PromptOnScreen, tab_completes_verbs_and_lists_values) {
  open();
  terminal().type("prec\t");
  EXPECT_TRUE(last_row_becomes("tpulab:v3-8> precision")) << terminal().text();
  terminal().type("\t");
  EXPECT_TRUE(terminal().until_shows("bf16-true")) << terminal().text();
  EXPECT_TRUE(terminal().until_shows("32-true")) << terminal().text();
  const auto listed = terminal().text();  // the candidates, and no second time in the hint
  EXPECT_EQ(listed.find("bf16-true"), listed.rfind("bf16-true")) << listed;
  terminal().type("b\t");
  EXPECT_TRUE(last_row_becomes("tpulab:v3-8> precision bf16-true")) << terminal().text();
}

TEST_F(PromptOnScreen, control_r_finds_an_earlier_line) {
  open();
  terminal().type("show batch\rshow seed\r");
  ASSERT_TRUE(terminal().until_shows("> show seed"));
  terminal().type(
      "\x12"
      "bat");
  EXPECT_TRUE(last_row_becomes("(reverse-i-search)`bat': show batch")) << terminal().text();
  terminal().type("\x03");
  EXPECT_TRUE(last_row_becomes(prompt)) << terminal().text();
}

TEST_F(PromptOnScreen, pasted_lines_wait_for_enter) {
  open();
  terminal().type("\x1b[200~batch 64\rdevices [1]\r\x1b[201~");
  EXPECT_TRUE(last_row_becomes("tpulab:v3-8> batch 64␤devices [1]")) << terminal().text();
  EXPECT_FALSE(terminal().shows("> batch 64\n"));
  terminal().type("\r");
  EXPECT_TRUE(terminal().until_shows("> devices [1]")) << terminal().text();
  EXPECT_TRUE(terminal().until_shows("> batch 64")) << terminal().text();
}

TEST_F(PromptOnScreen, lightnings_six_lines_work_as_pasted) {
  open();
  terminal().type(
      "\x1b[200~"
      "trainer = Trainer(accelerator=\"auto\", devices=\"auto\", strategy=\"auto\")\n"
      "# default used by the Trainer\n"
      "trainer = Trainer()\n"
      "trainer = Trainer(accelerator=\"tpu\", devices=1)\n"
      "trainer = Trainer(accelerator=\"tpu\", devices=8)\n"
      "trainer = Trainer(accelerator=\"tpu\", devices=[1])\n"
      "trainer = Trainer(accelerator=\"tpu\", devices=\"auto\")\n"
      "\x1b[201~\rshow devices\r");
  EXPECT_TRUE(terminal().until_shows("> show devices")) << terminal().text();
  EXPECT_TRUE(terminal().until_shows("TPU available: True, using: 8 TPU cores"))
      << terminal().text();
}

TEST_F(PromptOnScreen, an_unknown_word_names_the_nearest_and_the_screen_goes_on) {
  open();
  terminal().type("bacth 64\r");
  EXPECT_TRUE(terminal().until_shows("> bacth 64")) << terminal().text();
  EXPECT_TRUE(terminal().until([&] {
    const auto text = terminal().text();
    return text.find("batch", text.find("> bacth 64")) != std::string::npos;
  })) << terminal().text();
}

TEST_F(PromptOnScreen, a_long_line_scrolls_sideways_with_the_cursor_in_view) {
  open();
  terminal().type(std::string(300, 'x') + "end");
  EXPECT_TRUE(terminal().until([&] { return terminal().row(39).ends_with("end"); }))
      << terminal().text();
  EXPECT_LT(terminal().cursor_column(), 120);
}

TEST_F(PromptOnScreen, a_megabyte_of_paste_is_taken_and_the_screen_goes_on) {
  open();
  terminal().type("\x1b[200~" + std::string(std::size_t{1} << 20, 'y') + "\x1b[201~");
  EXPECT_TRUE(terminal().until([&] { return terminal().row(39).ends_with("yyy"); }));
  terminal().type("\x15zzz");  // Ctrl-U empties the line
  EXPECT_TRUE(last_row_becomes("tpulab:v3-8> zzz")) << terminal().text();
}

TEST_F(PromptOnScreen, control_d_on_an_empty_line_leaves) {
  open();
  terminal().type("\x04");
  EXPECT_EQ(terminal().wait_for_exit(), 0);
}

TEST_F(PromptOnScreen, the_history_lasts_over_sessions) {
  open();
  terminal().type("show seed\r");
  ASSERT_TRUE(terminal().until_shows("> show seed"));
  leave();
  EXPECT_TRUE(std::filesystem::exists(home_.history()));
  open();
  terminal().type("\x1b[A\x1b[A");  // quit, show seed
  EXPECT_TRUE(last_row_becomes("tpulab:v3-8> show seed")) << terminal().text();
}

TEST_F(PromptOnScreen, a_full_disk_for_the_history_is_said_once_and_all_else_works) {
  std::filesystem::create_directories(home_.history().parent_path());
  std::filesystem::create_symlink("/dev/full", home_.history());
  open();
  terminal().type("show seed\r");
  ASSERT_TRUE(terminal().until_shows("No space left on device")) << terminal().text();
  terminal().type("clear\rshow batch\r");
  ASSERT_TRUE(terminal().until_shows("> show batch")) << terminal().text();
  EXPECT_FALSE(terminal().shows("No space left on device")) << terminal().text();
}

TEST_F(PromptOnScreen, vi_keys_work_for_those_who_set_them) {
  std::ofstream(home_.path() / ".inputrc") << "set editing-mode vi\n";
  open();
  terminal().type("batch 64");
  ASSERT_TRUE(last_row_becomes("tpulab:v3-8> batch 64"));
  terminal().type("\x1b");
  ASSERT_TRUE(terminal().until([&] { return terminal().cursor_column() == 20; }));
  terminal().type("0x");
  EXPECT_TRUE(last_row_becomes("tpulab:v3-8> atch 64")) << terminal().text();
}

TEST_F(PromptOnScreen, keys_that_stand_for_themselves_do_not_hang) {
  std::ofstream(home_.path() / ".inputrc") << "\"a\": \"a\"\n\"b\": \"cb\"\n\"d\": \"dd\"\n";
  open();
  for (const char* key : {"a", "b", "d"}) {
    terminal().type(key);
    terminal().type("\x15xyz");
    EXPECT_TRUE(last_row_becomes("tpulab:v3-8> xyz")) << terminal().text();
    terminal().type("\x15");
  }
}

TEST_F(PromptOnScreen, a_word_typed_over_a_long_reply_is_whole) {
  open();
  terminal().type("show all\r");
  ASSERT_TRUE(terminal().until_shows("Esc closes")) << terminal().text();
  terminal().type("gkjq");
  EXPECT_TRUE(last_row_becomes("tpulab:v3-8> gkjq")) << terminal().text();
  terminal().type("\x15show all\r");
  ASSERT_TRUE(terminal().until_shows("Esc closes")) << terminal().text();
  terminal().type("quit\r");
  EXPECT_EQ(terminal().wait_for_exit(), 0) << terminal().text();
}

TEST_F(PromptOnScreen, a_broken_inputrc_and_random_bytes_do_no_harm) {
  std::ofstream(home_.path() / ".inputrc") << "set editing-mode nonsense\n\"\\e[\": \"xx\n$if\n";
  open();
  std::uint32_t state = 12345;
  std::string noise;
  for (int i = 0; i < 20000; ++i) {
    state = state * 1664525U + 1013904223U;
    const char byte = static_cast<char>(state >> 24);
    const bool ends_it = byte == 3 || byte == 4 || byte == 26 || byte == 28 || byte == '\r';
    noise += ends_it ? 'x' : byte;  // all but the keys that leave, stop or enter
  }
  terminal().type(noise);
  terminal().type("\x1b[201~\x03\x03\x15\x15");
  terminal().settle();
  terminal().signal(SIGTERM);
  EXPECT_EQ(terminal().wait_for_exit(), 128 + SIGTERM);
}

}  // namespace
}  // namespace tpulab::e2e::prompt_test
