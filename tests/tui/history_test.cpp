#include "tui/history.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace tpulab {
namespace {

using Lines = std::vector<std::string>;

class HistoryTest : public testing::Test {
 protected:
  HistoryTest() {
    std::string pattern = testing::TempDir() + "tpulab_history_XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
  }
  ~HistoryTest() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path file() const { return folder_ / "state/tpulab/history"; }

  std::filesystem::path folder_;
};

TEST_F(HistoryTest, what_is_appended_is_loaded_by_the_next_session) {
  EXPECT_FALSE(History(file()).append("batch 64"));
  EXPECT_FALSE(History(file()).append("run"));
  EXPECT_EQ(History(file()).load(), (Lines{"batch 64", "run"}));
}

TEST_F(HistoryTest, sessions_side_by_side_both_keep_their_lines) {
  History one(file());
  History other(file());
  one.append("batch 64");
  other.append("run");
  one.append("stop");
  EXPECT_EQ(History(file()).load(), (Lines{"batch 64", "run", "stop"}));
}

TEST_F(HistoryTest, a_line_equal_to_the_one_before_is_not_repeated) {
  History(file()).append("run");
  History next(file());
  next.load();
  next.append("run");
  next.append("stop");
  next.append("run");
  EXPECT_EQ(History(file()).load(), (Lines{"run", "stop", "run"}));
}

TEST_F(HistoryTest, a_long_file_is_cut_to_its_newest_lines) {
  std::filesystem::create_directories(file().parent_path());
  std::ofstream stream(file());
  for (int i = 0; i < 1200; ++i) stream << "step " << i << '\n';
  stream.close();
  EXPECT_EQ(History(file()).load().size(), History::kept_lines);
  const auto again = History(file()).load();
  EXPECT_EQ(again.front(), "step 200");
  EXPECT_EQ(again.back(), "step 1199");
}

TEST_F(HistoryTest, a_full_disk_is_said_once) {
  std::filesystem::create_directories(file().parent_path());
  std::filesystem::create_symlink("/dev/full", file());  // every write answers ENOSPC
  History history(file());
  EXPECT_TRUE(history.load().empty());
  const auto failure = history.append("run");
  ASSERT_TRUE(failure);
  EXPECT_NE(failure->find("No space left on device"), std::string::npos);
  EXPECT_FALSE(history.append("stop"));
}

TEST_F(HistoryTest, a_folder_that_cannot_be_made_is_said_once) {
  std::ofstream(folder_ / "state") << "a file where a folder should be";
  History history(file());
  EXPECT_TRUE(history.append("run"));
  EXPECT_FALSE(history.append("stop"));
}

TEST_F(HistoryTest, the_file_is_for_its_owner_only) {
  History(file()).append("run");
  const auto permissions = std::filesystem::status(file()).permissions();
  EXPECT_EQ(permissions & std::filesystem::perms{0077}, std::filesystem::perms::none);
}

TEST(HistoryPath, follows_xdg_and_falls_back_to_home) {
  ::setenv("XDG_STATE_HOME", "/somewhere", 1);
  EXPECT_EQ(history_path(), "/somewhere/tpulab/history");
  ::setenv("XDG_STATE_HOME", "relative/is/invalid", 1);
  ::setenv("HOME", "/people/someone", 1);
  EXPECT_EQ(history_path(), "/people/someone/.local/state/tpulab/history");
}

}  // namespace
}  // namespace tpulab
