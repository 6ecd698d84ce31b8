#include <gtest/gtest.h>

#include <cstring>

#include "engine/base/error.h"
#include "engine/machine/machine.h"

namespace tpulab::generations_test {
namespace {

TEST(Generations, peak_rates_follow_from_clock_and_array) {
  // 2 operations x 128 x 128 x 2 units x 0.94 GHz, half of the documented 123 TFLOP/s a chip.
  EXPECT_NEAR(generation_named("v3").matrix_flops_per_second(), 61.6e12, 0.1e12);
  EXPECT_NEAR(generation_named("v2").matrix_flops_per_second(), 22.9e12, 0.1e12);
  EXPECT_NEAR(generation_named("v4").matrix_flops_per_second(), 275e12, 1e12);
  EXPECT_NEAR(generation_named("v5e").matrix_flops_per_second(), 197e12, 1e12);
}

TEST(Generations, one_is_found_by_what_it_is_called_elsewhere) {
  EXPECT_EQ(generation_named("Ironwood").name, "v7");
  EXPECT_EQ(generation_named("trillium").name, "v6e");
  EXPECT_EQ(generation_named("v5litepod").name, "v5e");
  EXPECT_EQ(generation_named("TPU v4").name, "v4");
}

TEST(Generations, a_core_of_v2_and_v3_has_half_the_chip) {
  EXPECT_EQ(generation_named("v3").hbm_gib, 16);
  EXPECT_EQ(generation_named("v3").hbm_bytes_per_second, 450e9);
  EXPECT_EQ(generation_named("v2").hbm_gib, 8);
  EXPECT_EQ(generation_named("v4").hbm_gib, 32);
}

TEST(Generations, a_program_has_no_more_memory_than_there_is) {
  for (const Generation& row : generations())
    EXPECT_LE(row.usable_hbm_gib, row.hbm_gib) << row.name;
}

TEST(Generations, every_constant_names_its_source_and_has_a_value) {
  for (const Generation& row : generations()) {
    for (const Constant* constant = &row.clock_hertz; constant <= &row.host_link_bytes_per_second;
         ++constant) {
      // v2 and v3 keep no operands at hand.
      const bool may_be_none = constant == &row.resident_mib;
      EXPECT_TRUE(constant->value > 0 || (may_be_none && constant->value == 0)) << row.name;
      EXPECT_FALSE(constant->source.empty()) << row.name;
    }
  }
}

TEST(Generations, an_unknown_name_is_answered_with_the_nearest) {
  try {
    generation_named("v5");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::strstr(error.what(), "did you mean v5e?"), nullptr) << error.what();
  }
}

TEST(Rows, hosts_and_stacks_are_found_by_name_and_refused_by_name) {
  EXPECT_EQ(host_named("tpu-vm").name, "tpu-vm");
  EXPECT_EQ(stack_named("pytorch-xla").name, "pytorch-xla");
  EXPECT_THROW(host_named("tpu-wm"), Error);
  EXPECT_THROW(stack_named("pytorch"), Error);
  EXPECT_EQ(stack_of("jax", Effort::tuned).name, "jax");
  EXPECT_EQ(stack_of("jax", Effort::ordinary).name, "jax-ordinary");
  EXPECT_EQ(stack_of("jax-ordinary", Effort::ordinary).name, "jax-ordinary");
  // There is no other of it.
  EXPECT_EQ(stack_of("pytorch-xla", Effort::tuned).name, "pytorch-xla");
}

}  // namespace
}  // namespace tpulab::generations_test
