#include "engine/machine/device_set.h"

#include <gtest/gtest.h>

#include "engine/machine/collective.h"

namespace tpulab::device_set_test {
namespace {

Machine whole(const char* slice) {
  Machine machine{slice_named(slice), &host_named("tpu-vm"), &stack_named("jax"), {}};
  for (int i = 0; i < machine.slice.devices(); ++i) machine.devices.push_back(i);
  return machine;
}

TEST(DeviceSet, all_devices_as_a_set_need_what_the_slice_needs) {
  const Machine machine = whole("v3-32");
  const CollectiveWork all{CollectiveKind::all_reduce, {1 << 20}};
  const CollectiveWork set{CollectiveKind::all_reduce, {1 << 20}, {.size = 32, .apart = 1}};
  EXPECT_EQ(collective_time(set, machine).transfer, collective_time(all, machine).transfer);
  EXPECT_EQ(collective_time(set, machine).latency, collective_time(all, machine).latency);
}

TEST(DeviceSet, one_device_has_nothing_to_exchange) {
  const CollectiveWork alone{CollectiveKind::all_reduce, {1 << 20}, {.size = 1, .apart = 8}};
  EXPECT_EQ(collective_time(alone, whole("v3-32")).transfer, 0);
  EXPECT_EQ(collective_time(alone, whole("v3-32")).latency, 0);
}

TEST(DeviceSet, sets_of_different_slices_use_the_network) {
  const Machine machine = whole("2xv5e-256");
  EXPECT_TRUE(spans_slices(machine, {.size = 2, .apart = 256}));
  EXPECT_FALSE(spans_slices(machine, {.size = 256, .apart = 1}));
  // 512 MB of gradients are 2 MB on each of 256 chips, exchanged in one round.
  const Generation& v5e = machine.generation();
  const double share = machine.stack->network_share;
  const double once = 512e6 / 256 / v5e.network_bytes_per_second / share;
  const CollectiveWork work{CollectiveKind::all_reduce, {512'000'000}, {.size = 2, .apart = 256}};
  EXPECT_DOUBLE_EQ(collective_time(work, machine).transfer, once);
  EXPECT_DOUBLE_EQ(collective_time(work, machine).latency, v5e.network_seconds);
  const CollectiveWork half{CollectiveKind::all_gather, {512'000'000}, {.size = 2, .apart = 256}};
  EXPECT_DOUBLE_EQ(collective_time(half, machine).transfer, once / 2);
}

TEST(DeviceSet, all_devices_of_joined_slices_use_the_network_as_sets_of_them_do) {
  const Machine machine = whole("8xv5e-256");
  const CollectiveWork all{CollectiveKind::all_reduce, {512'000'000}};
  const CollectiveWork inside{CollectiveKind::all_reduce, {512'000'000}, {.size = 256, .apart = 1}};
  const CollectiveWork between{
      CollectiveKind::all_reduce, {512'000'000}, {.size = 8, .apart = 256}};
  EXPECT_DOUBLE_EQ(
      collective_time(all, machine).transfer,
      collective_time(inside, machine).transfer + collective_time(between, machine).transfer);
}

}  // namespace
}  // namespace tpulab::device_set_test
