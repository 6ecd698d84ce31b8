#include "engine/forecast/mesh.h"

#include <gtest/gtest.h>

#include "engine/machine/device_set.h"
#include "tests/engine/ops/check_op.h"

namespace tpulab::mesh_test {
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

TEST(Mesh, a_row_that_contexts_share_needs_no_tensor_group) {
  const Mesh asked{.context = 64};
  EXPECT_EQ(resolved_mesh(asked, slice_named("v5p-128"), 1, false).context, 64);
  EXPECT_EQ(resolved_mesh(asked, slice_named("v5p-128"), 1, false).tensor, 1);
  EXPECT_EQ(resolved_mesh({.context = 8}, slice_named("v5p-128"), 4, false).tensor, 2);
}

TEST(Mesh, groups_are_boxes_of_the_torus) {
  // 8x8x8 chips: a tensor group of 8 is a ring of the first axis, the rest is 1x8x8.
  const Machine machine = machine_on("v5p-1024");
  const Mesh mesh{.slices = 1, .data = 1, .fsdp = 64, .tensor = 8};
  const Machine tensor = group_on(machine, mesh, MeshAxis::tensor);
  EXPECT_EQ(tensor.slice.torus, (std::array<int, 3>{8, 1, 1}));
  EXPECT_TRUE(tensor.slice.wraps[0]);
  EXPECT_EQ(tensor.world(), 8);
  const Machine fsdp = group_on(machine, mesh, MeshAxis::sharers);
  EXPECT_EQ(fsdp.slice.torus, (std::array<int, 3>{1, 8, 8}));
  EXPECT_EQ(fsdp.world(), 64);
}

TEST(Mesh, a_part_of_an_axis_is_no_ring) {
  const Machine machine = machine_on("v5p-1024");
  const Mesh mesh{.slices = 1, .data = 1, .fsdp = 128, .tensor = 4};
  EXPECT_FALSE(group_on(machine, mesh, MeshAxis::tensor).slice.wraps[0]);
}

TEST(Mesh, experts_lie_inside_contexts_and_these_inside_what_shares_weights) {
  const Mesh mesh{.slices = 1, .data = 2, .fsdp = 4, .tensor = 2, .expert = 8, .context = 4};
  EXPECT_EQ(mesh.devices(), 512);
  EXPECT_EQ(mesh.replicas(), 2 * 4 * 8);
  const auto is = [&](MeshAxis axis, int size, int apart) {
    const DeviceSet among = devices_along(axis, mesh);
    return among.size == size && among.apart == apart;
  };
  EXPECT_TRUE(is(MeshAxis::expert, 8, 2));
  EXPECT_TRUE(is(MeshAxis::context, 4, 16));
  EXPECT_TRUE(is(MeshAxis::beside_experts, 16, 16));
  EXPECT_TRUE(is(MeshAxis::sharers, 128, 2));
  EXPECT_TRUE(is(MeshAxis::data, 2, 256));
}

TEST(Mesh, is_written_as_it_is_read) {
  for (const char* text :
       {"auto", "fsdp=8/tensor=4", "data=2/fsdp=2/tensor=1/expert=8/context=4"}) {
    EXPECT_EQ(text_of(mesh_named(text)), text);
  }
  EXPECT_EQ(mesh_named("expert8, context:2"), (Mesh{.expert = 8, .context = 2}));
  EXPECT_NE(test::error_of([] { mesh_named("expert=2/expert=4"); }).find("says expert twice"),
            std::string::npos);
  EXPECT_EQ(test::error_of([] { mesh_named("experts=2"); }),
            "mesh 'experts=2' has no part 'experts=2'; write auto, or parts of slices, data, fsdp, "
            "tensor, expert, context, pipeline and microbatches such as fsdp=8/tensor=4");
}

TEST(Mesh, the_two_cores_of_a_chip_are_the_first_tensor_pair) {
  const Machine machine = machine_on("v3-32");
  const Mesh mesh{.slices = 1, .data = 16, .fsdp = 1, .tensor = 2};
  EXPECT_EQ(group_on(machine, mesh, MeshAxis::tensor).slice.chips, 1);
  EXPECT_EQ(group_on(machine, mesh, MeshAxis::data).slice.chips, 16);
  EXPECT_EQ(group_on(machine, mesh, MeshAxis::data).world(), 16);
}

}  // namespace
}  // namespace tpulab::mesh_test
