#include "engine/machine/straggler.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/machine/collective.h"

namespace tpulab::straggler_test {
namespace {

Machine machine_with(std::string_view straggler) {
  const Slice slice = slice_named("v3-32");
  Machine machine{.slice = slice,
                  .host = &host_named("tpu-vm"),
                  .stack = &stack_named("pytorch-xla"),
                  .devices = {},
                  .stragglers = stragglers_named(straggler, slice)};
  for (int device = 0; device < slice.devices(); ++device) machine.devices.push_back(device);
  return machine;
}

TEST(Stragglers, are_none_by_default) {
  const auto groups = device_groups(machine_with("none"));
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].devices.size(), 32u);
}

TEST(Stragglers, a_slow_host_slows_its_eight_cores) {
  const auto groups = device_groups(machine_with("host:3:1.4"));
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].devices.size(), 24u);
  EXPECT_EQ(groups[1].devices, (std::vector<int>{24, 25, 26, 27, 28, 29, 30, 31}));
  EXPECT_EQ(groups[1].host_factor, 1.4);
  EXPECT_EQ(groups[1].device_factor, 1);
}

TEST(Stragglers, a_slow_core_stands_alone) {
  const auto groups = device_groups(machine_with("core:5:2"));
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[1].devices, std::vector<int>{5});
  EXPECT_EQ(groups[1].device_factor, 2);
}

TEST(Stragglers, a_slow_link_makes_no_group_but_slows_the_bytes_of_every_collective) {
  const Machine slow = machine_with("link:7:2.5");
  const Machine usual = machine_with("none");
  EXPECT_EQ(device_groups(slow).size(), 1u);
  EXPECT_EQ(slowness_of_links(slow), 2.5);
  EXPECT_EQ(slowness_of_links(machine_with("host:3:2.5")), 1);
  const CollectiveWork all{CollectiveKind::all_reduce, {1 << 30}};
  EXPECT_DOUBLE_EQ(collective_time(all, slow).transfer, 2.5 * collective_time(all, usual).transfer);
  EXPECT_EQ(collective_time(all, slow).latency, collective_time(all, usual).latency);
  const CollectiveWork some{CollectiveKind::all_gather, {1 << 30}, {.size = 8, .apart = 4}};
  EXPECT_DOUBLE_EQ(collective_time(some, slow).transfer,
                   2.5 * collective_time(some, usual).transfer);
  const Slice single = slice_named("v6e-1");
  EXPECT_THROW(stragglers_named("link:0:2", single), Error);
}

TEST(Stragglers, are_named_where_working_devices_feel_them) {
  const auto text = [](const Machine& machine) {
    const Straggler* part = slowest_part(machine);
    return part != nullptr ? text_of(*part, machine) : "";
  };
  EXPECT_EQ(text(machine_with("core:5:3")), "core 5 takes 3x as long as the others");
  EXPECT_EQ(text(machine_with("host:3:2.5")), "host 3 takes 2.5x as long as the others");
  EXPECT_EQ(text(machine_with("link:7:30")), "links of chip 7 take 30x as long as the others");
  EXPECT_EQ(text(machine_with("none")), "");
  EXPECT_EQ(text(machine_with("core:5:1")), "");
  Machine one = machine_with("core:5:3");
  one.devices = {5};
  EXPECT_EQ(text(one), "core 5 takes 3x as long as its like");
  one.devices = {6};
  EXPECT_EQ(text(one), "");
  one.stragglers = stragglers_named("link:7:30", one.slice);
  EXPECT_EQ(text(one), "");  // it exchanges nothing
}

TEST(Stragglers, are_refused_where_the_slice_has_no_such_part) {
  const Slice slice = slice_named("v3-8");
  for (const char* wrong :
       {"host:1:1.4", "core:8:2", "core:-1:2", "core:1:0.5", "core:1:1000", "core:1", "chip:1:2",
        "link:4:2", "link:-1:2", "core:x:2", "core:1:nan", "1.4"}) {
    EXPECT_THROW(stragglers_named(wrong, slice), Error) << wrong;
  }
}

}  // namespace
}  // namespace tpulab::straggler_test
