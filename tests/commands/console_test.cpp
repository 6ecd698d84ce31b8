#include "commands/console.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>
#include <vector>

#include "engine/base/utf8.h"
#include "engine/base/write_file.h"
#include "engine/session/run/output_log.h"
#include "tests/commands/desk.h"
#include "tests/temporary_folder.h"

namespace tpulab::console_test {
namespace {

using nlohmann::json;

struct Printed {
  int exit_code = 0;
  std::string out;
  std::string err;
};

Printed run(const ConsoleOptions& options, const std::string& input = "") {
  Engine engine;
  Settings settings = small_settings();
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  const int code = run_console(engine, settings, options, in, out, err);
  return {code, out.str(), err.str()};
}

Printed script(const std::string& input) { return run({}, input); }

TEST(Console, a_script_prints_replies_and_what_the_engine_says) {
  const Printed printed = script("batch 16\nrun max_steps=2\n");
  EXPECT_EQ(printed.exit_code, 0);
  EXPECT_EQ(printed.err, "");
  const auto reply = printed.out.find(
      "batch 16: 16 x 8 = 128 global; the next step recompiles unless it is cached\n");
  const auto begin = printed.out.find("run 1: mlp 64-16-10");
  const auto end = printed.out.find("run 1 finished: 2 steps");
  EXPECT_LT(reply, begin);
  EXPECT_LT(begin, end);
  EXPECT_NE(end, std::string::npos) << printed.out;
}

TEST(Console, an_empty_line_of_a_pipe_goes_on_with_a_lesson_and_one_of_a_file_does_not) {
  const test::TemporaryFolder folder;
  const std::string lines =
      "\nlesson " +
      folder.write("a.lesson", "title A\nabout b\nhides c\nstop\nsay two\nstop\n").string() +
      "\n\n  \nseed 7\n\n";
  const Printed piped = run({.enter_goes_on = true}, lines);
  EXPECT_EQ(piped.exit_code, 0) << piped.err;
  EXPECT_LT(piped.out.find("two\nEnter goes on\n"), piped.out.find("The end of lesson a"));
  EXPECT_LT(piped.out.find("The end of lesson a"), piped.out.find("seed 7"));
  EXPECT_EQ(script(lines).out.find("two"), std::string::npos);
}

TEST(Console, a_failing_command_ends_the_script_with_its_line_number) {
  const Printed printed = script("batch 16\n\n# a comment\nbatch 0\nbatch 8\n");
  EXPECT_EQ(printed.exit_code, 1);
  EXPECT_EQ(
      printed.err,
      "line 4: batch cannot be 0; it takes a whole number from 1 to 16,777,216, or 1/N of a row\n");
  EXPECT_EQ(printed.out.find("batch 8"), std::string::npos);
}

TEST(Console, a_trainer_may_be_written_over_several_lines) {
  const Printed printed = script(
      "trainer = Trainer(\n    accelerator=\"tpu\",  # a (comment\n    devices=1,\n\n)\nshow "
      "devices\n"
      "Trainer(devices=9\nbatch 16\n");
  EXPECT_NE(printed.out.find("core 0 (the 1st of 8)"), std::string::npos) << printed.out;
  // One that stays open is told with the line where it begins.
  EXPECT_TRUE(printed.err.starts_with("line 7: Trainer(...) must be one call")) << printed.err;
}

// Once while it can be mended, and at the end how many there were: not behind each of 100 steps.
TEST(Console, a_file_that_cannot_be_written_is_told_while_the_run_goes_on) {
  const Printed printed =
      script("devices 1\ncheckpoint /proc/a.safetensors every 1\nrun max_steps=100\n");
  EXPECT_EQ(printed.exit_code, 1);
  EXPECT_TRUE(printed.err.starts_with("the run goes on: cannot write /proc/a.safetensors"))
      << printed.err;
  EXPECT_EQ(std::ranges::count(printed.err, '\n'), 3) << printed.err;
  EXPECT_NE(printed.err.find("100 checkpoints of run 1 are not written: cannot write"),
            std::string::npos);
  EXPECT_NE(printed.err.find("line 3: run 1 has gone as far as it should, but cannot write"),
            std::string::npos);
}

TEST(Console, what_the_engine_refuses_is_said_once_and_as_an_error) {
  const Printed printed = script("model llama3-8b\nrun\n");
  EXPECT_EQ(printed.exit_code, 3);
  EXPECT_EQ(printed.out.find("is not trained here"), std::string::npos) << printed.out;
  EXPECT_TRUE(printed.err.starts_with("line 2: the run did not begin: llama3-8b is not trained"))
      << printed.err;
  EXPECT_EQ(std::ranges::count(printed.err, '\n'), 1) << printed.err;
}

TEST(Console, commands_of_a_sourced_file_run_in_its_place_and_fail_with_its_line) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "a").string();
  write_file(file, "batch 16\n\nbatch 0\n");
  const Printed printed = script("source " + file + "\nbatch 8\n");
  EXPECT_EQ(printed.exit_code, 1);
  EXPECT_TRUE(printed.out.starts_with("batch 16: ")) << printed.out;
  EXPECT_TRUE(printed.err.starts_with(file + ":3: batch cannot be 0")) << printed.err;
  EXPECT_EQ(printed.out.find("batch 8"), std::string::npos);
}

TEST(Console, commands_of_c_are_counted_through) {
  const Printed printed = run({.json = false, .commands = {"batch 16; batch 24", "nonsense_"}});
  EXPECT_EQ(printed.exit_code, 1);
  EXPECT_TRUE(printed.err.starts_with("command 3: unknown command 'nonsense_'")) << printed.err;
}

TEST(Console, rows_for_a_script_have_no_words_before_them) {
  const std::string sweep = "sweep batch=64,128";
  const Printed alone = run({.json = false, .commands = {sweep + " model=resnet50 format csv"}});
  ASSERT_TRUE(alone.out.starts_with("batch,")) << alone.out;
  for (const std::string& text :
       {"model resnet50; " + sweep + " format csv", "format csv; model resnet50; " + sweep}) {
    const Printed printed = run({.json = false, .commands = {text}});
    EXPECT_TRUE(printed.out.starts_with("batch,")) << printed.out;
    EXPECT_NE(printed.err.find("model resnet50: the next run uses"), std::string::npos);
  }
}

TEST(Console, quit_ends_a_script_well) {
  const Printed printed = script("quit\nnonsense_\n");
  EXPECT_EQ(printed.exit_code, 0);
  EXPECT_EQ(printed.err, "");
}

TEST(Console, an_empty_script_does_nothing) {
  const Printed printed = script("");
  EXPECT_EQ(printed.exit_code, 0);
  EXPECT_EQ(printed.out, "");
}

TEST(Console, windows_line_ends_and_a_missing_last_one_are_fine) {
  const Printed printed = script("batch 16\r\nbatch 24");
  EXPECT_EQ(printed.exit_code, 0);
  EXPECT_NE(printed.out.find("batch 24:"), std::string::npos);
}

TEST(Console, a_byte_order_mark_before_a_line_is_passed_over) {
  const Printed printed = script(
      "\xEF\xBB\xBF"
      "batch 16\n\xEF\xBB\xBF"
      "batch 24\n");
  EXPECT_EQ(printed.exit_code, 0) << printed.err;
  EXPECT_NE(printed.out.find("batch 24:"), std::string::npos);
}

TEST(Console, what_was_typed_cannot_act_on_the_terminal) {
  const Printed printed = script("batch \x1b]52:c:eA==\x07\u009b2J\n");
  EXPECT_EQ(printed.exit_code, 1);
  EXPECT_NE(printed.err.find("batch cannot be <U+001B>]52:c:eA==<U+0007><U+009B>2J;"),
            std::string::npos)
      << printed.err;
}

TEST(Console, json_is_printable_and_still_means_the_same) {
  const std::string typed = "batch \x1b[2J\u009b\u202e";
  const Printed printed = run({.json = true, .commands = {typed}});
  EXPECT_EQ(printed.out, printable(printed.out.substr(0, printed.out.size() - 1)) + "\n");
  EXPECT_EQ(json::parse(printed.out)["reply"], typed);
}

TEST(Console, a_diverged_run_is_no_success) {
  const Printed printed = script(
      "hidden (128,128,128,128,128,128); optimizer sgd; learning_rate 10; momentum 0.99\n"
      "max_steps 60; run\nbatch 8\n");
  EXPECT_EQ(printed.exit_code, 1);
  EXPECT_NE(printed.err.find("the training has diverged"), std::string::npos) << printed.err;
  EXPECT_EQ(printed.out.find("batch 8"), std::string::npos);
}

// With Ctrl-C before the first command has ended.
Printed interrupted(const std::string& commands, bool as_json = false) {
  Interrupt interrupt;
  interrupt.came = SIGINT;
  return run({.json = as_json, .commands = {commands}, .interrupt = &interrupt});
}

TEST(Console, control_c_after_the_last_look_of_a_command_still_ends_the_script) {
  const Printed printed = interrupted("batch 16; batch 24");
  EXPECT_EQ(printed.exit_code, 130);
  EXPECT_EQ(printed.err, "command 1: stopped by Ctrl-C\n");
  EXPECT_EQ(printed.out.find("batch 24"), std::string::npos) << printed.out;
}

TEST(Console, control_c_ends_a_long_answer) {
  std::string sweep = "sweep hidden=(64),(128) batch=1";
  for (int batch = 2; batch <= 3000; ++batch) sweep += "," + std::to_string(batch);
  const Printed printed = interrupted(sweep);
  EXPECT_EQ(printed.exit_code, 130);
  EXPECT_NE(printed.err.find("command 1: the sweep was cancelled\n"), std::string::npos);
  EXPECT_NE(printed.err.find("command 1: stopped by Ctrl-C\n"), std::string::npos);
}

// 6 rows, of which one cannot be.
constexpr const char* some_points = "sweep batch.global=64,256 slice=v3-8,v3-128,v2-8 format csv";

TEST(Console, shards_of_a_sweep_one_behind_the_other_are_the_whole) {
  const std::string whole = run({.commands = {some_points}}).out;
  EXPECT_EQ(std::ranges::count(whole, '\n'), 7);
  EXPECT_NE(whole.find("\n64,v3-128,,,,"), std::string::npos) << whole;
  for (const int shards : {1, 2, 4, 9}) {
    std::string all = whole.substr(0, whole.find('\n') + 1);
    for (int shard = 1; shard <= shards; ++shard) {
      const std::string part =
          fmt::format("{} --shard {}/{} --no-header", some_points, shard, shards);
      const Printed printed = run({.commands = {part}});
      EXPECT_EQ(printed.exit_code, 0) << part << printed.err;
      all += printed.out;
    }
    EXPECT_EQ(all, whole) << shards << " shards";
  }
}

TEST(Console, a_sweep_is_the_same_for_any_number_of_workers) {
  const std::string one = run({.commands = {fmt::format("workers 1; {}", some_points)}}).out;
  const std::string four = run({.commands = {fmt::format("workers 4; {}", some_points)}}).out;
  EXPECT_EQ(one.substr(one.find("batch.global,")), four.substr(four.find("batch.global,")));
}

// Ctrl-C comes when the first row of a sweep is printed.
class InterruptAtFirstRow : public std::streambuf {
 public:
  Interrupt interrupt;
  std::string text;

 private:
  std::streamsize xsputn(const char* bytes, std::streamsize count) override {
    text.append(bytes, static_cast<std::size_t>(count));
    if (text.find("\n1,v3-8,") != std::string::npos) interrupt.came = SIGINT;
    return count;
  }
  int_type overflow(int_type byte) override {
    text += traits_type::to_char_type(byte);
    return byte;
  }
};

TEST(Console, a_sweep_prints_each_row_before_the_last_is_computed) {
  std::string steps = "1";
  for (int i = 2; i <= 400; ++i) steps += "," + std::to_string(i);
  InterruptAtFirstRow output;
  std::ostream out(&output);
  std::istringstream in;
  std::ostringstream err;
  Engine engine;
  Settings settings = small_settings();
  const ConsoleOptions options{.commands = {"sweep max_steps=" + steps + " format csv"},
                               .interrupt = &output.interrupt};
  EXPECT_EQ(run_console(engine, settings, options, in, out, err), 130);
  EXPECT_TRUE(output.text.starts_with("max_steps,machine,")) << output.text;
  EXPECT_NE(output.text.find("\n1,v3-8,"), std::string::npos) << output.text;
  EXPECT_EQ(output.text.find("\n400,v3-8,"), std::string::npos);
}

TEST(Console, a_table_has_no_shards_and_a_shard_has_its_place) {
  const auto refusal = [](const std::string& words) {
    return run({.commands = {"sweep batch=8,16 " + words}}).err;
  };
  EXPECT_NE(refusal("--shard 1/2").find("add format csv"), std::string::npos);
  EXPECT_NE(refusal("--no-header").find("add format csv"), std::string::npos);
  for (const char* wrong : {"0/2", "3/2", "2", "1/2/3", "a/b", "-1/2", ""}) {
    EXPECT_NE(refusal(fmt::format("format csv --shard {}", wrong)).find("--shard takes I/N"),
              std::string::npos)
        << wrong;
  }
}

TEST(Console, an_interrupted_run_is_no_success_in_json) {
  const Printed printed = interrupted("run max_steps=100000", true);
  const json reply = json::parse(printed.out.substr(printed.out.rfind("{\"reply\"")));
  EXPECT_EQ(reply["ok"], false);
  EXPECT_EQ(reply["line"], 1);
  EXPECT_EQ(reply["exit_code"], 130);
  EXPECT_TRUE(reply["text"].get<std::string>().ends_with("stopped by Ctrl-C")) << reply;
}

TEST(Console, json_is_one_object_per_event_and_reply) {
  const Printed printed = run({.json = true, .commands = {"batch 16; run max_steps=2; batch 0"}});
  EXPECT_EQ(printed.exit_code, 1);
  std::istringstream lines(printed.out);
  std::vector<json> objects;
  for (std::string line; std::getline(lines, line);) objects.push_back(json::parse(line));
  ASSERT_GE(objects.size(), 5U);
  EXPECT_EQ(objects.front()["reply"], "batch 16");
  EXPECT_EQ(objects.front()["ok"], true);
  EXPECT_EQ(objects.front()["text"],
            "batch 16: 16 x 8 = 128 global; the next step recompiles unless it is cached");
  EXPECT_EQ(objects.front()["batch"], 16);
  EXPECT_EQ(objects[1]["event"], "run");
  EXPECT_EQ(objects[1]["batch"], 16);
  EXPECT_TRUE(objects[1]["text"].is_string());
  EXPECT_EQ(objects.back()["reply"], "batch 0");
  EXPECT_EQ(objects.back()["ok"], false);
  EXPECT_EQ(objects.back()["line"], 3);
  EXPECT_EQ(objects.back()["where"], "command 3");
  EXPECT_EQ(objects.back()["exit_code"], 1);
  for (const json& object : objects) {
    EXPECT_NE(object.contains("event"), object.contains("reply")) << object;
  }
}

TEST(ConsoleJson, numbers_that_are_not_finite_are_null_and_bytes_that_are_not_text_replaced) {
  OutputLine line;
  line.text = "caf\xe9";
  line.fields = {{"loss", std::nan("")}, {"step", std::int64_t{3}}};
  const json object = json::parse(json_of(line));
  EXPECT_EQ(object["event"], "text");
  EXPECT_TRUE(object["loss"].is_null());
  EXPECT_EQ(object["step"], 3);
}

// More happens between two looks than is kept.
class SlowReader : public std::stringbuf {
 public:
  explicit SlowReader(Engine& engine) : engine_(engine) {}

 private:
  int sync() override {
    if (std::exchange(slow_, false)) {
      OutputLine line;
      line.text = "x";
      engine_.post(Tell{std::vector<OutputLine>(OutputLog::kept + 3, line)});
      engine_.wait();
    }
    return 0;
  }

  Engine& engine_;
  bool slow_ = true;
};

TEST(Console, says_what_a_slow_reader_has_lost) {
  Engine engine;
  Settings settings = small_settings();
  SlowReader reader(engine);
  std::ostream out(&reader);
  std::istringstream in;
  std::ostringstream err;
  EXPECT_EQ(run_console(engine, settings, {.commands = {"batch 16; wait", "batch 24; wait"}}, in,
                        out, err),
            0);
  EXPECT_NE(reader.str().find("3 lines were not read in time and are lost\nx\n"),
            std::string::npos);
}

}  // namespace
}  // namespace tpulab::console_test
