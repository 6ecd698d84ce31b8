#include "engine/forecast/mesh.h"

#include <gtest/gtest.h>

#include "engine/machine/device_set.h"

namespace tpulab {
namespace {

Machine machine_on(const char* slice) { return machine_of({.slice = slice}); }

Machine group_on(const Machine& machine, const Mesh& mesh, MeshAxis axis) {
  return group_machine(machine, devices_along(axis, mesh));
}

TEST(Mesh, replicas_fill_a_slice_when_nothing_is_asked) {
  const Mesh mesh = resolved_mesh({}, slice_named("v3-32"), 1024, false);
  EXPECT_EQ(mesh.data, 32);
  EXPECT_EQ(mesh.fsdp * mesh.tensor * mesh.slices, 1);
}

TEST(Mesh, sharding_stays_inside_a_slice) {
  const Mesh mesh = resolved_mesh({}, slice_named("2xv5e-256"), 1024, true);
  EXPECT_EQ(mesh.slices, 2);
  EXPECT_EQ(mesh.fsdp, 256);
  EXPECT_EQ(mesh.data, 1);
}

TEST(Mesh, groups_are_boxes_of_the_torus) {
  // 8x8x8 chips: a tensor group of 8 is a ring of the first axis, the rest is 1x8x8.
  const Machine machine = machine_on("v5p-1024");
  const Mesh mesh{.slices = 1, .data = 1, .fsdp = 64, .tensor = 8};
  const Machine tensor = group_on(machine, mesh, MeshAxis::tensor);
  EXPECT_EQ(tensor.slice.torus, (std::array<int, 3>{8, 1, 1}));
  EXPECT_TRUE(tensor.slice.wraps[0]);
  EXPECT_EQ(tensor.world(), 8);
  const Machine fsdp = group_on(machine, mesh, MeshAxis::fsdp);
  EXPECT_EQ(fsdp.slice.torus, (std::array<int, 3>{1, 8, 8}));
  EXPECT_EQ(fsdp.world(), 64);
}

TEST(Mesh, a_part_of_an_axis_is_no_ring) {
  const Machine machine = machine_on("v5p-1024");
  const Mesh mesh{.slices = 1, .data = 1, .fsdp = 128, .tensor = 4};
  EXPECT_FALSE(group_on(machine, mesh, MeshAxis::tensor).slice.wraps[0]);
}

TEST(Mesh, the_two_cores_of_a_chip_are_the_first_tensor_pair) {
  const Machine machine = machine_on("v3-32");
  const Mesh mesh{.slices = 1, .data = 16, .fsdp = 1, .tensor = 2};
  EXPECT_EQ(group_on(machine, mesh, MeshAxis::tensor).slice.chips, 1);
  EXPECT_EQ(group_on(machine, mesh, MeshAxis::data).slice.chips, 16);
  EXPECT_EQ(group_on(machine, mesh, MeshAxis::data).world(), 16);
}

}  // namespace
}  // namespace tpulab
