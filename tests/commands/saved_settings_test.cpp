// save, load, source and reproduce, typed as a user would.
#include <gtest/gtest.h>

#include "engine/base/file.h"
#include "engine/base/write_file.h"
#include "tests/commands/desk.h"
#include "tests/temporary_folder.h"

namespace tpulab {
namespace {

class SavedSettings : public testing::Test {
 protected:
  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  std::string said(const std::string& line) { return desk_.answer(line); }

  test::TemporaryFolder folder_;
  Desk desk_{Settings()};
};

TEST_F(SavedSettings, what_was_saved_comes_back_and_all_else_becomes_as_built_in) {
  said("batch 64; slice v3-32");
  EXPECT_EQ(said("save " + file("a.toml")), file("a.toml") +
                                                ": 2 settings not as built in; `load " +
                                                file("a.toml") + "` sets them again");
  const Settings saved = desk_.settings;
  said("reset settings; seed 7");
  EXPECT_FALSE(desk_.type("load " + file("a.toml")).failed);
  EXPECT_TRUE(desk_.settings == saved);
  EXPECT_EQ(said("load " + file("a.toml")),
            file("a.toml") + ": the settings are as it says already");
}

TEST_F(SavedSettings, a_broken_file_changes_nothing) {
  said("batch 64");
  const Settings before = desk_.settings;
  write_file(file("a.toml"), "slice = \"v3-32\"\nbatch = 0\n");
  const Reply reply = desk_.type("load " + file("a.toml"));
  EXPECT_TRUE(reply.failed);
  EXPECT_TRUE(reply.lines.front().starts_with(file("a.toml") + ":2: batch cannot be 0"));
  EXPECT_TRUE(desk_.settings == before);
  EXPECT_TRUE(desk_.type("load " + file("none.toml")).failed);
  EXPECT_TRUE(desk_.type("save " + file("a.txt")).failed);
}

TEST_F(SavedSettings, a_sourced_file_hands_its_commands_over_in_order_with_their_lines) {
  write_file(file("inner"), "seed 3\n");
  write_file(file("outer"), "# first\nbatch 64; slice v3-32\nsource " + file("inner") + "\nshow\n");
  const Reply reply = desk_.type("source " + file("outer"));
  std::string all;
  for (const SourcedCommand& one : reply.change.commands) all += one.where + " " + one.text + '\n';
  EXPECT_EQ(all, file("outer") + ":2 batch 64\n" + file("outer") + ":2 slice v3-32\n" +
                     file("inner") + ":1 seed 3\n" + file("outer") + ":4 show\n");
}

TEST_F(SavedSettings, a_file_that_sources_itself_runs_nothing_and_says_the_way) {
  write_file(file("a"), "source " + file("b") + "\n");
  write_file(file("b"), "batch 64\nsource " + file("a") + "\n");
  const Reply reply = desk_.type("source " + file("a"));
  EXPECT_TRUE(reply.failed);
  EXPECT_NE(reply.lines.front().find(file("a") + " > " + file("b") + " > " + file("a")),
            std::string::npos)
      << reply.lines.front();
  EXPECT_TRUE(reply.change.commands.empty());
}

// Each sources the next ten times, the last is empty: no command ever comes of it.
TEST_F(SavedSettings, files_that_multiply_are_given_up_soon) {
  write_file(file("9"), "");
  for (int i = 0; i < 9; ++i) {
    std::string text;
    for (int line = 0; line < 10; ++line) text += "source " + file(std::to_string(i + 1)) + "\n";
    write_file(file(std::to_string(i)), text);
  }
  EXPECT_EQ(said("source " + file("0")),
            file("0") + " sources more than 1000 files; make it shorter");
}

TEST_F(SavedSettings, reproduce_prints_the_line_of_the_run_and_not_of_what_was_set_since) {
  said("batch 64; run max_steps=2");
  desk_.engine.wait();
  said("batch 8");
  EXPECT_EQ(said("reproduce"), "tpulab -c 'set batch=64 max_steps=2; run'");
}

}  // namespace
}  // namespace tpulab
