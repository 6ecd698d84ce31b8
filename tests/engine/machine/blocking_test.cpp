#include "engine/machine/blocking.h"

#include <gtest/gtest.h>

namespace tpulab::blocking_test {
namespace {

Blocking blocking_of(const MatrixWork& work, std::string_view generation, Neighbours neighbours) {
  const std::int64_t values = work.m * work.k + work.k * work.n + work.m * work.n;
  return best_blocking(work, 1e-3, {work.batch * values * 2}, generation_named(generation),
                       neighbours);
}

TEST(Blocking, operands_beyond_the_chip_are_read_once_per_block_of_the_other_side) {
  // GIVEN 8192^3 in bf16 on v6e: 128 MiB an operand. Two blocks of 2 MiB of each operand and of the
  // result and 4 MiB of sums fill the 16 MiB of a kernel: sides of 1,024, each operand read 8
  // times.
  MatrixWork work{.m = 8192, .k = 8192, .n = 8192};
  EXPECT_EQ(blocking_of(work, "v6e", Neighbours::around).reread_bytes, 2 * 7 * 8192.0 * 8192 * 2);
  EXPECT_EQ(blocking_of(work, "v6e", Neighbours::around).steps, 512);
  // WHEN one operand is 64 MiB it stays on the chip, THEN nothing is read twice.
  work.m = 4096;
  EXPECT_EQ(blocking_of(work, "v6e", Neighbours::around).reread_bytes, 0);
}

TEST(Blocking, a_kernel_by_itself_loads_an_operand_that_stays_before_it_starts) {
  // GIVEN 32 MiB of weights for 128 rows of 1 MiB on v6e.
  const MatrixWork work{.m = 128, .k = 4096, .n = 4096};
  EXPECT_GE(blocking_of(work, "v6e", Neighbours::none).end_bytes, (32 << 20) + (1 << 20));
  EXPECT_EQ(blocking_of(work, "v6e", Neighbours::around).end_bytes, 0);
  // On v3 nothing stays: a block of each is enough to start.
  EXPECT_LT(blocking_of(work, "v3", Neighbours::none).end_bytes, 8 << 20);
}

TEST(Blocking, small_members_of_a_batch_share_blocks) {
  // 96 heads of 64 x 64: 8 KiB an operand padded to 128 lanes of bf16.
  const MatrixWork heads{.batch = 96, .m = 64, .k = 64, .n = 64};
  EXPECT_LE(blocking_of(heads, "v6e", Neighbours::around).steps, 2);
}

TEST(Blocking, attention_walks_a_grid_and_a_convolution_that_the_next_one_reads_does_not) {
  MatrixWork first{.batch = 8, .m = 1024, .k = 64, .n = 1024};
  EXPECT_GT(grid_steps({.items = {first, first}, .reads = {}, .writes = {}}, Neighbours::around),
            0);
  first.window = 9;
  EXPECT_EQ(grid_steps({.items = {first, first}, .reads = {}, .writes = {}}, Neighbours::around),
            0);
}

TEST(Blocking, quantised_operands_take_half_the_bytes) {
  MatrixWork work{.m = 16384, .k = 16384, .n = 16384};
  const double whole = blocking_of(work, "v6e", Neighbours::around).reread_bytes;
  work.quantised = true;
  EXPECT_LE(blocking_of(work, "v6e", Neighbours::around).reread_bytes, whole / 2);
}

TEST(Blocking, two_resources_beside_each_other_hide_most_of_the_shorter) {
  EXPECT_EQ(beside(3, 0), 3);
  EXPECT_NEAR(beside(1, 1), 1.189, 0.001);
  EXPECT_NEAR(beside(2, 1), 2.03, 0.01);
}

}  // namespace
}  // namespace tpulab::blocking_test
