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

// PyTorch/XLA has a process a device, JAX one a host.
TEST(Loader, of_a_process_that_loads_itself_serves_all_its_devices) {
  Machine machine = machine_of("v3-8", 8, {.workers = 0});
  EXPECT_EQ(loaders_at_work(machine, 6), 1);
  machine.stack = &stack_named("jax");
  EXPECT_EQ(loaders_at_work(machine, 6), 1.0 / 8);
  machine.loader.workers = 1;
  EXPECT_EQ(loaders_at_work(machine, 6), 1);
}

TEST(Loader, runs_on_as_many_cpus_as_the_vm_of_its_chips_has) {
  EXPECT_EQ(host_cpus(machine_of("v2-8", 1, {})), 96);
  EXPECT_EQ(host_cpus(machine_of("v5p-8", 1, {})), 208);
  EXPECT_EQ(host_cpus(machine_of("v5e-1", 1, {})), 24);
  EXPECT_EQ(host_cpus(machine_of("v5e-4", 4, {})), 112);
  EXPECT_EQ(host_cpus(machine_of("v5e-8", 8, {})), 224);
  EXPECT_EQ(host_cpus(machine_of("v6e-1", 1, {})), 44);
  EXPECT_EQ(host_cpus(machine_of("v6e-8", 8, {})), 180);
  EXPECT_EQ(host_cpus(machine_of("v6e-256", 256, {})), 180);
  EXPECT_EQ(host_cpus(machine_of("v4-8", 1, {.cpus = 2})), 2);
  Machine notebook = machine_of("v2-8", 1, {});
  notebook.host = &host_named("colab-node-2021");
  EXPECT_EQ(host_cpus(notebook), 2);
}

// A process traces for each of 8 cores; a compiled step has one of all.
TEST(Loader, shares_its_cpus_with_the_processes_that_trace) {
  Machine machine = machine_of("v3-8", 8, {});
  EXPECT_EQ(slowness_of_python(machine), 1);
  machine.loader.cpus = 2;
  EXPECT_EQ(slowness_of_python(machine), 4);
  machine.stack = &stack_named("jax");
  EXPECT_EQ(slowness_of_python(machine), 1);
  machine.host = &host_named("colab-node-2021");
  EXPECT_EQ(slowness_of_python(machine), 2);
  machine.stack = &stack_named("pytorch-xla");
  EXPECT_EQ(slowness_of_python(machine), 8);
}

TEST(Loader, is_the_training_process_where_there_is_no_other) {
  EXPECT_EQ(loaders_at_work(machine_of("v3-8", 8, {.workers = 0}), 6), 1);
}

}  // namespace
}  // namespace tpulab::loader_test
