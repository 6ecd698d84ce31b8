// The real program on a pseudo-terminal: walking through its panes, and what it offers unasked.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/e2e/terminal_emulator.h"

namespace tpulab::e2e::walking_test {
namespace {

class Walking : public testing::Test {
 protected:
  void open(const Child& child = {}) {
    terminal_ = std::make_unique<TerminalEmulator>(home_, child);
  }
  void open_without_run() { open({.command = {TPULAB_BINARY, "--no-run"}}); }
  TerminalEmulator& terminal() { return *terminal_; }

  FreshHome home_;
  std::unique_ptr<TerminalEmulator> terminal_;
};

TEST_F(Walking, tab_walks_to_a_pane_and_enter_tells_a_compiles_cause_in_full) {
  open();
  ASSERT_TRUE(terminal().until_shows("and 11 more")) << terminal().text();
  terminal().type("\x1b");
  ASSERT_TRUE(terminal().until_shows("explain it")) << terminal().text();
  terminal().type("\t\t\t");
  ASSERT_TRUE(terminal().until_shows("┏ compiles ━")) << terminal().text();
  terminal().type("\x1b[B\x1b[A");
  terminal().type("\r");
  EXPECT_TRUE(terminal().until_shows("Why the cache had no program for it:")) << terminal().text();
  terminal().type("\x1b");
  EXPECT_TRUE(terminal().until_gone("Why the cache")) << terminal().text();
  EXPECT_TRUE(terminal().until_shows("┏ compiles ━")) << terminal().text();
}

TEST_F(Walking, enter_on_the_devices_explains_a_core) {
  open_without_run();
  ASSERT_TRUE(terminal().until_shows("tpulab:v3-8>"));
  terminal().type("numbers off; pace max; run\r");
  ASSERT_TRUE(terminal().until_shows("finished")) << terminal().text();
  terminal().type("\x1b");
  ASSERT_TRUE(terminal().until_shows("explain it")) << terminal().text();
  terminal().type("\r");
  EXPECT_TRUE(terminal().until_shows("useful utilisation = ")) << terminal().text();
  EXPECT_TRUE(terminal().shows("┌ 8 cores, identical")) << terminal().text();
  EXPECT_TRUE(terminal().shows("duty cycle = time in the program")) << terminal().text();
}

TEST_F(Walking, verbs_typed_in_the_panes_reach_the_prompt_whole) {
  open();
  ASSERT_TRUE(terminal().until_shows("first graph")) << terminal().text();
  for (const char* verb : {"slice v3", "pause", "explain", "quit", "run", "metrics", "batch 64"}) {
    terminal().type("\x1b");
    ASSERT_TRUE(terminal().until_shows("explain it")) << terminal().text();
    terminal().type(verb);
    const std::string line = std::string("tpulab:v3-8> ") + verb;
    EXPECT_TRUE(terminal().until([&] { return terminal().row(39) == line; })) << terminal().text();
    terminal().type("\x15");
    ASSERT_TRUE(terminal().until([&] { return terminal().row(39) == "tpulab:v3-8>"; }));
  }
  EXPECT_FALSE(terminal().shows("paused"));
}

TEST_F(Walking, a_number_typed_in_the_panes_answers_a_lesson_that_asks) {
  open_without_run();
  ASSERT_TRUE(terminal().until_shows("tpulab:v3-8>"));
  terminal().type("lesson 7\r");
  ASSERT_TRUE(terminal().until_shows("? How many programs")) << terminal().text();
  EXPECT_TRUE(terminal().until([&] { return terminal().row(39) == "tpulab:v3-8>"; }));
  terminal().type("\x1b");  // its first words are longer than the pane and lie over all of them
  ASSERT_TRUE(terminal().until([&] { return !terminal().shows("Esc closes"); }));
  terminal().type("\x1b");
  ASSERT_TRUE(terminal().until_shows("explain it")) << terminal().text();
  terminal().type("0");
  EXPECT_TRUE(terminal().until([&] { return terminal().row(39) == "tpulab:v3-8> 0"; }))
      << terminal().text();
  terminal().type("\r");
  EXPECT_TRUE(terminal().until_shows("noted: 0")) << terminal().text();
}

TEST_F(Walking, a_click_focuses_a_pane_and_f7_gives_the_mouse_back) {
  open_without_run();
  ASSERT_TRUE(terminal().until_shows("no loss yet"));
  EXPECT_NE(terminal().received().find("\x1b[?1000h\x1b[?1006h"), std::string::npos);
  terminal().type("\x1b[<0;5;20M\x1b[<0;5;20m");
  EXPECT_TRUE(terminal().until_shows("┏ loss ━")) << terminal().text();
  terminal().type("\x1b[<0;5;40M");  // the prompt
  EXPECT_TRUE(terminal().until_shows("┌ loss ─")) << terminal().text();
  terminal().type("\x1b[18~");
  EXPECT_TRUE(terminal().until_shows("the mouse is off")) << terminal().text();
  EXPECT_NE(terminal().received().find("\x1b[?1006l\x1b[?1000l"), std::string::npos);
  open({.command = {TPULAB_BINARY, "--no-run", "--no-mouse"}});
  ASSERT_TRUE(terminal().until_shows("no loss yet"));
  EXPECT_EQ(terminal().received().find("\x1b[?1000h"), std::string::npos);
}

TEST_F(Walking, y_copies_a_pane_and_question_mark_lists_the_keys) {
  open_without_run();
  ASSERT_TRUE(terminal().until_shows("no loss yet"));
  terminal().type("\x1b");
  ASSERT_TRUE(terminal().until_shows("explain it"));
  terminal().type("\t\ty");
  EXPECT_TRUE(terminal().until_shows("1 line copied")) << terminal().text();
  EXPECT_NE(terminal().received().find("\x1b]52;c;bm8gbG9zcyB5ZXQK\x07"), std::string::npos);
  terminal().type("?");
  EXPECT_TRUE(terminal().until_shows("this pane as text to the clipboard")) << terminal().text();
}

TEST_F(Walking, a_search_finds_a_line_of_the_output_and_freeze_holds_the_figures) {
  open({.command = {TPULAB_BINARY, "--no-run"}, .rows = 24, .columns = 80});
  ASSERT_TRUE(terminal().until_shows("tpulab:v3-8>"));
  for (const char* word : {"batch", "seed", "devices", "slice", "precision"}) {
    terminal().type(std::string("show ") + word + "\r");
    ASSERT_TRUE(terminal().until_shows(std::string("> show ") + word)) << terminal().text();
  }
  terminal().type("\x1b");
  ASSERT_TRUE(terminal().until_shows("explain it"));
  terminal().type("/SHOW BATCH\r");
  EXPECT_TRUE(terminal().until_shows("> show batch")) << terminal().text();
  terminal().type("f");
  EXPECT_TRUE(terminal().until_shows("frozen")) << terminal().text();
  terminal().type("f");
  EXPECT_TRUE(terminal().until_gone("frozen")) << terminal().text();
  // The first letter of a word was no key, and has frozen nothing.
  terminal().type("freeze\r");
  EXPECT_TRUE(terminal().until_shows("frozen: freeze off goes on")) << terminal().text();
  terminal().type("freeze off\r");
  EXPECT_TRUE(terminal().until_gone("frozen:")) << terminal().text();
  terminal().type("\x1b");
  ASSERT_TRUE(terminal().until_shows("explain it"));
  terminal().type("forecast");
  EXPECT_TRUE(terminal().until_shows("tpulab:v3-8> forecast")) << terminal().text();
  EXPECT_EQ(terminal().text().find("frozen:"), std::string::npos) << terminal().text();
}

TEST_F(Walking, a_line_under_the_status_advises_and_enter_applies_it) {
  open_without_run();
  ASSERT_TRUE(terminal().until_shows("first time here?")) << terminal().text();
  terminal().type("pace max; run max_steps=60\r");
  ASSERT_TRUE(terminal().until_gone("first time here?")) << terminal().text();
  ASSERT_TRUE(terminal().until([&] {
    return terminal().row(1).find(" -> batch ") != std::string::npos &&
           terminal().row(1).ends_with("changes what is learned, Enter applies");
  })) << terminal().text();
  terminal().type("\r");
  EXPECT_TRUE(terminal().until_shows("> batch ")) << terminal().text();
  EXPECT_TRUE(terminal().until_shows(" global")) << terminal().text();
}

TEST_F(Walking, the_first_start_offers_three_keys_once_and_never_again) {
  open_without_run();
  ASSERT_TRUE(terminal().until_shows("1 the default run")) << terminal().text();
  terminal().type("2");
  EXPECT_TRUE(terminal().until_shows("! #77 slow: 2,047 wait")) << terminal().text();
  terminal().type("1");
  EXPECT_TRUE(terminal().until_shows("tpulab:v3-8>")) << terminal().text();
  EXPECT_TRUE(terminal().until_shows("run 2: mlp ")) << terminal().text();
  terminal().type("batch 64\r");
  EXPECT_TRUE(terminal().until_gone("first time here?")) << terminal().text();
  terminal().type("1");
  EXPECT_TRUE(terminal().until_shows("tpulab:v3-8> 1")) << terminal().text();
  terminal().type("\x15quit\r");
  ASSERT_EQ(terminal().wait_for_exit(), 0);
  open_without_run();
  ASSERT_TRUE(terminal().until_shows("no loss yet")) << terminal().text();
  EXPECT_FALSE(terminal().shows("first time here?"));
}

TEST_F(Walking, the_key_of_the_map_says_what_has_one) {
  open_without_run();
  ASSERT_TRUE(terminal().until_shows("no loss yet"));
  terminal().type("\x1bOS");  // F4
  EXPECT_TRUE(terminal().until_shows("the map shows a pod as it runs: try slice v3-2048"))
      << terminal().text();
}

TEST_F(Walking, an_enter_right_behind_a_digit_applies_no_advice_that_was_not_on_the_screen) {
  open();
  ASSERT_TRUE(terminal().until_shows(" 20/120")) << terminal().text();
  terminal().settle(std::chrono::seconds(1));  // its advice is worked out, and the offers hide it
  ASSERT_TRUE(terminal().shows("1 the default run")) << terminal().text();
  terminal().type("1");
  terminal().type("\r");
  ASSERT_TRUE(terminal().until_shows("run 2: mlp ")) << terminal().text();
  ASSERT_TRUE(terminal().until_shows("epoch 1/20")) << terminal().text();
  EXPECT_FALSE(terminal().shows("> batch ")) << terminal().text();
}

TEST_F(Walking, a_digit_and_its_enter_in_one_read_are_the_digit) {
  open_without_run();
  ASSERT_TRUE(terminal().until_shows("1 the default run")) << terminal().text();
  terminal().type("1\r");
  EXPECT_TRUE(terminal().until_shows("run 1: mlp ")) << terminal().text();
  EXPECT_FALSE(terminal().shows("unknown command")) << terminal().text();
}

TEST_F(Walking, the_third_key_looks_into_a_core_and_its_clocks_can_be_stepped) {
  open_without_run();
  ASSERT_TRUE(terminal().until_shows("3 look into a core")) << terminal().text();
  terminal().type("3");
  ASSERT_TRUE(terminal().until_shows("kernel 1 of ")) << terminal().text();
  EXPECT_TRUE(terminal().until_shows("clock 1 of ")) << terminal().text();
  EXPECT_TRUE(terminal().shows("the first weights load")) << terminal().text();
  terminal().type("\x1b[C\x1b[C");
  EXPECT_TRUE(terminal().until_shows("clock 33 of ")) << terminal().text();  // 2 x 128 / 8
  for (int i = 0; i < 6; ++i) terminal().type("\x1b[C");
  EXPECT_TRUE(terminal().until_shows("rows stream")) << terminal().text();
  terminal().type(" ");
  EXPECT_TRUE(terminal().until_shows("the last sums drain")) << terminal().text();
  terminal().type("\x1b");
  EXPECT_TRUE(terminal().until_gone("kernel 1 of ")) << terminal().text();
}

TEST_F(Walking, compare_last_puts_the_cold_and_the_warm_run_on_one_scale) {
  // High at first: what the run says at its end may come behind the reply.
  open({.command = {TPULAB_BINARY, "--no-run"}, .rows = 80, .columns = 80});
  ASSERT_TRUE(terminal().until_shows("tpulab:v3-8>"));
  terminal().type("set pace=max max_epochs=1; run; wait; compare last\r");
  ASSERT_TRUE(terminal().until_shows("there is one so far")) << terminal().text();
  ASSERT_TRUE(terminal().until_shows("kept as 1")) << terminal().text();
  terminal().resize(24, 80);
  terminal().type("run; wait; compare last\r");
  ASSERT_TRUE(terminal().until_shows("runs beside each other")) << terminal().text();
  for (const char* words : {"run 1, cold (", "run 2, warm (", "0 s    -100 %", "a steady step"}) {
    EXPECT_TRUE(terminal().until_shows(words)) << terminal().text();
  }
  EXPECT_TRUE(terminal().shows("╱╱╱")) << terminal().text();
  EXPECT_TRUE(terminal().until_shows("F3 tells it in words")) << terminal().text();
  terminal().type("\r");
  EXPECT_TRUE(terminal().until_shows("As they ran")) << terminal().text();
  terminal().type("\x1b");
  EXPECT_TRUE(terminal().until_gone("As they ran")) << terminal().text();
  terminal().type("\x1b");
  EXPECT_TRUE(terminal().until_gone("runs beside each other")) << terminal().text();
}

TEST_F(Walking, a_comparison_that_was_held_leaves_the_keyboard_to_who_types) {
  open({.command = {TPULAB_BINARY, "--no-run"}, .rows = 80, .columns = 80});
  ASSERT_TRUE(terminal().until_shows("tpulab:v3-8>"));
  terminal().type("set pace=max max_epochs=1; run; wait; run; wait; compare last\rbatch 6");
  ASSERT_TRUE(terminal().until_shows("phases of a steady step")) << terminal().text();
  EXPECT_TRUE(terminal().until_shows("b in the panes shows both")) << terminal().text();
  terminal().type("4\r");
  EXPECT_TRUE(terminal().until_shows("> batch 64")) << terminal().text();
  EXPECT_FALSE(terminal().shows("runs beside each other"));
}

TEST_F(Walking, runs_diff_shows_no_strips_of_other_runs) {
  open({.command = {TPULAB_BINARY, "--no-run"}, .rows = 80, .columns = 80});
  ASSERT_TRUE(terminal().until_shows("tpulab:v3-8>"));
  terminal().type("set pace=max max_epochs=1; run; wait; run; wait; run; wait; runs diff 1 3\r");
  ASSERT_TRUE(terminal().until_shows("phases of a steady step")) << terminal().text();
  EXPECT_FALSE(terminal().shows("runs beside each other"));
}

TEST_F(Walking, a_theme_is_remembered) {
  open_without_run();
  ASSERT_TRUE(terminal().until_shows("tpulab:v3-8>"));
  terminal().type("theme light\r");
  ASSERT_TRUE(terminal().until_shows("> theme light")) << terminal().text();
  terminal().type("quit\r");
  ASSERT_EQ(terminal().wait_for_exit(), 0);
  std::ifstream file(home_.path() / "state/tpulab/theme");
  std::string name;
  EXPECT_TRUE(std::getline(file, name) && name == "light") << name;
}

}  // namespace
}  // namespace tpulab::e2e::walking_test
