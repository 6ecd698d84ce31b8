// `script FILE` on a real recording: made by the recorder that `help script` prints, from train.py.
#include <gtest/gtest.h>

#include "commands/help.h"
#include "engine/base/file.h"
#include "engine/base/text.h"
#include "tests/commands/desk.h"
#include "tests/temporary_folder.h"

namespace tpulab::script_test {
namespace {

const std::string scripts = TPULAB_SOURCE_DIR "/tests/engine/formats/scripts/";

std::string text_of(const EventValue& value) { return std::get<std::string>(value); }

std::vector<std::string> causes(const Reply& reply) {
  std::vector<std::string> names;
  for (const OutputLine& row : reply.rows) {
    if (row.event == "script.found") names.push_back(text_of(row.fields.at(1).value));
  }
  return names;
}

TEST(ScriptVerb, names_the_habits_of_a_recorded_training_by_its_lines) {
  Desk desk;
  const Reply reply = desk.type("script " + scripts + "train.jsonl");
  ASSERT_FALSE(reply.failed) << reply.lines.at(0);
  EXPECT_EQ(causes(reply), (std::vector<std::string>{"fallback", "item", "uploads", "last_batch"}));
  const std::string answer = desk.answer("script " + scripts + "train.jsonl");
  for (const char* part :
       {"6 steps of a script, PyTorch 2.", "on cpu:0", " 2 cuts; 3 different graphs",
        "certain: aten::bincount at train.py:18: 6 times in 6 steps, the first of int64[32]; "
        "instead: ",
        "one_hot(labels, classes).sum(0)", "certain: item at train.py:23: 6 times in 6 steps",
        "certain: aten::_to_copy at train.py:19: 6 times in 6 steps, the first of float32[4]",
        "certain: 2 steps, the first is step 2: aten::_to_copy float32[20,8] at train.py:17 "
        "instead "
        "of float32[32,8]",
        "the first step is a graph of its own", "cannot tell (a recording has no times"}) {
    EXPECT_NE(answer.find(part), std::string::npos) << part << "\n" << answer;
  }
}

TEST(ScriptVerb, finds_nothing_in_the_same_training_without_them) {
  Desk desk;
  const Reply reply = desk.type("script " + scripts + "clean.jsonl");
  ASSERT_FALSE(reply.failed) << reply.lines.at(0);
  EXPECT_EQ(causes(reply), std::vector<std::string>{});
  EXPECT_NE(desk.answer("script " + scripts + "clean.jsonl").find("nothing is wrong as far"),
            std::string::npos);
}

TEST(ScriptVerb, names_sizes_that_depend_on_values_and_what_is_printed) {
  Desk desk;
  EXPECT_EQ(causes(desk.type("script " + scripts + "masks.jsonl")),
            (std::vector<std::string>{"dynamic_shape", "downloads"}));
  const std::string answer = desk.answer("script " + scripts + "masks.jsonl");
  for (const char* part : {"aten::index.Tensor at masks.py:", "torch.where(mask, x, 0)",
                           "each new size compiles what follows", "__repr__ at masks.py:"}) {
    EXPECT_NE(answer.find(part), std::string::npos) << part << "\n" << answer;
  }
}

TEST(ScriptVerb, every_field_has_a_page) {
  Desk desk;
  for (const char* file : {"train.jsonl", "masks.jsonl"}) {
    const Reply reply = desk.type("script " + scripts + file);
    for (const OutputLine& row : reply.rows) {
      for (const EventField& field : row.fields) {
        if (field.name != "title") {
          EXPECT_NO_THROW(help_page(field.name)) << field.name;
        }
      }
    }
    for (const EventField& field : reply.fields) EXPECT_NO_THROW(help_page(field.name));
  }
}

TEST(ScriptVerb, refuses_what_is_no_recording_and_goes_on) {
  const test::TemporaryFolder folder;
  folder.write("no.jsonl", "dear diary\n");
  folder.write("report.jsonl", "Metric: CompileTime\n  TotalSamples: 1\n");
  folder.write("empty.jsonl", "");
  Desk desk;
  for (const std::string name : {"no.jsonl", "report.jsonl", "empty.jsonl", "missing.jsonl"}) {
    const Reply reply = desk.type("script " + (folder.path() / name).string());
    EXPECT_TRUE(reply.failed) << name;
    EXPECT_NE(reply.lines.at(0).find(name), std::string::npos) << reply.lines.at(0);
  }
  EXPECT_TRUE(desk.type("script").failed);
  EXPECT_TRUE(desk.type("script " + folder.path().string()).failed);
  EXPECT_FALSE(desk.type("script " + scripts + "train.jsonl").failed);
}

// What the recordings were made by is what help prints: a change of one needs new recordings.
TEST(ScriptVerb, the_recorder_of_the_recordings_is_the_one_that_help_prints) {
  std::string recorder;
  for (const std::string& line : help_page("script")) {
    if (!recorder.empty() || line.starts_with("import json")) recorder += line + "\n";
    EXPECT_LE(line.size(), 78U) << line;
  }
  std::string kept;
  for (const std::string& line : split(read_file(scripts + "tpulab_script.py"), '\n')) {
    kept += line + "\n";
  }
  EXPECT_EQ(trimmed(recorder), trimmed(kept));
}

}  // namespace
}  // namespace tpulab::script_test
