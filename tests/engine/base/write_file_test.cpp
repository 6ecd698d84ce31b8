#include "engine/base/write_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "tests/temporary_folder.h"

namespace tpulab::write_file_test {
namespace {

namespace fs = std::filesystem;

class WriteFile : public testing::Test {
 protected:
  test::TemporaryFolder folder_;
};

TEST_F(WriteFile, takes_the_place_of_the_old_text_and_leaves_nothing_beside_it) {
  const fs::path path = folder_ / "a.txt";
  write_file(path, "a longer text");
  write_file(path, "short");
  EXPECT_EQ(read_file(path), "short");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()), 1);
}

TEST_F(WriteFile, private_folders_are_for_their_owner_and_others_stay_as_they_are) {
  fs::create_directory(folder_ / "old");
  fs::permissions(folder_ / "old", fs::perms{0755});
  EXPECT_EQ(make_private_folders(folder_ / "old" / "new" / "newer"), 0);
  EXPECT_EQ(fs::status(folder_ / "old").permissions(), fs::perms{0755});
  EXPECT_EQ(fs::status(folder_ / "old" / "new").permissions(), fs::perms{0700});
  EXPECT_EQ(fs::status(folder_ / "old" / "new" / "newer").permissions(), fs::perms{0700});
  write_file(folder_ / "file", "");
  EXPECT_EQ(make_private_folders(folder_ / "file" / "below"), ENOTDIR);
}

TEST_F(WriteFile, a_link_stays_a_link) {
  write_file(folder_ / "a.txt", "old");
  fs::create_symlink(folder_ / "a.txt", folder_ / "link");
  write_file(folder_ / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(read_file(folder_ / "a.txt"), "new");
}

TEST_F(WriteFile, a_link_in_the_way_of_the_new_text_is_not_followed) {
  write_file(folder_ / "precious", "kept");
  fs::create_symlink(folder_ / "precious",
                     folder_ / ("a.txt." + std::to_string(::getpid()) + ".0"));
  write_file(folder_ / "a.txt", "new");
  EXPECT_EQ(read_file(folder_ / "a.txt"), "new");
  EXPECT_EQ(read_file(folder_ / "precious"), "kept");
}

TEST_F(WriteFile, who_may_read_the_old_text_may_read_the_new_one) {
  write_file(folder_ / "a.txt", "old");
  fs::permissions(folder_ / "a.txt", fs::perms::owner_read | fs::perms::owner_write);
  write_file(folder_ / "a.txt", "new");
  EXPECT_EQ(fs::status(folder_ / "a.txt").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(WriteFile, create_refuses_what_is_there) {
  create_file(folder_ / "a.txt", "first");
  EXPECT_THROW(create_file(folder_ / "a.txt", "second"), Error);
  EXPECT_EQ(read_file(folder_ / "a.txt"), "first");
}

TEST_F(WriteFile, what_cannot_be_written_to_its_end_is_not_there) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1'000, 1'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const std::string text(2'000, 'x');
    int refused = 0;
    for (const auto& write : {create_file, write_file}) {
      try {
        write(folder_ / "a.txt", text);
      } catch (const Error&) {
        ++refused;
      }
    }
    ::_exit(refused == 2 ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_F(WriteFile, a_folder_and_a_pipe_and_no_folder_are_refused_at_once) {
  EXPECT_THROW(write_file(folder_.path(), "text"), Error);
  EXPECT_THROW(write_file(folder_ / "none" / "a.txt", "text"), Error);
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_THROW(write_file(folder_ / "pipe", "text"), Error);
}

}  // namespace
}  // namespace tpulab::write_file_test
