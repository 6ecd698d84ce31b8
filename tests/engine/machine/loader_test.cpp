#include "engine/machine/loader.h"

#include <gtest/gtest.h>

namespace tpulab::loader_test {
namespace {

Machine machine_of(const char* slice, int devices, LoaderHabits loader) {
  Machine machine{.slice = slice_named(slice),
                  .host = &host_named("tpu-vm"),
                  .stack = &stack_named("pytorch-xla"),
                  .devices = {},
                  .loader = loader};
  for (int device = 0; device < devices; ++device) machine.devices.push_back(device);
  return machine;
}

TEST(Loader, works_as_usual_where_nobody_asks) {
  const Machine machine = machine_of("v3-8", 8, {});
  EXPECT_EQ(loaders_at_work(machine, 6), 6);
  EXPECT_NEAR(row_seconds(machine), 1 / 150e3, 1e-12);
}

// 96 CPUs load for the 8 cores of a board, also where a pod has more.
TEST(Loader, has_no_more_processes_at_work_than_there_are_cpus) {
  EXPECT_EQ(loaders_at_work(machine_of("v3-8", 8, {.workers = 4}), 6), 4);
  EXPECT_EQ(loaders_at_work(machine_of("v3-8", 8, {.workers = 40}), 6), 12);
  EXPECT_EQ(loaders_at_work(machine_of("v3-32", 32, {.workers = 40}), 6), 12);
  EXPECT_EQ(loaders_at_work(machine_of("v3-8", 1, {.workers = 40}), 6), 40);
  EXPECT_EQ(loaders_at_work(machine_of("v3-8", 8, {.workers = 4, .cpus = 16}), 6), 2);
  EXPECT_EQ(loaders_at_work(machine_of("v3-8", 8, {.cpus = 16}), 6), 2);
  EXPECT_EQ(loaders_at_work(machine_of("v3-8", 8, {.cpus = 2}), 1), 0.25);
}

TEST(Loader, is_the_training_process_where_there_is_no_other) {
  EXPECT_EQ(loaders_at_work(machine_of("v3-8", 8, {.workers = 0}), 6), 1);
}

}  // namespace
}  // namespace tpulab::loader_test
