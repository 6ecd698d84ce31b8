#include "tui/cores/alike_devices.h"

#include <gtest/gtest.h>

#include "tests/tui/example_snapshot.h"

namespace tpulab::alike_devices_test {

namespace {

// Of `count` devices those in [first, last) compute longer and wait for nobody.
std::vector<CoreView> with_slow(int count, int first, int last) {
  std::vector<CoreView> cores;
  for (int i = 0; i < count; ++i) {
    CoreView core;
    core.index = i;
    core.used = true;
    const bool slow = i >= first && i < last;
    core.shares[index_of(Share::compute)] = slow ? 1.0 : 0.75;
    core.shares[index_of(Share::collective_wait)] = slow ? 0.0 : 0.25;
    core.wait = slow ? Picoseconds{} : picoseconds_from_seconds(71e-6);
    cores.push_back(core);
  }
  return cores;
}

RunView run_on(int devices_per_host) {
  RunView run;
  run.devices_per_host = devices_per_host;
  return run;
}

}  // namespace

TEST(AlikeDevices, all_that_do_the_same_are_one) {
  const auto groups = alike_devices(example_training_snapshot().cores);
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(title_of(groups[0], 1, run_on(8)), "8 cores, identical");
  EXPECT_EQ(wait_of(groups[0], groups, RunView{}).full, "");
}

TEST(AlikeDevices, the_one_that_does_not_wait_is_named_first) {
  const auto groups = alike_devices(with_slow(8, 5, 6));
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(title_of(groups[0], 2, run_on(8)), "core 5, straggler");
  EXPECT_EQ(wait_of(groups[0], groups, RunView{}).full, "the others wait 71.0 us a step");
  EXPECT_EQ(title_of(groups[1], 2, run_on(8)), "7 other cores, identical");
  EXPECT_EQ(wait_of(groups[0], groups, RunView{}).brief, "others wait 71.0 us");
  EXPECT_EQ(wait_of(groups[1], groups, RunView{}).full, "wait 71.0 us a step");
  EXPECT_EQ(slow_devices(with_slow(8, 5, 6)), std::vector<int>{5});
}

TEST(AlikeDevices, a_slow_host_is_named_by_its_number) {
  const auto groups = alike_devices(with_slow(32, 8, 16));
  EXPECT_EQ(title_of(groups[0], 2, run_on(8)), "cores 8-15 (host 1), straggler");
  EXPECT_EQ(title_of(alike_devices(with_slow(32, 4, 12))[0], 2, run_on(8)),
            "cores 4-11, straggler");
}

TEST(AlikeDevices, a_host_that_differs_is_named_by_its_number_also_where_nobody_waits_for_it) {
  auto cores = with_slow(32, 8, 16);
  for (CoreView& core : cores) {
    core.duty_cycle = core.index / 8 == 1 ? 0.5 : 0.6;
    core.shares[index_of(Share::collective_wait)] = 0;
  }
  const auto groups = alike_devices(cores);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_FALSE(groups[0].slow || groups[1].slow);
  EXPECT_EQ(title_of(groups[0], 2, run_on(8)), "24 other cores, identical");
  EXPECT_EQ(title_of(groups[1], 2, run_on(8)), "cores 8-15 (host 1), identical");
}

TEST(AlikeDevices, devices_that_take_no_part_are_off_and_last) {
  const auto groups = alike_devices(example_one_core_snapshot().cores);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(title_of(groups[0], 2, run_on(8)), "core 1");
  EXPECT_EQ(title_of(groups[1], 2, run_on(8)), "7 other cores (off)");
}

TEST(AlikeDevices, a_wait_that_nobody_would_notice_makes_no_straggler) {
  auto cores = with_slow(4, 0, 1);
  for (CoreView& core : cores) core.shares[index_of(Share::collective_wait)] *= 0.001;
  EXPECT_TRUE(slow_devices(cores).empty());
  EXPECT_TRUE(slow_devices({}).empty());
}

}  // namespace tpulab::alike_devices_test
