// The real program on a pseudo-terminal: what a person sees of a run.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/e2e/program_output.h"
#include "tests/e2e/terminal_emulator.h"

namespace tpulab::e2e::dashboard_test {
namespace {

class Dashboard : public testing::Test {
 protected:
  void open(Child child = {}) { terminal_ = std::make_unique<TerminalEmulator>(home_, child); }
  void open_without_run() { open({.command = {TPULAB_BINARY, "--no-run"}}); }
  TerminalEmulator& terminal() { return *terminal_; }

  // The digits behind the last place where `word` is shown, or empty.
  std::string figure_behind(const std::string& word) {
    const auto text = terminal().text();
    const auto at = text.rfind(word);
    if (at == std::string::npos) return "";
    const auto start = text.find_first_of("0123456789", at + word.size());
    const auto end = text.find_first_not_of("0123456789.,", start);
    return start == std::string::npos ? "" : text.substr(start, end - start);
  }

  FreshHome home_;
  std::unique_ptr<TerminalEmulator> terminal_;
};

TEST_F(Dashboard, opens_with_the_default_experiment_running) {
  open();
  ASSERT_TRUE(terminal().until_shows("tpulab:v3-8>")) << terminal().text();
  EXPECT_TRUE(terminal().alternate_screen());
  EXPECT_TRUE(terminal().until_shows("8 cores, identical")) << terminal().text();
  EXPECT_TRUE(terminal().until_shows("mlp 64-1024-1024-10")) << terminal().text();
  EXPECT_TRUE(terminal().until([&] {
    return terminal().cursor_row() == 39 && terminal().cursor_column() == 13;
  }));  // behind "tpulab:v3-8> "
}

TEST_F(Dashboard, shows_the_loss_falling_while_it_runs) {
  open();
  ASSERT_TRUE(terminal().until([&] { return !figure_behind("│ loss ").empty(); }))
      << terminal().text();
  const double first = std::stod(figure_behind("│ loss "));
  EXPECT_TRUE(terminal().until([&] {
    const auto now = figure_behind("│ loss ");
    return !now.empty() && std::stod(now) < first / 2;
  })) << terminal().text();
}

TEST_F(Dashboard, shows_all_cores_as_one_tile_and_each_at_a_key) {
  open();
  EXPECT_TRUE(terminal().until_shows("┌ 8 cores, identical")) << terminal().text();
  EXPECT_TRUE(terminal().until_shows("HHHH host tracing")) << terminal().text();
  terminal().type("\x1bOQ");  // F2
  for (const char* core : {"┌ core 0", "┌ core 3", "┌ core 4", "┌ core 7"}) {
    EXPECT_TRUE(terminal().until_shows(core)) << terminal().text();
  }
  EXPECT_TRUE(terminal().until([&] {
    return terminal().row(3).find("duty") != terminal().row(3).rfind("duty") &&
           terminal().row(3).find("useful") != std::string::npos;
  })) << terminal().text();
  terminal().type("\x1bOQ");
  EXPECT_TRUE(terminal().until_shows("┌ 8 cores, identical")) << terminal().text();
}

TEST_F(Dashboard, names_the_core_that_the_others_wait_for) {
  open_without_run();
  ASSERT_TRUE(terminal().until_shows("tpulab:v3-8>"));
  terminal().type("straggler core:5:3\rrun\r");
  EXPECT_TRUE(terminal().until_shows("┌ core 5, straggler")) << terminal().text();
  EXPECT_TRUE(terminal().until([&] {
    return terminal().row(2).find("the others wait ") != std::string::npos &&
           terminal().row(2).find("┌ 7 other cores, identical") != std::string::npos &&
           terminal().row(2).rfind(" a step ┐") != terminal().row(2).find(" a step ┐");
  })) << terminal().text();
}

TEST_F(Dashboard, finds_the_slow_core_of_a_pod_and_steps_through_the_metrics) {
  open_without_run();
  ASSERT_TRUE(terminal().until_shows("tpulab:v3-8>"));
  terminal().type("slice v3-2048; numbers off; straggler core:77:1.4\rrun\r");
  EXPECT_TRUE(terminal().until_shows("! #77 slow: 2,047 wait")) << terminal().text();
  // They wait less than 1 %, which no shade shows: the map begins with how busy they are.
  EXPECT_TRUE(terminal().until_shows("busy: ")) << terminal().text();
  for (const char* metric : {"useful: ", "HBM: ", "fallback: ", "link: ", "wait: ", "busy: "}) {
    terminal().type("\x1bOS");  // F4
    EXPECT_TRUE(terminal().until_shows(metric)) << terminal().text();
  }
}

TEST_F(Dashboard, tables_leave_out_columns_where_they_would_break_and_name_them) {
  for (const int columns : {60, 80}) {
    open({.command = {TPULAB_BINARY, "--no-run"}, .rows = 24, .columns = columns});
    ASSERT_TRUE(terminal().until_shows("tpulab:v3-8>"));
    terminal().type("compare v2-8 v3-8 v4-8 v5e-8 model=resnet50 stack=jax batch=32,128\r");
    ASSERT_TRUE(terminal().until_shows("no room here for: nearest, ")) << terminal().text();
    const std::string text = terminal().text();
    EXPECT_NE(text.find("in all rows: model: resnet50; stack: jax"), std::string::npos) << text;
    // Each row of the table is a line of its own.
    for (const char* row : {"v2-8      32  ", "v3-8     128  ", "v5e-8     32  "}) {
      const auto at = text.find(row);
      ASSERT_NE(at, std::string::npos) << text;
      EXPECT_NE(text.find(" ms", at), std::string::npos) << text;
      EXPECT_LT(text.find(" ms", at), text.find('\n', at)) << text;
    }
  }
}

TEST_F(Dashboard, says_the_time_left_and_what_binds_at_80_columns) {
  open({.command = {TPULAB_BINARY}, .rows = 24, .columns = 80});
  EXPECT_TRUE(terminal().until([&] {
    const std::string status = terminal().row(0);
    return status.find(" s left │ loss ") != std::string::npos &&
           status.find("│ bound: host tracing") != std::string::npos;
  })) << terminal().text();
}

TEST_F(Dashboard, leaves_three_lines_behind_and_the_last_of_them_does_it_again) {
  open_without_run();
  ASSERT_TRUE(terminal().until_shows("tpulab:v3-8>"));
  terminal().type("slice v3-32; numbers off; batch 64; max_epochs 2; straggler host:1:2\rrun\r");
  ASSERT_TRUE(terminal().until_shows("finished")) << terminal().text();
  terminal().type("quit\r");
  ASSERT_EQ(terminal().wait_for_exit(), 0);
  const std::string left = terminal().text();
  EXPECT_NE(left.find("run 1: mlp 64-1024-1024-10 on v3-32, finished"), std::string::npos) << left;
  EXPECT_NE(left.find("bound: "), std::string::npos) << left;
  const auto line = left.find("again: tpulab ");
  ASSERT_NE(line, std::string::npos) << left;
  const auto start = line + std::string("again: tpulab ").size();
  const Outcome again = run(left.substr(start, left.find('\n', start) - start));
  EXPECT_EQ(again.exit_code, 0) << again.output;
  EXPECT_NE(again.output.find("v3-32"), std::string::npos) << again.output;
  EXPECT_NE(again.output.find("run 1 finished"), std::string::npos) << again.output;
}

TEST_F(Dashboard, batch_64_recompiles_and_says_why) {
  open();
  ASSERT_TRUE(terminal().until_shows("first graph")) << terminal().text();
  terminal().type("batch 64\r");
  EXPECT_TRUE(terminal().until_shows("> batch 64")) << terminal().text();
  EXPECT_TRUE(terminal().until_shows("64 x 8 = 512 global")) << terminal().text();
  EXPECT_TRUE(terminal().until_shows("f32[32,64]")) << terminal().text();
}

TEST_F(Dashboard, devices_1_in_brackets_lights_one_core) {
  open_without_run();
  ASSERT_TRUE(terminal().until_shows("tpulab:v3-8>"));
  terminal().type("devices [1]\rrun\r");
  ASSERT_TRUE(terminal().until_shows("core 1 of 8")) << terminal().text();
  EXPECT_TRUE(terminal().until_shows("┌ core 1 ─")) << terminal().text();
  EXPECT_TRUE(terminal().until_shows("┌ 7 other cores (off)")) << terminal().text();
}

TEST_F(Dashboard, class_weights_count_up_an_op_that_falls_back) {
  open();
  ASSERT_TRUE(terminal().until_shows("first graph")) << terminal().text();
  terminal().type("class_weights on\r");
  ASSERT_TRUE(terminal().until_shows("aten::bincount")) << terminal().text();
  const auto count = [&] { return figure_behind("aten::bincount "); };
  ASSERT_TRUE(terminal().until([&] { return !count().empty(); })) << terminal().text();
  const auto first = count();
  EXPECT_TRUE(terminal().until([&] { return count() != first; })) << terminal().text();
}

// After Ctrl-L every cell is drawn anew: any difference was left behind by the old size.
TEST_F(Dashboard, a_resize_leaves_nothing_of_the_old_screen_behind) {
  open();
  ASSERT_TRUE(terminal().until_shows("epoch 1/")) << terminal().text();
  terminal().type("stop\r");
  ASSERT_TRUE(terminal().until_shows("stopped")) << terminal().text();
  ASSERT_TRUE(terminal().until_shows("Enter applies")) << terminal().text();
  struct Size {
    int rows, columns;
  };
  for (const auto& [rows, columns] : {Size{24, 80}, Size{16, 60}, Size{10, 40}, Size{40, 120}}) {
    terminal().resize(rows, columns);
    ASSERT_TRUE(terminal().until([&, last = rows - 1] {
      return terminal().row(last) == "tpulab:v3-8>" && terminal().row(0).starts_with(" #1");
    })) << terminal().text();
    terminal().settle();
    const auto resized = terminal().text();
    terminal().type("\f");
    terminal().settle();
    EXPECT_EQ(resized, terminal().text());
    EXPECT_EQ(terminal().cursor_row(), rows - 1);
  }
}

TEST_F(Dashboard, survives_a_storm_of_sizes) {
  open();
  ASSERT_TRUE(terminal().until_shows("tpulab:v3-8>"));
  for (int i = 0; i < 200; ++i) {
    terminal().resize(1 + i * 7 % 60, 1 + i * 31 % 200);
    terminal().until([] { return true; });
  }
  terminal().resize(24, 80);
  terminal().type("zzz");
  EXPECT_TRUE(terminal().until([&] { return terminal().row(23) == "tpulab:v3-8> zzz"; }))
      << terminal().text();
}

TEST_F(Dashboard, a_screen_that_is_too_small_keeps_its_prompt) {
  open({.command = {TPULAB_BINARY, "--no-run"}, .rows = 5, .columns = 30});
  ASSERT_TRUE(terminal().until_shows("tpulab:v3-8>")) << terminal().text();
  EXPECT_TRUE(terminal().until_shows("60x16 needed")) << terminal().text();
  terminal().type("batch 64");
  EXPECT_TRUE(terminal().until_shows("tpulab:v3-8> batch 64")) << terminal().text();
}

TEST_F(Dashboard, control_c_stops_the_run_and_not_the_program) {
  open();
  ASSERT_TRUE(terminal().until_shows("first graph")) << terminal().text();
  terminal().type("\x03");
  EXPECT_TRUE(terminal().until_shows("stopped")) << terminal().text();
  terminal().type("\x03");
  EXPECT_TRUE(terminal().until_shows("Ctrl-D or quit leaves")) << terminal().text();
  terminal().type("show batch\r");
  EXPECT_TRUE(terminal().until_shows("> show batch")) << terminal().text();
}

TEST_F(Dashboard, control_c_with_a_half_typed_line_clears_that_and_the_run_goes_on) {
  open();
  ASSERT_TRUE(terminal().until_shows("first graph")) << terminal().text();
  terminal().type("batch 6");
  ASSERT_TRUE(terminal().until_shows("> batch 6")) << terminal().text();
  terminal().type("\x03");
  ASSERT_TRUE(terminal().until([&] { return terminal().row(39) == "tpulab:v3-8>"; }))
      << terminal().text();
  EXPECT_FALSE(terminal().shows("> stop")) << terminal().text();
  terminal().type("\x03");
  EXPECT_TRUE(terminal().until_shows("the run ends after its current step")) << terminal().text();
  EXPECT_TRUE(terminal().until_shows("stopped")) << terminal().text();
  // Where it has ended, the prompt's hint no longer says that it will.
  EXPECT_TRUE(terminal().until([&] { return !terminal().shows("Ctrl-C: the run ends"); }))
      << terminal().text();
}

TEST_F(Dashboard, run_and_pause_on_one_line_pause_that_run) {
  open_without_run();
  ASSERT_TRUE(terminal().until_shows("tpulab:v3-8>"));
  terminal().type("run; pause\r");
  EXPECT_TRUE(terminal().until_shows("the run pauses after its current step")) << terminal().text();
  EXPECT_TRUE(terminal().until_shows("‖ paused")) << terminal().text();
}

TEST_F(Dashboard, a_letter_that_ends_a_run_must_come_twice) {
  open();
  ASSERT_TRUE(terminal().until_shows("first graph")) << terminal().text();
  terminal().type("\x1b");
  ASSERT_TRUE(terminal().until_shows("p pause")) << terminal().text();
  terminal().type("x");
  ASSERT_TRUE(terminal().until_shows("x again ends the run")) << terminal().text();
  EXPECT_FALSE(terminal().shows("> stop")) << terminal().text();
  terminal().type("r");
  ASSERT_TRUE(terminal().until_shows("r again ends it and starts a new one")) << terminal().text();
  EXPECT_FALSE(terminal().shows("> run\n")) << terminal().text();
  terminal().type("xx");
  EXPECT_TRUE(terminal().until_shows("stopped")) << terminal().text();
}

// The prompt's words are kept below a long reply, and what is typed over it is not lost.
TEST_F(Dashboard, a_long_reply_opens_over_the_panes_at_every_size) {
  struct Size {
    int rows, columns;
  };
  for (const auto& [rows, columns] : {Size{40, 120}, Size{24, 80}, Size{16, 60}, Size{10, 40}}) {
    open({.command = {TPULAB_BINARY, "--no-run"}, .rows = rows, .columns = columns});
    ASSERT_TRUE(terminal().until_shows("tpulab:v3-8>"));
    terminal().type("show all\rbat");
    ASSERT_TRUE(terminal().until_shows("closes ")) << terminal().text();
    const int last = rows - 1;
    ASSERT_TRUE(terminal().until([&] { return terminal().row(last) == "tpulab:v3-8> bat"; }))
        << terminal().text();
    terminal().type("\x1b[F");
    EXPECT_TRUE(terminal().until_shows("  format ")) << terminal().text();  // the last one
    terminal().type("ch 64");                                               // closes it
    EXPECT_TRUE(terminal().until([&] { return terminal().row(last) == "tpulab:v3-8> batch 64"; }))
        << terminal().text();
    EXPECT_TRUE(terminal().until_gone("closes ")) << terminal().text();
  }
}

TEST_F(Dashboard, a_long_answer_that_comes_later_opens_only_if_nobody_types) {
  open({.command = {TPULAB_BINARY, "--no-run"}, .rows = 24, .columns = 80});
  ASSERT_TRUE(terminal().until_shows("tpulab:v3-8>"));
  terminal().type("sweep batch=32,64,128\r");
  EXPECT_TRUE(terminal().until_shows("┌ answer ")) << terminal().text();
  terminal().type("\x1b");
  EXPECT_TRUE(terminal().until_gone("┌ answer ")) << terminal().text();
  terminal().type("sweep batch=32,64,128\rbat");
  EXPECT_TRUE(terminal().until_shows("F3 shows the output")) << terminal().text();
  terminal().type("\x1bOR");
  EXPECT_TRUE(terminal().until_shows("┌ output ")) << terminal().text();
}

TEST_F(Dashboard, a_lesson_beside_a_run_is_read_from_its_first_word) {
  const auto file = home_.path() / "a.lesson";
  std::ofstream(file) << "title A\nabout b\nhides c\n> run max_steps=2\nstop\nsay First word. "
                      << std::string(600, 'x') << "\nstop\n";
  open({.command = {TPULAB_BINARY, "--no-run"}, .rows = 24, .columns = 80});
  ASSERT_TRUE(terminal().until_shows("tpulab:v3-8>"));
  terminal().type("lesson " + file.string() + "\r");
  ASSERT_TRUE(terminal().until_shows("Enter types:  run max_steps=2")) << terminal().text();
  terminal().type("\r");
  ASSERT_TRUE(terminal().until_shows("Enter goes on\n Enter goes on |")) << terminal().text();
  terminal().type("\r");
  EXPECT_TRUE(terminal().until_shows("First word.")) << terminal().text();
  EXPECT_TRUE(terminal().until_shows("┌ reply ")) << terminal().text();
}

TEST_F(Dashboard, page_keys_scroll_the_output_and_back) {
  open({.command = {TPULAB_BINARY, "--no-run"}, .rows = 24, .columns = 80});
  ASSERT_TRUE(terminal().until_shows("tpulab:v3-8>"));
  for (const char* word : {"batch", "seed", "devices", "slice", "precision"}) {
    terminal().type(std::string("show ") + word + "\r");
    ASSERT_TRUE(terminal().until_shows(std::string("> show ") + word)) << terminal().text();
  }
  for (int i = 0; i < 9; ++i) terminal().type("\x1b[5~");
  EXPECT_TRUE(terminal().until_shows("> show batch")) << terminal().text();
  EXPECT_TRUE(terminal().until_shows("newer lines below")) << terminal().text();
  for (int i = 0; i < 9; ++i) terminal().type("\x1b[6~");
  EXPECT_TRUE(terminal().until_gone("newer lines below")) << terminal().text();
}

TEST_F(Dashboard, f1_opens_the_help_and_escape_closes_it) {
  open_without_run();
  ASSERT_TRUE(terminal().until_shows("no loss yet"));
  terminal().type("\x1bOP");
  ASSERT_TRUE(terminal().until_gone("no loss yet")) << terminal().text();
  EXPECT_TRUE(terminal().until_shows("batch")) << terminal().text();
  EXPECT_FALSE(terminal().cursor_visible());
  terminal().type("\x1b");
  EXPECT_TRUE(terminal().until_shows("no loss yet")) << terminal().text();
  EXPECT_TRUE(terminal().until([&] { return terminal().cursor_visible(); }));
}

TEST_F(Dashboard, escape_on_an_empty_line_gives_letters_to_the_panes) {
  open();
  ASSERT_TRUE(terminal().until_shows("first graph")) << terminal().text();
  terminal().type("\x1b");
  ASSERT_TRUE(terminal().until_shows("p pause")) << terminal().text();
  terminal().type("p");
  ASSERT_TRUE(terminal().until_shows("paused")) << terminal().text();
  terminal().type(":");
  ASSERT_TRUE(terminal().until_gone("p pause")) << terminal().text();
  terminal().type("pq");
  EXPECT_TRUE(terminal().until_shows("tpulab:v3-8> pq")) << terminal().text();
}

TEST_F(Dashboard, nothing_is_written_while_nothing_changes) {
  open_without_run();
  ASSERT_TRUE(terminal().until_shows("tpulab:v3-8>"));
  terminal().settle();
  const auto before = terminal().received().size();
  terminal().until([] { return false; }, std::chrono::milliseconds(500));
  EXPECT_EQ(terminal().received().size(), before);
}

}  // namespace
}  // namespace tpulab::e2e::dashboard_test
