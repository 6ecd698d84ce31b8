#include "engine/base/memory.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/temporary_folder.h"

namespace tpulab::test::memory_test {
namespace {

// A copy of the files of a computer with control groups.
class MemoryLimit : public testing::Test {
 protected:
  void write(const std::string& file, const std::string& text) const { root_.write(file, text); }
  // In bytes; 0 without one.
  std::int64_t limit() const { return memory_limit(root_.path()).value_or(Bytes{0}).value; }

  TemporaryFolder root_;
};

TEST_F(MemoryLimit, without_control_groups_there_is_no_limit) {
  EXPECT_FALSE(memory_limit(root_.path()));
}

TEST_F(MemoryLimit, version_2_tells_its_limit) {
  write("proc/self/cgroup", "0::/box\n");
  write("sys/fs/cgroup/box/memory.max", "536870912\n");
  EXPECT_EQ(limit(), 536870912);
  write("sys/fs/cgroup/box/memory.max", "max\n");
  EXPECT_EQ(limit(), 0);
}

TEST_F(MemoryLimit, a_group_above_may_be_narrower) {
  write("proc/self/cgroup", "0::/outer/inner\n");
  write("sys/fs/cgroup/outer/inner/memory.max", "4000000\n");
  write("sys/fs/cgroup/outer/memory.max", "2000000\n");
  EXPECT_EQ(limit(), 2000000);
}

TEST_F(MemoryLimit, version_1_has_a_file_of_another_name) {
  write("proc/self/cgroup", "5:memory:/box\n4:cpu,cpuacct:/box\n");
  write("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "3000000\n");
  EXPECT_EQ(limit(), 3000000);
}

TEST_F(MemoryLimit, damaged_files_set_no_limit) {
  write("proc/self/cgroup", "0::/box\nrubbish\n");
  for (const char* text : {"", "x", "0", "-5", "1 2", "99999999999999999999"}) {
    write("sys/fs/cgroup/box/memory.max", text);
    EXPECT_EQ(limit(), 0) << text;
  }
}

TEST(AvailableMemory, is_what_a_limit_leaves_of_it) {
  EXPECT_GT(available_memory().value, 0);
  EXPECT_LE(available_memory().value, memory_limit("/").value_or(available_memory()).value);
}

}  // namespace
}  // namespace tpulab::test::memory_test
