// Exit codes and JSON of the real program: a failure is a failure, a reply has its content by name.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>
#include <string>
#include <vector>

#include "tests/e2e/program_output.h"

namespace tpulab::e2e::answers_test {
namespace {

using nlohmann::json;

int exit_code_of(const std::string& commands) { return run("-c '" + commands + "'").exit_code; }

// What --json prints, one object a line; an empty object for a line that is none.
std::vector<json> objects_of(const std::string& commands) {
  std::istringstream lines(run("--json -c '" + commands + "'", "2>/dev/null </dev/null").output);
  std::vector<json> objects;
  for (std::string line; std::getline(lines, line);) {
    objects.push_back(json::parse(line, nullptr, false));
  }
  return objects;
}

json last_reply(const std::string& commands) { return objects_of(commands).back(); }

TEST(ExitCodes, what_is_typed_wrong_is_one) {
  EXPECT_EQ(exit_code_of("nonsense"), 1);
  EXPECT_EQ(exit_code_of("batch 0"), 1);
  EXPECT_EQ(exit_code_of("forecast model=resnet51"), 1);
  EXPECT_EQ(exit_code_of("sweep batch=32,none"), 1);
  EXPECT_EQ(run("--no-such-option").exit_code, 2);
}

TEST(ExitCodes, what_cannot_be_is_three) {
  for (const char* commands :
       {"forecast model=resnet50 slice=v2-8 batch=8000", "forecast model=resnet50 mesh=fsdp=3",
        "forecast batch.global=63", "forecast slice=v2-8 hidden=(16384,16384,16384,16384)",
        "compare v2-8 v3-8 model=resnet50 batch=8000", "sweep slice=v3-8,v3-32 batch.global=4",
        "model resnet50; whatif batch=8000", "model resnet50; batch 8000; explain",
        "model resnet50; run", "slice v100x8; run",
        "model bert-large; batch 32; numbers off; run max_steps=1",
        "model resnet50; batch 8000; explain core", "model resnet50; batch 8000; explain conv"}) {
    EXPECT_EQ(exit_code_of(commands), 3) << commands;
  }
}

TEST(ExitCodes, one_row_that_can_be_is_enough_for_a_table) {
  EXPECT_EQ(exit_code_of("sweep model=resnet50 slice=v2-8 batch=32,8000"), 0);
  EXPECT_EQ(exit_code_of("compare slice=v3-8,v3-128 batch.global=64"), 0);
}

TEST(ExitCodes, points_of_which_none_is_predicted_are_three) {
  const Outcome outcome = run("validate --points -",
                              "2>&1 <<'END'\n[[points]]\nid = \"mine\"\nmodel = \"no-such-net\"\n"
                              "hardware = \"v3-8\"\nbatch = 256\nkind = \"step\"\nstack = "
                              "\"jax\"\nprecision = \"bf16\"\nunit = \"ms\"\nvalue = 3\n"
                              "source = \"own\"\nEND");
  EXPECT_EQ(outcome.exit_code, 3) << outcome.output;
}

TEST(JsonAnswers, a_failed_forecast_has_no_step) {
  const json reply = last_reply("forecast model=resnet50 slice=v2-8 batch=8000");
  EXPECT_EQ(reply["ok"], false);
  EXPECT_EQ(reply["exit_code"], 3);
  EXPECT_FALSE(reply.contains("step_seconds")) << reply;
  EXPECT_NE(reply["text"].get<std::string>().find("\nWhat would fit: "), std::string::npos);
}

TEST(JsonAnswers, a_row_that_does_not_fit_has_nulls_and_a_failure_with_its_line_breaks) {
  const auto objects = objects_of("sweep model=resnet50 slice=v2-8 batch=32,8000");
  ASSERT_EQ(objects.size(), 3U);
  EXPECT_GT(objects[0]["step_seconds"], 0);
  EXPECT_TRUE(objects[0]["failure"].is_null());
  EXPECT_TRUE(objects[1]["step_seconds"].is_null());
  EXPECT_TRUE(objects[1]["samples_per_second"].is_null());
  EXPECT_NE(objects[1]["failure"].get<std::string>().find("\nLargest arrays: "), std::string::npos);
  EXPECT_EQ(objects[2]["rows"], 2);
  EXPECT_EQ(objects[2]["failures"], 1);
}

// Beside what every reply has.
bool has_content(const json& reply) { return reply.size() > 3; }

TEST(JsonAnswers, every_reply_has_its_content_by_name_beside_its_text) {
  const auto objects = objects_of(
      "batch 16; set seed=2; trainer = Trainer(max_epochs=2); show; show all; show batch; "
      "show slice v3-32; show generation v4; show host tpu-vm; show stack jax; show gpus; "
      "show slice v100x8; help; help run; help slow; forecast; forecast slice=v100x8; explain; "
      "explain core; explain dot; whatif batch=32; compare v2-8 v3-8; sweep batch=16,32; "
      "metrics; run max_steps=2; metrics; step; pause; resume; run max_epochs=1; "
      "run max_epochs=1; compare last; stop; wait; reset; reset settings");
  int replies = 0;
  for (const json& object : objects) {
    ASSERT_TRUE(object.is_object());
    if (!object.contains("reply")) continue;
    ++replies;
    EXPECT_EQ(object["ok"], true) << object;
    EXPECT_TRUE(object["text"].is_string()) << object;
    EXPECT_TRUE(has_content(object)) << object;
  }
  EXPECT_EQ(replies, 36);
}

TEST(JsonAnswers, fields_hold_what_the_text_says) {
  const json batch = last_reply("show batch");
  EXPECT_EQ(batch["batch"], 32);
  EXPECT_EQ(batch["meaning"], "32 x 8 = 256 global");
  const json slice = last_reply("show slice v3-32");
  EXPECT_EQ(slice["chips"], 16);
  EXPECT_EQ(slice["hosts"], 4);
  const auto constants = objects_of("show generation v6e");
  EXPECT_EQ(constants.front()["event"], "constant");
  EXPECT_TRUE(constants.front()["source"].is_string());
  const auto help = objects_of("help whatif");
  EXPECT_EQ(help[0]["kind"], "command");
  EXPECT_EQ(help[0]["usage"], "whatif NAME=VALUE ...");
  const auto metrics = objects_of("run max_steps=2; metrics");
  bool compiled = false;
  for (const json& object : metrics) {
    compiled |= object.contains("name") && object["name"] == "UncachedCompile" &&
                object["event"] == "counter" &&
                object["value"] == 4;  // two of evaluation; without, and with the optimizer's state
  }
  EXPECT_TRUE(compiled);
}

TEST(JsonAnswers, a_script_that_fails_says_where) {
  const Outcome outcome = run("--json", "2>/dev/null <<'END'\nbatch 16\nshow batch\nbatch 0\nEND");
  EXPECT_EQ(outcome.exit_code, 1);
  const std::string last = outcome.output.substr(outcome.output.rfind("{\"reply\""));
  const json reply = json::parse(last);
  EXPECT_EQ(reply["ok"], false);
  EXPECT_EQ(reply["line"], 3);
  EXPECT_EQ(reply["exit_code"], 1);
}

}  // namespace
}  // namespace tpulab::e2e::answers_test
