#include "engine/base/cpus.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/temporary_folder.h"

namespace tpulab::test::cpus_test {
namespace {

// A copy of the files of a computer with control groups.
class Cpus : public testing::Test {
 protected:
  void write(const std::string& file, const std::string& text) const { root_.write(file, text); }
  std::optional<double> quota() const { return cpu_quota(root_.path()); }

  TemporaryFolder root_;
};

TEST_F(Cpus, without_control_groups_there_is_no_quota) { EXPECT_FALSE(quota()); }

TEST_F(Cpus, version_2_tells_its_quota_and_its_period) {
  write("proc/self/cgroup", "0::/box\n");
  write("sys/fs/cgroup/box/cpu.max", "150000 100000\n");
  EXPECT_EQ(quota(), 1.5);
  write("sys/fs/cgroup/box/cpu.max", "max 100000\n");
  EXPECT_FALSE(quota());
}

TEST_F(Cpus, a_group_above_may_be_narrower) {
  write("proc/self/cgroup", "0::/outer/inner\n");
  write("sys/fs/cgroup/outer/inner/cpu.max", "400000 100000\n");
  write("sys/fs/cgroup/outer/cpu.max", "200000 100000\n");
  EXPECT_EQ(quota(), 2);
}

TEST_F(Cpus, version_1_tells_them_in_two_files) {
  write("proc/self/cgroup", "5:memory:/box\n4:cpu,cpuacct:/box\n");
  write("sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us", "300000\n");
  write("sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), 3);
  write("sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us", "-1\n");
  EXPECT_FALSE(quota());
}

TEST_F(Cpus, a_container_that_sees_its_own_group_as_the_topmost_is_understood) {
  write("proc/self/cgroup", "0::/docker/0123\n");
  write("sys/fs/cgroup/cpu.max", "50000 100000\n");
  EXPECT_EQ(quota(), 0.5);
}

TEST_F(Cpus, damaged_files_set_no_limit) {
  write("proc/self/cgroup", "0::/box\nrubbish\n");
  for (const char* text : {"", "x y", "0 0", "100000", "-5 100000", "1 2 3"}) {
    write("sys/fs/cgroup/box/cpu.max", text);
    EXPECT_FALSE(quota()) << text;
  }
}

TEST(AvailableCpus, are_at_least_one) { EXPECT_GE(available_cpus(), 1); }

}  // namespace
}  // namespace tpulab::test::cpus_test
