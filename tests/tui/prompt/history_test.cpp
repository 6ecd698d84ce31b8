#include "tui/prompt/history.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/temporary_folder.h"

namespace tpulab::history_test {
namespace {

using Lines = std::vector<std::string>;

class HistoryTest : public testing::Test {
 protected:
  std::filesystem::path file() const { return folder_ / "state/tpulab/history"; }

  test::TemporaryFolder folder_;
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

TEST_F(HistoryTest, a_file_of_many_mebibytes_is_cut_to_its_newest_lines) {
  std::filesystem::create_directories(file().parent_path());
  std::ofstream stream(file());
  for (int i = 0; i < 20; ++i) stream << "step " << i << std::string(1 << 20, 'x') << '\n';
  stream.close();
  const auto lines = History(file()).load();
  ASSERT_EQ(lines.size(), 15U);
  EXPECT_TRUE(lines.back().starts_with("step 19"));
  EXPECT_LT(std::filesystem::file_size(file()), std::uintmax_t{16} << 20);
}

TEST_F(HistoryTest, a_line_that_a_full_disk_cut_short_stays_alone) {
  std::filesystem::create_directories(file().parent_path());
  std::ofstream(file()) << "batch 64\nrun max_ep";
  History(file()).append("show");
  EXPECT_EQ(History(file()).load(), (Lines{"batch 64", "run max_ep", "show"}));
}

TEST_F(HistoryTest, a_link_stays_a_link) {
  const auto target = folder_ / "elsewhere";
  std::ofstream stream(target);
  for (int i = 0; i < 1200; ++i) stream << "step " << i << '\n';
  stream.close();
  std::filesystem::create_directories(file().parent_path());
  std::filesystem::create_symlink(target, file());
  History(file()).load();
  EXPECT_TRUE(std::filesystem::is_symlink(file()));
  EXPECT_EQ(History(target).load().front(), "step 200");
}

TEST_F(HistoryTest, a_fifo_in_its_place_does_not_hang) {
  std::filesystem::create_directories(file().parent_path());
  ASSERT_EQ(::mkfifo(file().c_str(), 0600), 0);
  History history(file());
  EXPECT_TRUE(history.load().empty());
  EXPECT_TRUE(history.append("run"));
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

TEST_F(HistoryTest, the_file_and_its_folders_are_for_their_owner_only) {
  History(file()).append("run");
  const auto permissions = std::filesystem::status(file()).permissions();
  EXPECT_EQ(permissions & std::filesystem::perms{0077}, std::filesystem::perms::none);
  for (const auto& folder : {file().parent_path(), file().parent_path().parent_path()}) {
    EXPECT_EQ(std::filesystem::status(folder).permissions(), std::filesystem::perms{0700});
  }
}

TEST(HistoryPath, follows_xdg_and_falls_back_to_home) {
  ::setenv("XDG_STATE_HOME", "/somewhere", 1);
  EXPECT_EQ(history_path(), "/somewhere/tpulab/history");
  ::setenv("XDG_STATE_HOME", "relative/is/invalid", 1);
  ::setenv("HOME", "/people/someone", 1);
  EXPECT_EQ(history_path(), "/people/someone/.local/state/tpulab/history");
  ::setenv("HOME", "relative", 1);
  EXPECT_EQ(history_path(), "");
  ::unsetenv("HOME");
  EXPECT_EQ(history_path(), "");
}

TEST(HistoryPath, without_one_nothing_is_written) {
  History history("");
  EXPECT_TRUE(history.load().empty());
  const auto words = history.append("run");
  ASSERT_TRUE(words);
  EXPECT_NE(words->find("HOME"), std::string::npos);
  EXPECT_FALSE(history.append("stop"));
}

}  // namespace
}  // namespace tpulab::history_test
