#include "tui/remembered.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "tests/temporary_folder.h"

namespace tpulab::remembered_test {
namespace {

class RememberedTest : public testing::Test {
 protected:
  RememberedTest() { ::setenv("XDG_STATE_HOME", folder_.path().c_str(), 1); }
  test::TemporaryFolder folder_;
};

TEST_F(RememberedTest, what_was_remembered_last_comes_back) {
  EXPECT_EQ(remembered("theme"), std::nullopt);
  remember("theme", "light");
  remember("theme", "dark");
  EXPECT_EQ(remembered("theme"), "dark");
  EXPECT_EQ(remembered("welcomed"), std::nullopt);
}

TEST_F(RememberedTest, rubbish_and_folders_that_cannot_be_written_count_as_nothing) {
  std::filesystem::create_directories(folder_.path() / "tpulab" / "theme");
  EXPECT_EQ(remembered("theme"), std::nullopt);
  remember("theme", "dark");
  std::ofstream(folder_.path() / "tpulab" / "welcomed") << "\n\n";
  EXPECT_EQ(remembered("welcomed"), std::nullopt);
  ::setenv("XDG_STATE_HOME", "/dev/null", 1);
  remember("theme", "dark");
  EXPECT_EQ(remembered("theme"), std::nullopt);
}

}  // namespace
}  // namespace tpulab::remembered_test
