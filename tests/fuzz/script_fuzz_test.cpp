// Recordings of somebody's script, as they may come: cut, edited, or made to do harm.
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/session/answers/script_analysis.h"
#include "tests/fuzz/mutation.h"

namespace tpulab::fuzz::script_fuzz_test {
namespace {

Corpus recordings() {
  const std::string folder = TPULAB_SOURCE_DIR "/tests/engine/formats/scripts/";
  const std::string head = R"({"tpulab": "script", "torch": "2.9", "device": "cpu:0"})"
                           "\n";
  return {.seeds = {read_file(folder + "masks.jsonl"),
                    head + R"({"op": "aten::select.int", "ints": [0, 1]})"
                           "\n{\"step\": 0}\n"
                           R"({"op": "aten::select.int", "ints": [0, 2]})"
                           "\n{\"step\": 1}\n",
                    head + R"({"read": "item", "tensors": [["float32", [], "cuda:0"]]})"
                           "\n{\"step\": 0}\n"},
          .words = {"{\"step\": 1}\n",
                    "\"op\": ",
                    "\"read\": ",
                    "\"tensors\": ",
                    "\"ints\": ",
                    "\"to\": [\"cpu:0\"]",
                    "[[[[",
                    "]]",
                    "{}",
                    "\n",
                    "\r\n",
                    "aten::nonzero",
                    "aten::_to_copy",
                    "aten::lift_fresh",
                    "\"optimizer\": true",
                    "null",
                    "1e999",
                    "-9223372036854775808",
                    "18446744073709551615",
                    "\"\\ud800\""}};
}

void fuzz(Effort effort) {
  expect_holds(recordings(), effort, [](const std::string& text, Random&) {
    try {
      const ScriptAnalysis analysis = script_analysis_of(text, "steps.jsonl");
      EXPECT_EQ(analysis.facts.steps, std::ssize(analysis.script.steps));
      for (const Diagnosed& one : analysis.found) {
        EXPECT_GT(one.finding.weight, 0) << one.cause->name;
        EXPECT_LE(one.finding.weight, 1) << one.cause->name;
        EXPECT_FALSE(one.finding.certain.empty()) << one.cause->name;
      }
    } catch (const Error& error) {
      EXPECT_EQ(std::string_view(error.what()).substr(0, 12), "steps.jsonl:");
    }
  });
}

TEST(ScriptFuzz, a_damaged_recording_is_diagnosed_or_refused_by_file_and_line) {
  fuzz({.inputs = 2000});
}
TEST(SlowScriptFuzz, a_damaged_recording_is_diagnosed_or_refused_by_file_and_line) {
  fuzz({.slow = true});
}

}  // namespace
}  // namespace tpulab::fuzz::script_fuzz_test
