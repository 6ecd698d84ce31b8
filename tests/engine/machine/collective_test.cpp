#include "engine/machine/collective.h"

#include <gtest/gtest.h>

#include <numeric>

namespace tpulab::collective_test {
namespace {

Machine whole(std::string_view name) {
  Machine machine{.slice = slice_named(name),
                  .host = &host_named("tpu-vm"),
                  .stack = &stack_named("pytorch-xla"),
                  .devices = {}};
  machine.devices.resize(static_cast<std::size_t>(machine.slice.devices()));
  std::iota(machine.devices.begin(), machine.devices.end(), 0);
  return machine;
}

// 2 (n - 1) / n of the payload leave a chip, divided among its links.
TEST(BytesOfLinks, each_link_in_use_carries_its_share_of_what_leaves_a_chip) {
  const CollectiveWork work{CollectiveKind::all_reduce, {1'000'000}};
  const auto pod = bytes_of_links(work, whole("v5e-256"));  // 16 x 16, both rings: 4 links
  EXPECT_DOUBLE_EQ(pod[0], 2e6 * 255 / 256 / 4);
  EXPECT_DOUBLE_EQ(pod[1], pod[0]);
  EXPECT_EQ(pod[2], 0);
  const auto alone = bytes_of_links(work, whole("v5e-1"));
  EXPECT_EQ(alone[0] + alone[1] + alone[2], 0);
}

TEST(BytesOfLinks, at_the_speed_of_a_link_they_take_the_time_of_the_collective) {
  const CollectiveWork work{CollectiveKind::all_reduce, {64'000'000}};
  for (const char* name : {"v5e-16", "v5e-256", "v4-512", "v6e-64"}) {
    const Machine machine = whole(name);
    const Generation& row = machine.generation();
    const double seconds =
        bytes_of_links(work, machine)[1] / (row.link_bytes_per_second * row.link_efficiency);
    EXPECT_NEAR(seconds / collective_time(work, machine).transfer, 1, 1e-9) << name;
  }
}

TEST(CollectiveTime, a_neighbour_is_one_link_and_one_hop_away) {
  const Machine machine = whole("v5e-16");
  const Generation& row = machine.generation();
  const auto time = collective_time({CollectiveKind::permute, {45'000'000}}, machine);
  EXPECT_DOUBLE_EQ(time.transfer, 45e6 / (row.link_bytes_per_second * row.link_efficiency));
  EXPECT_DOUBLE_EQ(time.latency, row.collective_seconds + row.hop_seconds);
}

// Nothing is published of the router between two cores of a chip. Of 32 cores that summed 28.5 MB
// in 178.5 us each had to send its neighbour all of it, and as much came back, links apart [XPROF].
TEST(CollectiveTime, two_cores_of_a_chip_are_as_fast_as_a_sum_over_many_needs_them_to_be) {
  Machine machine = whole("v3-32");
  const CollectiveWork work{CollectiveKind::all_reduce, {28'500'000}};
  machine.devices = {0, 1};
  const auto pair = collective_time(work, machine);
  EXPECT_LE(pair.transfer + pair.latency, 178.5e-6);
  machine.devices = {0, 2};
  EXPECT_GT(collective_time(work, machine).transfer, pair.transfer);  // one link of a torus
}

// 4 x 4 without rings: two chips are 4/3 + 4/3 links apart on average, and each has two of them.
TEST(CollectiveTime, an_all_to_all_passes_what_is_meant_for_others) {
  const Machine machine = whole("v5e-16");
  const Generation& row = machine.generation();
  const auto time = collective_time({CollectiveKind::all_to_all, {16'000'000}}, machine);
  const double links = 2 * row.link_bytes_per_second * row.link_efficiency;
  EXPECT_DOUBLE_EQ(time.transfer, 16e6 * 15 / 16 * (8.0 / 3) / links);
}

}  // namespace
}  // namespace tpulab::collective_test
