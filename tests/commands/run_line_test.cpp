#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine/base/error.h"
#include "tests/commands/desk.h"

namespace tpulab::run_line_test {
namespace {

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

TEST(Commands, have_their_own_names_apart_from_the_settings) {
  std::set<std::string_view> names;
  for (const Command* command : all_commands()) {
    EXPECT_TRUE(names.insert(command->name).second) << command->name;
    EXPECT_TRUE(command->usage.starts_with(command->name));
    EXPECT_TRUE(command->summary.ends_with('.')) << command->name;
    EXPECT_EQ(find_setting(command->name), nullptr) << command->name;
    EXPECT_EQ(find_command(command->name), command);
  }
}

TEST(RunLine, a_settings_name_alone_sets_it) {
  Desk desk;
  EXPECT_EQ(desk.answer("batch 64"),
            "batch 64: 64 x 8 = 512 global; the next step recompiles unless it is cached");
  EXPECT_EQ(desk.settings.batch, 64);
  desk.type("batch=48");
  EXPECT_EQ(desk.settings.batch, 48);
  desk.type("batch = 16");
  EXPECT_EQ(desk.settings.batch, 16);
  desk.type("set batch 8");
  EXPECT_EQ(desk.settings.batch, 8);
  desk.type("devices [1]  # the 2nd");
  EXPECT_EQ(desk.settings.devices, "[1]");
  desk.type("hidden 32 16");
  EXPECT_EQ(desk.settings.hidden, (std::vector<std::int64_t>{32, 16}));
}

TEST(RunLine, quotes_that_a_text_processor_made_typographic_are_quotes) {
  Desk desk;
  desk.type("model \u201cconv 4 3x3 relu | dense 10\u201d");
  EXPECT_EQ(desk.settings.model, "conv 4 3x3 relu | dense 10");
}

TEST(RunLine, an_unknown_model_is_told_the_nearest_whatever_its_case) {
  Desk desk;
  EXPECT_EQ(desk.answer("model GPT-tinny"),
            "unknown model 'GPT-tinny'; did you mean gpt-tiny? `help models` lists all");
  EXPECT_TRUE(has(desk.answer("model zzz"), "unknown model 'zzz'; `help models` lists all"));
}

TEST(RunLine, a_settings_name_without_a_value_shows_it) {
  Desk desk;
  EXPECT_TRUE(has(desk.answer("batch"), "batch 32: 32 x 8 = 256 global\n"));
  EXPECT_EQ(desk.answer("batch"), desk.answer("show batch"));
  EXPECT_EQ(desk.answer("batch"), desk.answer("set batch"));
}

TEST(RunLine, several_settings_on_one_line_go_together_or_not_at_all) {
  Desk desk;
  EXPECT_FALSE(desk.type("batch=64 devices=1").failed);
  EXPECT_EQ(desk.settings.batch, 64);
  EXPECT_TRUE(desk.type("batch=32 devices=4").failed);
  EXPECT_EQ(desk.settings.batch, 64);
}

TEST(RunLine, an_unknown_word_is_told_the_nearest_and_its_usage) {
  Desk desk;
  EXPECT_TRUE(desk.type("setp 3").failed);
  EXPECT_EQ(desk.answer("metrcis"),
            "unknown command 'metrcis'; did you mean metrics? usage: metrics "
            "[version=1.13|2.9 | compare FILE FILE]");
  EXPECT_EQ(desk.answer("bathc 64"),
            "unknown command 'bathc'; did you mean batch? usage: batch VALUE, which is a whole "
            "number from 1 to 16,777,216, or 1/N of a row");
  EXPECT_EQ(desk.answer("bathc=64"), "unknown setting 'bathc'; did you mean batch?");
  EXPECT_TRUE(has(desk.answer("zzzzzz"), "`help` lists commands and settings"));
}

TEST(RunLine, a_verb_with_words_it_does_not_take_is_told_its_usage) {
  Desk desk;
  EXPECT_EQ(desk.answer("stop now"), "stop takes nothing behind it, not 'now'; usage: stop");
  EXPECT_TRUE(has(desk.answer("step 0"), "from 1 to 1,000,000"));
  EXPECT_TRUE(has(desk.answer("step x"), "usage: step [N]"));
  EXPECT_TRUE(has(desk.answer("run 5"), "usage: run [NAME=VALUE ...]"));
  EXPECT_TRUE(has(desk.answer("reset all"), "usage: reset [settings | NAME]"));
}

TEST(RunLine, nothing_and_comments_answer_nothing) {
  Desk desk;
  for (const std::string_view line : {"", "   ", "# run on one TPU core", ";", "\t#"}) {
    const Reply reply = desk.type(line);
    EXPECT_TRUE(reply.lines.empty()) << line;
    EXPECT_FALSE(reply.failed) << line;
  }
}

TEST(RunLine, commands_of_a_line_run_up_to_the_first_that_fails) {
  Desk desk;
  const Reply reply = desk.type("batch 16; batch 0; batch 8");
  EXPECT_TRUE(reply.failed);
  EXPECT_EQ(reply.lines.size(), 2U);
  EXPECT_EQ(desk.settings.batch, 16);
}

TEST(RunLine, the_six_lines_of_lightnings_page_do_what_it_says) {
  const std::string all =
      "GPU available: False, used: False\nTPU available: True, using: 8 TPU "
      "cores\nthe next run: 32 x 8 = 256 global, all 8 cores of v3-8, f32";
  const std::string one =
      "GPU available: False, used: False\nTPU available: True, using: 1 TPU "
      "cores\nthe next run: 32 x 1 = 32 global, core ";
  Desk desk{Settings()};
  EXPECT_EQ(desk.answer("# run on as many TPUs as available by default"), "");
  EXPECT_EQ(desk.answer("trainer = Trainer(accelerator=\"auto\", devices=\"auto\", "
                        "strategy=\"auto\")"),
            all);
  EXPECT_EQ(desk.answer("trainer = Trainer()"), all);
  EXPECT_EQ(desk.answer("trainer = Trainer(accelerator=\"tpu\", devices=1)"),
            one + "0 (the 1st of 8), f32");
  EXPECT_EQ(desk.answer("trainer = Trainer(accelerator=\"tpu\", devices=8)"), all);
  EXPECT_EQ(desk.answer("trainer = Trainer(accelerator=\"tpu\", devices=[1])"),
            one + "1 (the 2nd of 8), f32");
  EXPECT_EQ(chosen_devices(desk.settings), (std::vector<int>{1}));
  EXPECT_EQ(desk.answer("trainer = Trainer(accelerator=\"tpu\", devices=\"auto\")"), all);
}

TEST(RunLine, a_trainer_puts_what_it_does_not_name_back_to_the_defaults) {
  Desk desk;
  desk.type("devices [3]; precision bf16-true; batch 8");
  desk.type("Trainer(max_epochs=2)");
  EXPECT_EQ(desk.settings.devices, "auto");
  EXPECT_EQ(desk.settings.precision, "32-true");
  EXPECT_EQ(desk.settings.max_epochs, 2);
  EXPECT_EQ(desk.settings.batch, 8) << "the batch belongs to the loader, not to Trainer";
}

TEST(RunLine, a_trainer_that_is_refused_changes_nothing) {
  Desk desk;
  desk.type("devices [3]");
  const Settings before = desk.settings;
  EXPECT_TRUE(has(desk.answer("Trainer(devices=4)"), "`devices` can only be 'auto', 1, 8 or "));
  EXPECT_TRUE(has(desk.answer("Trainer(max_epochs=2, precision='16-mixed')"),
                  "`precision='16-mixed')` is not supported in XLA."));
  EXPECT_TRUE(has(desk.answer("Trainer(accelerator='TPU')"), "`accelerator='TPU'`"));
  EXPECT_TRUE(has(desk.answer("Trainer(devices=None)"), "but you passed None"));
  EXPECT_EQ(desk.settings, before);
}

TEST(RunLine, a_run_in_a_script_ends_before_the_next_command) {
  Desk desk;
  EXPECT_FALSE(desk.type("run max_steps=3").failed);
  const RunView run = desk.engine.latest()->run;
  EXPECT_EQ(run.state, RunState::finished);
  EXPECT_EQ(run.step, 3);
  EXPECT_EQ(desk.settings.max_steps, 12) << "a value given to run holds for that run only";
}

TEST(RunLine, waiting_hands_out_what_happens_meanwhile) {
  Desk desk;
  int calls = 0;
  desk.context.while_waiting = [&calls] { ++calls; };
  desk.type("pace real; run max_steps=2");  // its compile takes a third of a second of TPU time
  EXPECT_GT(calls, 0);
}

TEST(RunLine, steps_are_trained_one_by_one_and_resume_goes_on) {
  Desk desk;
  EXPECT_EQ(desk.answer("step 2"), "run 1 paused at step 2");
  EXPECT_EQ(desk.answer("step"), "run 1 paused at step 3");
  EXPECT_FALSE(desk.type("resume").failed);
  EXPECT_EQ(desk.engine.latest()->run.step, 12);
}

TEST(RunLine, a_live_setting_reaches_a_paused_run_and_its_own_values_stay) {
  Desk desk;
  desk.type("hidden 8; step 1");
  desk.news();
  desk.type("batch 16");
  desk.type("step 1");
  std::string news;
  for (const std::string& line : desk.news()) news += line;
  EXPECT_TRUE(has(news, "f32[32,64] -> f32[16,64]")) << news;
}

TEST(RunLine, what_finds_no_run_fails_and_stop_is_harmless_behind_one_that_has_ended) {
  Desk desk;
  for (const std::string verb : {"pause", "stop", "resume"}) {
    EXPECT_TRUE(desk.type(verb).failed && has(desk.answer(verb), "`run` starts one")) << verb;
  }
  EXPECT_FALSE(desk.type("step 1; stop").failed);
  EXPECT_EQ(desk.engine.latest()->run.state, RunState::stopped);
  EXPECT_EQ(desk.answer("stop"), "run 1 has ended already");
}

TEST(RunLine, a_run_that_would_never_end_is_refused_in_a_script) {
  Desk desk;
  EXPECT_TRUE(has(desk.answer("run max_steps=-1 max_epochs=-1"), "would never end"));
}

TEST(RunLine, at_the_prompt_nothing_blocks) {
  Desk desk;
  desk.context.interactive = true;
  EXPECT_FALSE(desk.type("run max_steps=-1 max_epochs=-1").failed);
  EXPECT_TRUE(desk.type("wait").change.wait);
  EXPECT_FALSE(desk.type("stop").failed);
  desk.engine.wait();
  EXPECT_EQ(desk.engine.latest()->run.state, RunState::stopped);
}

// Several times: the engine may or may not have begun the run when the second command comes.
TEST(RunLine, what_follows_on_the_line_of_run_is_for_that_run) {
  Desk desk;
  desk.context.interactive = true;
  const std::string endless = "run max_steps=-1 max_epochs=-1";
  for (int round = 0; round < 10; ++round) {
    EXPECT_TRUE(has(desk.answer(endless + "; pause"), "the run pauses after its current step"));
    ASSERT_TRUE(desk.engine.wait_for(std::chrono::seconds(20)));
    EXPECT_EQ(desk.engine.latest()->run.state, RunState::paused);
    EXPECT_TRUE(has(desk.answer(endless + "; stop"), "the run ends after its current step"));
    EXPECT_TRUE(desk.type("pause").failed);
    ASSERT_TRUE(desk.engine.wait_for(std::chrono::seconds(20)));
    EXPECT_EQ(desk.engine.latest()->run.state, RunState::stopped);
    EXPECT_TRUE(has(desk.answer(endless + "; step 3"), "3 steps, then a pause"));
    ASSERT_TRUE(desk.engine.wait_for(std::chrono::seconds(20)));
    // Three more than were done when the second command came.
    EXPECT_EQ(desk.engine.latest()->run.state, RunState::paused);
    EXPECT_GE(desk.engine.latest()->run.step, 3);
    EXPECT_TRUE(has(desk.answer("stop; pause"), "no run is under way; `run` starts one"));
  }
}

TEST(RunLine, metrics_are_the_report_of_the_newest_run) {
  Desk desk;
  EXPECT_EQ(desk.answer("metrics"), "nothing is counted yet; `run` starts a run");
  desk.type("run max_steps=3");
  const std::string report = desk.answer("metrics");
  EXPECT_TRUE(report.starts_with("Metric: CompileTime\n  TotalSamples: ")) << report;
  EXPECT_TRUE(has(report, "Counter: MarkStep\n  Value: "));
  EXPECT_TRUE(has(report, "\n  Percentiles: 1%="));
}

TEST(RunLine, metrics_say_which_host_counted_where_one_is_slow) {
  Desk desk;
  desk.type("slice v3-32; straggler host:2:1.4; run max_steps=2");
  EXPECT_TRUE(has(desk.answer("metrics"),
                  "\n# as host 0 counts it: host 2 takes 1.4x as long as the others, compiles "
                  "included"));
  desk.type("straggler host:0:1.4; run max_steps=2");
  EXPECT_TRUE(has(desk.answer("metrics"), "\n# as host 1 counts it: host 0 takes 1.4x"));
  desk.type("straggler none; run max_steps=2");
  EXPECT_FALSE(has(desk.answer("metrics"), "counts it"));
}

TEST(RunLine, defaults_are_what_the_session_began_with) {
  Settings configured = small_settings();
  configured.batch = 64;
  Desk desk(configured);
  EXPECT_TRUE(has(desk.answer("show"), "all settings are as the configuration has them"));
  desk.type("batch 8; seed 9; reset settings");
  EXPECT_EQ(desk.answer("show").find("(default"), std::string::npos) << desk.answer("show");
  desk.type("batch 8");
  EXPECT_NE(desk.answer("show").find("8 (default 64)"), std::string::npos) << desk.answer("show");
}

TEST(RunLine, reset_forgets_the_run_or_the_settings) {
  Desk desk;
  desk.type("run max_steps=2");
  EXPECT_FALSE(desk.type("reset").failed);
  EXPECT_EQ(desk.engine.latest()->run.state, RunState::none);
  EXPECT_EQ(desk.settings.max_steps, 12);
  desk.type("max_steps 5; seed 9; pace watch; reset settings");
  EXPECT_EQ(desk.settings.max_steps, 12) << "as the session began";
  EXPECT_EQ(desk.settings.seed, Settings().seed);
  EXPECT_EQ(desk.settings.pace, "watch") << "how fast to watch is no part of the experiment";
}

TEST(RunLine, swept_values_that_are_numbers_are_numbers_in_their_rows) {
  Desk desk;
  const Reply reply = desk.type("sweep batch=8,16 slice=v2-8");
  ASSERT_EQ(reply.rows.size(), 2U);
  EXPECT_EQ(reply.rows[1].fields[0].name, "batch");
  EXPECT_EQ(reply.rows[1].fields[0].value, EventValue(std::int64_t{16}));
  EXPECT_EQ(reply.rows[1].fields[1].value, EventValue("v2-8"));
}

TEST(RunLine, what_a_paused_run_refuses_fails_its_command_and_is_not_set) {
  Desk desk;
  desk.type("step 1; devices 1");  // of the next run
  const Reply reply = desk.type("hard_examples on");
  EXPECT_TRUE(reply.failed);
  EXPECT_TRUE(reply.impossible);
  EXPECT_TRUE(has(reply.lines.at(0), "run 1 goes on as it was: hard_examples on needs devices 1"));
  EXPECT_FALSE(desk.settings.hard_examples);
}

TEST(RunLine, a_run_that_cannot_begin_fails_its_command_also_after_one_that_ended) {
  Desk desk;
  desk.type("run max_steps=1");
  const Reply reply = desk.type("run model=llama2-7b");
  EXPECT_TRUE(reply.impossible);
  EXPECT_TRUE(has(reply.lines.at(0), "the run did not begin: llama2-7b is not trained here"));
}

TEST(RunLine, a_script_does_not_resume_a_run_that_would_never_end) {
  Desk desk;
  desk.type("step 1; max_steps -1; max_epochs -1");
  EXPECT_TRUE(has(desk.type("resume").lines.at(0), "this run would never end"));
}

TEST(RunLine, a_failed_run_fails_its_command) {
  Desk desk;
  const Reply reply = desk.type("optimizer sgd; hidden (64,64,64); run learning_rate=10");
  EXPECT_TRUE(reply.failed);
  ASSERT_FALSE(reply.lines.empty());
  EXPECT_TRUE(has(reply.lines.back(), "run 1 failed: the loss is not")) << reply.lines.back();
}

TEST(RunLine, one_step_and_one_epoch_are_told_in_the_singular) {
  Desk desk;
  desk.type("run max_steps=1");
  const std::vector<std::string> news = desk.news();
  EXPECT_TRUE(std::ranges::any_of(
      news, [](const auto& line) { return has(line, "run 1 finished: 1 step, 0 epochs, "); }));
}

TEST(RunLine, fit_is_run) {
  Desk desk;
  EXPECT_FALSE(desk.type("trainer.fit(model)").failed);
  EXPECT_EQ(desk.engine.latest()->run.state, RunState::finished);
  EXPECT_FALSE(desk.type("fit max_steps=2").failed);
  EXPECT_EQ(desk.engine.latest()->run.step, 2);
}

TEST(RunLine, screen_commands_ask_for_what_they_are) {
  Desk desk;
  EXPECT_TRUE(desk.type("quit").change.quit);
  EXPECT_TRUE(desk.type("exit").change.quit);
  EXPECT_TRUE(desk.type("clear").change.clear_output);
  EXPECT_EQ(desk.type("help").change.help_topic, "");
  EXPECT_EQ(desk.type("help batch").change.help_topic, "batch");
  EXPECT_TRUE(has(desk.answer("theme dark"), "there is no screen here"));
  EXPECT_TRUE(has(desk.answer("freeze"), "there is no screen here"));
  desk.context.theme_names = {"dark", "light"};
  EXPECT_EQ(desk.type("theme light").change.theme, "light");
  EXPECT_EQ(desk.type("freeze").change.freeze, true);
  EXPECT_EQ(desk.type("freeze off").change.freeze, false);
  EXPECT_TRUE(has(desk.answer("freeze now"), "freeze takes on or off"));
  EXPECT_EQ(desk.answer("theme ligth"),
            "unknown theme 'ligth'; did you mean light? there are: dark, light");
}

TEST(RunLine, a_full_engine_keeps_the_setting_and_says_so) {
  Desk desk;
  desk.context.interactive = true;
  // A long step keeps the engine busy while its queue fills up.
  desk.type("hidden 4096 4096; batch 180; run");
  Reply last;
  for (int tries = 0; tries < 20 && !last.failed; ++tries) {
    while (desk.engine.post(Tell{})) continue;
    last = desk.type(tries % 2 == 0 ? "learning_rate 0.01" : "learning_rate 0.02");
  }
  ASSERT_TRUE(last.failed);
  EXPECT_TRUE(has(last.lines[0], "64 requests waiting"));
}

TEST(RunLine, a_reply_shows_control_characters_and_broken_bytes) {
  Desk desk;
  EXPECT_TRUE(has(desk.answer("\x1b[2Jbatch\xff"), "unknown command '<U+001B>[2Jbatch<FF>'"));
  EXPECT_EQ(desk.type("run max_steps=1 precision=\"32-true\n\"").lines,
            std::vector<std::string>{"for this run only: max_steps=1, precision=\"32-true␤\""});
}

TEST(RunLine, random_bytes_are_refused_and_never_thrown) {
  Desk desk;
  desk.context.interactive = true;
  std::uint32_t state = 7;
  const std::string_view alphabet = "batch devices=[1](;'\"#,.Trainer=\\0-9 \t\n\xc3\xa9";
  for (int i = 0; i < 3000; ++i) {
    std::string line;
    for (int length = static_cast<int>(state % 40); length > 0; --length) {
      state = state * 1664525U + 1013904223U;
      line += alphabet[(state >> 8) % alphabet.size()];
    }
    state = state * 1664525U + 1013904223U;
    EXPECT_NO_THROW(desk.type(line)) << line;
    EXPECT_NO_THROW(completions(line, desk.context)) << line;
    EXPECT_NO_THROW(hint(line, desk.context)) << line;
  }
}

}  // namespace
}  // namespace tpulab::run_line_test
