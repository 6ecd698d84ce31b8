#include "commands/console.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <sstream>

#include "tests/commands/desk.h"

namespace tpulab {
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
  const auto reply = printed.out.find("batch 16: 16 x 8 = 128 global; the next step recompiles\n");
  const auto begin = printed.out.find("run 1: mlp 64-16-10");
  const auto end = printed.out.find("run 1 finished: 2 steps");
  EXPECT_LT(reply, begin);
  EXPECT_LT(begin, end);
  EXPECT_NE(end, std::string::npos) << printed.out;
}

TEST(Console, a_failing_command_ends_the_script_with_its_line_number) {
  const Printed printed = script("batch 16\n\n# a comment\nbatch 0\nbatch 8\n");
  EXPECT_EQ(printed.exit_code, 1);
  EXPECT_EQ(printed.err,
            "line 4: batch cannot be 0; it takes a whole number from 1 to 16,777,216\n");
  EXPECT_EQ(printed.out.find("batch 8"), std::string::npos);
}

TEST(Console, commands_of_c_are_counted_through) {
  const Printed printed = run({.json = false, .commands = {"batch 16; batch 24", "nonsense_"}});
  EXPECT_EQ(printed.exit_code, 1);
  EXPECT_TRUE(printed.err.starts_with("command 3: unknown command 'nonsense_'")) << printed.err;
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

TEST(Console, json_is_one_object_per_event_and_reply) {
  const Printed printed = run({.json = true, .commands = {"batch 16; run max_steps=2; batch 0"}});
  EXPECT_EQ(printed.exit_code, 1);
  std::istringstream lines(printed.out);
  std::vector<json> objects;
  for (std::string line; std::getline(lines, line);) objects.push_back(json::parse(line));
  ASSERT_GE(objects.size(), 5U);
  EXPECT_EQ(objects.front()["reply"], "batch 16");
  EXPECT_EQ(objects.front()["ok"], true);
  EXPECT_EQ(objects.front()["lines"].size(), 1U);
  EXPECT_EQ(objects[1]["event"], "run");
  EXPECT_EQ(objects[1]["batch"], 16);
  EXPECT_TRUE(objects[1]["text"].is_string());
  EXPECT_EQ(objects.back()["reply"], "batch 0");
  EXPECT_EQ(objects.back()["ok"], false);
  EXPECT_EQ(objects.back()["line"], 3);
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

}  // namespace
}  // namespace tpulab
