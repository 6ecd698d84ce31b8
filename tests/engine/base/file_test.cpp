#include "engine/base/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <sstream>

#include "engine/base/error.h"
#include "tests/temporary_folder.h"

namespace tpulab::test::file_test {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  fs::path written(const std::string& text) const { return folder_.write("file", text); }
  static std::string refusal_of(const fs::path& path, std::size_t most_bytes = 100) {
    try {
      read_file(path, most_bytes);
    } catch (const Error& error) {
      const std::string what = error.what();
      EXPECT_NE(what.find(path.string()), std::string::npos) << what;
      return what;
    }
    return "";
  }

  TemporaryFolder folder_;
};

TEST_F(Files, a_file_is_read_whole) {
  const std::string text("a\0b\r\n\xff", 6);
  EXPECT_EQ(read_file(written(text)), text);
  EXPECT_EQ(read_file(written("")), "");
}

TEST_F(Files, a_byte_order_mark_is_no_part_of_the_text) {
  EXPECT_EQ(read_file(written("\xEF\xBB\xBFrun")), "run");
  EXPECT_EQ(without_byte_order_mark("\xEF\xBB\xBFrun"), "run");
}

TEST_F(Files, a_file_that_is_not_there_is_told_or_optional) {
  EXPECT_NE(refusal_of(folder_ / "none").find("No such file"), std::string::npos);
  EXPECT_FALSE(read_file_if_there(folder_ / "none"));
  EXPECT_FALSE(read_file_if_there(written("") / "below a file"));
}

TEST_F(Files, a_pipe_without_a_writer_is_refused_and_not_waited_for) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_NE(refusal_of(pipe).find("named pipe"), std::string::npos);
}

TEST_F(Files, folders_and_devices_are_refused) {
  EXPECT_NE(refusal_of(folder_.path()).find("folder"), std::string::npos);
  EXPECT_NE(refusal_of("/dev/zero").find("device"), std::string::npos);
}

TEST_F(Files, more_than_the_limit_is_refused) {
  EXPECT_EQ(refusal_of(written(std::string(100, 'x'))), "");
  EXPECT_NE(refusal_of(written(std::string(101, 'x'))).find("100 B"), std::string::npos);
}

TEST_F(Files, a_file_whose_size_is_not_told_is_read_too) {
  EXPECT_NE(read_file("/proc/self/status").find("Name:"), std::string::npos);
}

TEST(Lines, come_one_by_one_without_their_ends) {
  std::istringstream in("a\n\nb");
  std::string line;
  EXPECT_TRUE(next_line(in, line));
  EXPECT_EQ(line, "a");
  EXPECT_TRUE(next_line(in, line));
  EXPECT_EQ(line, "");
  EXPECT_TRUE(next_line(in, line));
  EXPECT_EQ(line, "b");
  EXPECT_FALSE(next_line(in, line));
}

TEST(Lines, a_line_without_an_end_is_refused) {
  std::istringstream in(std::string(longest_line_bytes + 1, 'x'));
  std::string line;
  EXPECT_THROW(next_line(in, line), Error);
}

}  // namespace
}  // namespace tpulab::test::file_test
