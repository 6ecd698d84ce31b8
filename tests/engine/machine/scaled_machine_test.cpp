#include "engine/machine/scaled_machine.h"

#include <gtest/gtest.h>

#include "engine/machine/price.h"

namespace tpulab::scaled_machine_test {
namespace {

Machine v3_8() {
  return {.slice = slice_named("v3-8"),
          .host = &host_named("tpu-vm"),
          .stack = &stack_named("pytorch-xla"),
          .devices = {0, 1, 2, 3, 4, 5, 6, 7}};
}

// 1 GiB read and written, one addition an element: bound by HBM.
KernelWork copy_kernel() {
  const Shape shape{8192, 16384};
  return {.items = {VectorWork{.shape = shape, .cheap = 1}},
          .reads = {{shape, DType::f32}},
          .writes = {{shape, DType::f32}}};
}

TEST(ScaledMachine, twice_the_hbm_halves_the_hbm_time) {
  const Machine machine = v3_8();
  ScaledMachine faster(machine);
  faster.speed_up(Resource::hbm, 2);
  const Price before = price(copy_kernel(), machine);
  const Price after = price(copy_kernel(), faster.machine());
  ASSERT_EQ(before.bound, Bound::hbm);
  EXPECT_NEAR(in_seconds(after.hbm), in_seconds(before.hbm) / 2, 1e-9);
  EXPECT_EQ(after.overhead, before.overhead);
}

TEST(ScaledMachine, leaves_the_machine_that_it_copies_alone) {
  const Machine machine = v3_8();
  const double trace = machine.stack->trace_seconds_per_op;
  ScaledMachine faster(machine);
  faster.speed_up(Resource::host_tracing, ScaledMachine::free_factor);
  EXPECT_EQ(machine.stack->trace_seconds_per_op, trace);
  EXPECT_LT(faster.machine().stack->trace_seconds_per_op, 1e-12);
}

TEST(ScaledMachine, no_speed_up_makes_a_kernel_or_a_transfer_slower) {
  const Machine machine = v3_8();
  const KernelWork product{.items = {MatrixWork{.m = 256, .k = 1024, .n = 1024}},
                           .reads = {{{256, 1024}, DType::bf16}, {{1024, 1024}, DType::bf16}},
                           .writes = {{{256, 1024}, DType::f32}}};
  const KernelWork reduction{
      .items = {CollectiveWork{.kind = CollectiveKind::all_reduce, .bytes = {1 << 22}}},
      .reads = {},
      .writes = {}};
  for (const Resource resource : resources()) {
    ScaledMachine faster(machine);
    faster.speed_up(resource, 2);
    for (const KernelWork& kernel : {product, copy_kernel(), reduction}) {
      EXPECT_LE(price(kernel, faster.machine()).time, price(kernel, machine).time)
          << name_of(resource);
    }
    EXPECT_LE(compile_time(100, faster.machine()), compile_time(100, machine));
  }
}

}  // namespace
}  // namespace tpulab::scaled_machine_test
