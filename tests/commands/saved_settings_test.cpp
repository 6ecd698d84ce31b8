// save, load, source and reproduce, typed as a user would.
#include <gtest/gtest.h>

#include "engine/base/file.h"
#include "engine/base/write_file.h"
#include "engine/session/settings/settings_file.h"
#include "tests/commands/desk.h"
#include "tests/environment_variable.h"
#include "tests/temporary_folder.h"

namespace tpulab::saved_settings_test {
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

TEST_F(SavedSettings, files_of_others_and_what_a_run_reads_are_not_replaced) {
  const std::string others = "[project]\nname = \"mine\"\n";
  write_file(file("pyproject.toml"), others);
  EXPECT_NE(said("save " + file("pyproject.toml")).find("was not written by `save`"),
            std::string::npos);
  EXPECT_EQ(read_file(file("pyproject.toml")), others);
  said("save " + file("a.toml"));
  EXPECT_FALSE(desk_.type("save " + file("a.toml")).failed);
  std::string rows;
  for (int i = 0; i < 40; ++i) rows += std::to_string(i) + ",1," + std::to_string(i % 2) + "\n";
  write_file(file("rows.csv"), rows);
  said("set data=" + file("rows.csv") + " model=\"dense 2\"");
  said("run max_steps=2");
  EXPECT_NE(said("export steps " + file("rows.csv")).find("is what the next run reads"),
            std::string::npos);
  EXPECT_EQ(read_file(file("rows.csv")), rows);
  EXPECT_FALSE(desk_.type("export steps " + file("steps.csv")).failed);
}

// Where the file lies that they name, however it was named.
TEST_F(SavedSettings, files_are_saved_and_reproduced_with_their_whole_paths) {
  std::string rows;
  for (int i = 0; i < 40; ++i) rows += std::to_string(i) + ",1," + std::to_string(i % 2) + "\n";
  write_file(file("rows.csv"), rows);
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path());
  EXPECT_FALSE(desk_.type("data ./rows.csv").failed) << said("data ./rows.csv");
  said("save a.toml");
  const std::string line = said("reproduce");
  const std::string whole = (std::filesystem::current_path() / "rows.csv").string();
  std::filesystem::current_path(before);
  EXPECT_NE(read_file(file("a.toml")).find("data = \"" + whole + "\"\n"), std::string::npos)
      << read_file(file("a.toml"));
  EXPECT_NE(line.find("data=" + whole), std::string::npos) << line;
}

TEST_F(SavedSettings, what_the_session_before_ended_with_comes_back) {
  const test::EnvironmentVariable state("XDG_STATE_HOME", folder_.path().string());
  EXPECT_TRUE(said("load last").starts_with("no earlier session has left settings behind"));
  Settings left;
  left.batch = 64;
  folder_.write(std::filesystem::path("tpulab") / settings_of_last_session, text_of_settings(left));
  said("load last");
  EXPECT_EQ(desk_.settings, left);
  const test::EnvironmentVariable too_long("XDG_STATE_HOME", "/" + std::string(5000, 'a'));
  EXPECT_TRUE(said("load last").starts_with("no earlier session has left settings behind"));
}

TEST_F(SavedSettings, files_of_the_home_folder_are_read_as_they_are_offered) {
  const char* const old = std::getenv("HOME");
  const std::string before = old == nullptr ? "" : old;
  ::setenv("HOME", folder_.path().c_str(), 1);
  std::string rows;
  for (int row = 0; row < 20; ++row)
    rows += std::to_string(row) + ",2," + std::to_string(row % 2) + "\n";
  folder_.write("rows.csv", rows);
  EXPECT_FALSE(desk_.type("data ~/rows.csv").failed) << said("data ~/rows.csv");
  EXPECT_FALSE(desk_.type("lesson new ~/own.lesson").failed);
  EXPECT_FALSE(desk_.type("lesson check ~/own.lesson").failed);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "own.lesson"));
  ::setenv("HOME", before.c_str(), 1);
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
}  // namespace tpulab::saved_settings_test
