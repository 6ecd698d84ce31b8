#include "engine/runtime/batch_events.h"

#include <gtest/gtest.h>

namespace tpulab::batch_events_test {
namespace {

Machine machine_of(int devices, const char* stack, int workers = -1) {
  Machine machine{.slice = slice_named("v3-8"),
                  .host = &host_named("tpu-vm"),
                  .stack = &stack_named(stack),
                  .devices = {},
                  .loader = {.workers = workers}};
  for (int device = 0; device < devices; ++device) machine.devices.push_back(device);
  return machine;
}

std::vector<EventKind> kinds_of(const Machine& machine, double usual) {
  std::vector<EventKind> kinds;
  for (const Event& event : batch_events(32, {8192}, usual, machine)) kinds.push_back(event.kind);
  return kinds;
}

using enum EventKind;

TEST(BatchEvents, of_several_devices_come_in_the_background) {
  const auto events = batch_events(32, {8192}, 1, machine_of(8, "pytorch-xla", 4));
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].kind, next_batch);
  EXPECT_EQ(events[0].count, 32);
  EXPECT_EQ(events[0].loaders, 4);
  EXPECT_EQ(events[0].sent.value, 8192);
}

TEST(BatchEvents, of_one_device_are_sent_by_the_step) {
  EXPECT_EQ(kinds_of(machine_of(1, "pytorch-xla"), 1), (std::vector{load, upload}));
  EXPECT_EQ(kinds_of(machine_of(1, "pytorch-xla", 0), 48), (std::vector{load, upload}));
  EXPECT_EQ(kinds_of(machine_of(1, "pytorch-xla", 2), 1), (std::vector{next_rows, upload}));
  EXPECT_EQ(kinds_of(machine_of(1, "pytorch-xla"), 48), (std::vector{next_rows, upload}));
  EXPECT_EQ(kinds_of(machine_of(1, "jax"), 1), std::vector{next_batch});
}

}  // namespace
}  // namespace tpulab::batch_events_test
