#include "engine/formats/script_reader.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace tpulab::script_reader_test {
namespace {

const std::string head = R"({"tpulab": "script", "torch": "2.9", "device": "cpu:0"})"
                         "\n";
const std::string step = "{\"step\": 0}\n";

std::string refusal(const std::string& text) {
  try {
    read_script(text, "f.jsonl");
  } catch (const Error& error) {
    return error.what();
  }
  return "read";
}

TEST(ScriptReader, reads_calls_and_steps) {
  const std::string call =
      R"({"op": "aten::add.Tensor", "at": "a.py:3", "tensors": [["float32", [2, 3], "cpu"],)"
      R"( ["int64", [], "cpu"]], "ints": [-1], "to": ["cpu:0"]})"
      "\n";
  const std::string read = R"({"read": "item", "optimizer": true})"
                           "\n";
  const ScriptSteps script =
      read_script(head + call + call + step + "\r\n" + call + read + "{\"step\": 1}\n", "f");
  EXPECT_EQ(script.torch, "2.9");
  EXPECT_EQ(script.device, "cpu:0");
  EXPECT_EQ(script.steps, (std::vector<std::vector<std::int32_t>>{{0, 0}, {0, 1}}));
  const ScriptCall& add = script.calls.at(0);
  EXPECT_EQ(add.name, "aten::add.Tensor");
  EXPECT_EQ(add.at, "a.py:3");
  EXPECT_EQ(add.tensors,
            (std::vector<ScriptTensor>{{"float32", {2, 3}, "cpu"}, {"int64", {}, "cpu"}}));
  EXPECT_EQ(add.ints, std::vector<std::int64_t>{-1});
  EXPECT_EQ(add.targets, std::vector<std::string>{"cpu:0"});
  EXPECT_FALSE(add.read || add.by_optimizer);
  EXPECT_TRUE(script.calls.at(1).read && script.calls.at(1).by_optimizer);
}

TEST(ScriptReader, leaves_out_what_was_cut_off) {
  const std::string call = "{\"op\": \"aten::mm\"}\n";
  const ScriptSteps script = read_script(head + call + step + call + "{\"op\": \"at", "f");
  EXPECT_EQ(script.steps.size(), 1U);
  EXPECT_EQ(script.left_out, 1);
}

TEST(ScriptReader, takes_whole_numbers_of_any_size_and_long_names_of_files) {
  const std::string place(300, 'd');
  const ScriptSteps script =
      read_script(head + "{\"op\": \"a\", \"at\": \"" + place +
                      "\", \"ints\": [18446744073709551615, -18446744073709551617, 7]}\n" + step,
                  "f");
  EXPECT_EQ(script.calls.at(0).ints, (std::vector<std::int64_t>{INT64_MAX, INT64_MIN, 7}));
  EXPECT_LE(script.calls.at(0).at.size(), 200U);
}

TEST(ScriptReader, says_where_it_is_broken_and_what_was_expected) {
  EXPECT_NE(refusal("").find("f.jsonl:1: '' is not what"), std::string::npos) << refusal("");
  EXPECT_NE(refusal("dear diary\n").find("f.jsonl:1: 'dear diary' is not what"), std::string::npos);
  EXPECT_NE(refusal("dear diary").find(R"(expected {"tpulab": "script")"), std::string::npos);
  EXPECT_NE(refusal(head).find("f.jsonl:1: no step ends"), std::string::npos);
  for (const char* line :
       {"[]", "{}", "{\"op\": 3}", "{\"op\": \"\"}", "{\"op\": \"a\", \"read\": \"b\"}",
        "{\"op\": \"a\", \"tensors\": [[\"f\", [-1], \"cpu\"]]}",
        "{\"op\": \"a\", \"tensors\": [[\"f\", [1.5], \"cpu\"]]}",
        "{\"op\": \"a\", \"tensors\": [[\"f\", [1]]]}", "{\"op\": \"a\", \"tensors\": {}}",
        "{\"op\": \"a\", \"ints\": [\"1\"]}", "{\"op\": \"a\", \"to\": [1]}",
        "{\"op\": \"a\", \"at\": 7}", "{\"op\": \"a\", \"optimizer\": 1}", "{\"step\": 1}",
        "{\"step\": 0.0}", "{\"op\": \"\xff\"}"}) {
    const std::string said = refusal(head + line + "\n" + step);
    EXPECT_NE(said.find("f.jsonl:2: '"), std::string::npos) << line << "\n" << said;
    EXPECT_NE(said.find(R"(expected {"op": NAME)"), std::string::npos) << line;
  }
}

TEST(ScriptReader, refuses_what_is_made_to_be_too_much) {
  EXPECT_NE(refusal(head + std::string(1'000'000, '[') + "\n" + step).find("f.jsonl:2"),
            std::string::npos);
  EXPECT_NE(refusal(head + "{\"op\": \"" + std::string(2'000'000, 'a') + "\"}\n" + step)
                .find("f.jsonl:2"),
            std::string::npos);
  EXPECT_LT(refusal(head + std::string(1'000'000, 'x') + "\n" + step).size(), 1000U);
  std::string calls = head;
  for (int i = 0; i <= 300'000; ++i) calls += "{\"op\": \"a" + std::to_string(i) + "\"}\n";
  EXPECT_EQ(refusal(calls + step),
            "f.jsonl:300002: more than 300,000 different calls; record fewer steps");
  std::string axes = "1";
  for (int i = 0; i < 64; ++i) axes += ",1";
  EXPECT_NE(
      refusal(head + "{\"op\": \"a\", \"tensors\": [[\"f\", [" + axes + "], \"c\"]]}\n" + step)
          .find("f.jsonl:2"),
      std::string::npos);
}

}  // namespace
}  // namespace tpulab::script_reader_test
