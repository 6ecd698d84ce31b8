#include "engine/forecast/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "engine/machine/price.h"

namespace tpulab::kernels_test {
namespace {

Machine one_device(const Generation& row) {
  Machine machine{slice_named(std::string(row.name) + (row.name_counts_cores ? "-8" : "-4")),
                  &host_named("tpu-vm"),
                  &stack_named("jax"),
                  {0}};
  return machine;
}

double seconds_of(const MatrixWork& work, const Machine& machine) {
  return in_seconds(
      price(gemm(work.m, work.k, work.n, work.operand, work.batch).front(), machine).time);
}

MatrixWork random_work(std::mt19937& random) {
  const auto size = [&](double most) {
    return std::llround(std::exp2(std::uniform_real_distribution<>(0, most)(random)));
  };
  constexpr DType types[] = {DType::f32, DType::bf16};
  return {.batch = size(5),
          .m = size(15),
          .k = size(15),
          .n = size(15),
          .operand = types[random() % 2]};
}

TEST(Kernels, prices_of_random_products_are_finite_and_never_fall_with_size) {
  constexpr int shapes_of_each = 100'000 / 7;
  std::mt19937 random(20261122);
  for (const Generation& row : generations()) {
    const Machine machine = one_device(row);
    for (int i = 0; i < shapes_of_each; ++i) {
      const MatrixWork work = random_work(random);
      const double seconds = seconds_of(work, machine);
      ASSERT_TRUE(std::isfinite(seconds) && seconds > 0) << row.name;
      std::int64_t MatrixWork::*const side =
          std::array{&MatrixWork::m, &MatrixWork::k, &MatrixWork::n, &MatrixWork::batch}[i % 4];
      MatrixWork larger = work;
      larger.*side += 1 + static_cast<std::int64_t>(random() % 300);
      ASSERT_GE(seconds_of(larger, machine), seconds * (1 - 1e-9))
          << row.name << " " << work.batch << " x " << work.m << " x " << work.k << " x " << work.n
          << " to " << larger.batch << " x " << larger.m << " x " << larger.k << " x " << larger.n;
    }
  }
}

TEST(Kernels, channels_that_pad_to_whole_lanes_cost_what_whole_lanes_cost) {
  for (const Generation& row : generations()) {
    const Machine machine = one_device(row);
    const auto seconds = [&](std::int64_t channels) {
      double all = 0;
      for (const KernelWork& kernel :
           convolution({256, 28, 28, channels, channels, 3}, DType::bf16)) {
        all += in_seconds(price(kernel, machine).time);
      }
      return all;
    };
    EXPECT_LE(seconds(127), 1.01 * seconds(128)) << row.name;
  }
}

// Scores of 128 MiB and less stay in v4's CMEM; 9.2 GB are written once and read twice.
TEST(Kernels, scores_that_no_chip_holds_cross_its_memory) {
  const Machine machine = one_device(generation_named("v4"));
  const auto traffic = [&](std::int64_t heads, std::int64_t tokens) {
    double bytes = 0;
    for (const KernelWork& kernel : attention({.heads = heads, .sequence = tokens, .width = 128},
                                              DType::bf16, RowBlocks::in_vmem)) {
      bytes += static_cast<double>(price(kernel, machine).traffic.value);
    }
    return bytes;
  };
  EXPECT_GT(traffic(256, 3000), 3 * 256 * 3000.0 * 3000 * 4);
  EXPECT_LT(traffic(8, 1000), 8 * 1000.0 * 1000 * 4);
}

// As networks are traced: Tracing::fuses.
TEST(Kernels, an_attention_by_itself_is_one_kernel_where_it_is_one_in_a_network) {
  const auto kernels = [](std::int64_t tokens) {
    return attention({.heads = 8, .sequence = tokens, .width = 128}, DType::bf16,
                     RowBlocks::in_vmem)
        .size();
  };
  EXPECT_EQ(kernels(3968), 1U);  // 31 blocks of 128
  EXPECT_GT(kernels(3970), 1U);
  EXPECT_EQ(kernels(4097), 1U);
}

// Sizes in whole tiles, so that padding has no part in it. What was measured falls from 90 to 73 %
// of the peak between 96 and 100 MiB.
TEST(Kernels, the_rate_of_a_product_never_jumps_down_where_an_operand_leaves_the_chip) {
  for (const Generation& row : generations()) {
    const Machine machine = one_device(row);
    for (const bool quantised : {false, true}) {
      double before = 0;
      for (std::int64_t rows = 256; rows <= 16384; rows += 128) {
        KernelWork kernel = gemm(rows, 12288, 12288, DType::bf16).front();
        std::get<MatrixWork>(kernel.items.front()).quantised = quantised;
        const double rate = static_cast<double>(rows) / in_seconds(price(kernel, machine).time);
        EXPECT_GE(rate, 0.8 * before) << row.name << " " << rows;
        before = rate;
      }
    }
  }
}

}  // namespace
}  // namespace tpulab::kernels_test
