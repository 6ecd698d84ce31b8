// How the runs that `runs` lists began and went on.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/commands/desk.h"
#include "tests/temporary_folder.h"

namespace tpulab::runs_how_test {
namespace {

// Of the runs that a list has, in its order.
std::vector<std::string> how(const Reply& list) {
  std::vector<std::string> words;
  for (const OutputLine& row : list.rows) {
    const auto field = std::ranges::find(row.fields, "how", &EventField::name);
    words.push_back(std::get<std::string>(field->value));
  }
  return words;
}

TEST(RunsHow, marks_what_was_resumed_preempted_or_found_compiled) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "a.safetensors").string();
  const std::filesystem::path kept = folder / "runs.sqlite";
  {
    Desk desk(small_settings(), kept);
    desk.type("run max_steps=6; checkpoint " + file + "; resume " + file + " max_steps=12");
    desk.type("preempt host@8; run");
  }
  Desk later(small_settings(), kept);
  std::vector<std::string> words = how(later.type("runs"));
  std::ranges::sort(words);
  EXPECT_EQ(words, (std::vector<std::string>{"", "from step 6, warm", "preempted, warm"}));
  EXPECT_NE(later.answer("runs").find("preempted, warm"), std::string::npos);
}

}  // namespace
}  // namespace tpulab::runs_how_test
