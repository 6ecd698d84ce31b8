#include "engine/machine/price.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace tpulab::price_test {
namespace {

Machine machine_of(std::string_view slice, int devices = 0) {
  Machine machine{slice_named(slice), &host_named("tpu-vm"), &stack_named("pytorch-xla"), {}};
  machine.devices.resize(static_cast<std::size_t>(devices > 0 ? devices : machine.slice.devices()));
  std::iota(machine.devices.begin(), machine.devices.end(), 0);
  return machine;
}

double microseconds(Picoseconds time) { return in_seconds(time) * 1e6; }

KernelWork matmul_kernel(std::int64_t size, DType dtype) {
  const Shape shape{size, size};
  return {{MatrixWork{.m = size, .k = size, .n = size, .operand = dtype}},
          {{shape, dtype}, {shape, dtype}},
          {{shape, dtype}}};
}

KernelWork all_reduce_kernel(std::int64_t bytes) {
  return {{CollectiveWork{CollectiveKind::all_reduce, {bytes}}}, {}, {}};
}

TEST(PaddedBytes, arrays_are_padded_to_tiles_of_8_by_128_words) {
  EXPECT_EQ(padded_bytes({32, 10}, DType::f32), (Bytes{32 * 128 * 4}));
  EXPECT_EQ(padded_bytes({32, 10}, DType::bf16), (Bytes{32 * 128 * 2}));
  EXPECT_EQ(padded_bytes({20, 64}, DType::f32), (Bytes{24 * 128 * 4}));
  EXPECT_EQ(padded_bytes({20, 64}, DType::bf16), (Bytes{24 * 128 * 2}));
  EXPECT_EQ(padded_bytes({3, 20, 64}, DType::f32), (Bytes{3 * 24 * 128 * 4}));
  EXPECT_EQ(padded_bytes({1024, 1024}, DType::f32), (Bytes{4 << 20}));
}

TEST(PaddedBytes, flat_arrays_take_flat_tiles) {
  EXPECT_EQ(padded_bytes({}, DType::f32), (Bytes{512}));
  EXPECT_EQ(padded_bytes({10}, DType::f32), (Bytes{512}));
  EXPECT_EQ(padded_bytes({1024}, DType::f32), (Bytes{4096}));
  EXPECT_EQ(padded_bytes({1, 1024}, DType::f32), (Bytes{4096}));
  EXPECT_EQ(padded_bytes({0, 1024}, DType::f32), (Bytes{0}));
}

TEST(Price, a_large_product_on_a_v3_core_is_bound_by_its_matrix_unit) {
  const Machine machine = machine_of("v3-8", 1);
  const Price estimate = price(matmul_kernel(2048, DType::f32), machine);
  EXPECT_EQ(estimate.bound, Bound::matrix_unit);
  // 128 folds of 2,048 clocks on each of two units, 256 to fill and drain, at 90 % and 940 MHz:
  // 262,400 / 0.9 / 940e6.
  EXPECT_NEAR(microseconds(estimate.matrix), 310.2, 0.1);
  // Operands of 16 MiB exceed a block: sides of 1,024 read both twice, and 16 MiB are written: 80
  // MiB at 85 % of 450 GB/s.
  EXPECT_EQ(estimate.traffic, (Bytes{80 << 20}));
  EXPECT_NEAR(microseconds(estimate.hbm), 219.3, 0.1);
  EXPECT_EQ(estimate.useful, (Flops{std::int64_t{1} << 34}));
  EXPECT_EQ(estimate.padded, estimate.useful);
  // 31 blocks start behind the first, and 48 MiB, 131.6 us, are not hidden wholly:
  // (313.3^4 + 131.6^4)^(1/4).
  EXPECT_NEAR(microseconds(estimate.blocks), 3.1, 1e-3);
  EXPECT_NEAR(microseconds(estimate.time - estimate.overhead), 315.7, 0.1);
}

TEST(Price, a_product_of_ten_columns_pays_for_a_whole_tile) {
  const KernelWork kernel{{MatrixWork{.m = 128, .k = 128, .n = 10}}, {}, {}};
  const Price estimate = price(kernel, machine_of("v3-8", 1));
  EXPECT_EQ(estimate.useful, (Flops{2 * 128 * 128 * 10}));
  // Ten columns stream as 16 rows of bf16 past 128 x 128 weights.
  EXPECT_EQ(estimate.padded, (Flops{2 * 128 * 128 * 16}));
}

TEST(Price, bf16_halves_the_bytes_of_a_product) {
  const Machine machine = machine_of("v3-8", 1);
  EXPECT_EQ(price(matmul_kernel(2048, DType::bf16), machine).traffic,
            (Bytes{price(matmul_kernel(2048, DType::f32), machine).traffic.value / 2}));
}

TEST(Price, elementwise_work_is_bound_by_memory) {
  // GIVEN an addition of two 4 MiB arrays: 1 Mi elements at 2,048 a clock is 0.54 us,
  // THEN 12 MiB at 382.5 GB/s bind: 32.9 us.
  const Shape shape{1024, 1024};
  const Operand operand{shape, DType::f32};
  const KernelWork kernel{{VectorWork{.shape = shape, .cheap = 1}}, {operand, operand}, {operand}};
  const Price estimate = price(kernel, machine_of("v3-8", 1));
  EXPECT_EQ(estimate.bound, Bound::hbm);
  EXPECT_NEAR(microseconds(estimate.vector), 0.545, 0.001);
  EXPECT_NEAR(microseconds(estimate.hbm), 32.9, 0.1);
}

TEST(Price, folding_lanes_costs_a_latency_for_every_eight_rows) {
  const Machine machine = machine_of("v3-8", 1);
  const auto vector = [&](int axis) {
    const VectorWork work{.shape = {1024, 512}, .cheap = 1, .reduced_axis = axis};
    return price({{work}, {}, {}}, machine).vector;
  };
  // 128 blocks of 8 rows, 8 clocks each, at 940 MHz.
  EXPECT_NEAR(microseconds(vector(1) - vector(0)), 128 * 8 / 940.0, 0.001);
  EXPECT_EQ(vector(0), vector(-1));
}

// [XLA's TPU compiler, v3: 251 thousand clocks of the array, 229 of elements; 471 together]
TEST(Price, elements_take_turns_with_a_product_whose_taps_the_vector_unit_turns) {
  const Machine machine = machine_of("v3-8", 1);
  MatrixWork product{
      .m = 32 * 56 * 56, .k = 576, .n = 64, .k_pieces = 3, .window = 9, .images = 32};
  const VectorWork elements{.shape = {56, 56, 32, 64}, .cheap = 37};
  const auto clocks = [&] {
    return in_seconds(price({{product, elements}, {}, {}}, machine).time) * 940e6;
  };
  const double turns = clocks();
  EXPECT_GT(turns, 251'136 + 229'000);
  product.batch_in_lanes = true;
  EXPECT_LT(clocks(), turns - 200'000);
}

TEST(Price, a_product_measured_by_itself_waits_for_its_operands) {
  // GIVEN 1024^3 in bf16 on v6e: 2 MiB each for both operands and the result.
  const Machine machine = machine_of("v6e-1");
  const Price estimate = price(matmul_kernel(1024, DType::bf16), machine, Neighbours::none);
  // 8 folds of 1,024 rows on each of two units and 512 to fill and drain, 8,704 clocks of 3.502 GHz
  // at 92 %.
  EXPECT_NEAR(microseconds(estimate.matrix), 2.702, 0.001);
  // Both operands, 4,194,304 / (1638e9 x 0.9), and the last block of the result move while the
  // array waits.
  EXPECT_GE(microseconds(estimate.exposed), 2.845);
  EXPECT_LE(microseconds(estimate.exposed), 4.268);
  // THEN, with 1.85 us to start, it comes near the 8.80 us that were measured [PTS].
  EXPECT_NEAR(microseconds(estimate.time), 8.80, 0.1 * 8.80);
  // WHEN other kernels stand around it, they hide that, and the wait of the first block.
  const Price inside = price(matmul_kernel(1024, DType::bf16), machine);
  EXPECT_EQ(inside.exposed.count(), 0);
  EXPECT_NEAR(microseconds(estimate.overhead - inside.overhead), 0.25, 1e-6);
  EXPECT_LT(inside.time, estimate.time);
}

TEST(Price, a_matrix_times_a_vector_streams_at_the_speed_of_memory) {
  const KernelWork kernel{{MatrixWork{.m = 1, .k = 8192, .n = 57344}},
                          {{{1, 8192}, DType::bf16}, {{8192, 57344}, DType::bf16}},
                          {{{1, 57344}, DType::bf16}}};
  const Price estimate = price(kernel, machine_of("v6e-1"));
  EXPECT_EQ(estimate.bound, Bound::hbm);
  // 939.5 MB of weights and 0.3 MB beside them at 1,474 GB/s.
  EXPECT_NEAR(microseconds(estimate.hbm), 637.5, 0.2);
}

TEST(Price, blocks_smaller_than_their_start_bind) {
  // 8192^3 in blocks of 128 on v5e took 91.8 ms instead of 6.0 [PALLAS-MM].
  Machine machine = machine_of("v5e-1");
  Generation small_blocks = machine.generation();
  small_blocks.block_mib.value = 0.25;
  machine.slice.generation = &small_blocks;
  const Price estimate = price(matmul_kernel(8192, DType::bf16), machine);
  EXPECT_EQ(estimate.bound, Bound::matrix_unit);  // that waits for them
  EXPECT_NEAR(microseconds(estimate.blocks + estimate.matrix), (64 * 64 * 64 - 1) * 0.35, 1);
  EXPECT_NEAR(microseconds(estimate.time), 91'800, 0.03 * 91'800);
}

// The matrix unit starts the blocks and waits for them: without it the kernel would take its HBM.
TEST(Price, blocks_count_to_the_unit_that_they_delay) {
  const Price estimate = price(matmul_kernel(8192, DType::f32), machine_of("v4-8", 1));
  ASSERT_LT(estimate.matrix, estimate.hbm);
  ASSERT_GT(estimate.matrix + estimate.blocks, estimate.hbm + estimate.exposed);
  EXPECT_EQ(estimate.bound, Bound::matrix_unit);
}

TEST(Price, an_empty_kernel_costs_its_start) {
  const Price estimate = price(KernelWork{}, machine_of("v3-8"));
  EXPECT_EQ(estimate.bound, Bound::overhead);
  EXPECT_EQ(estimate.time, estimate.overhead);
  EXPECT_GT(estimate.time.count(), 0);
}

TEST(Price, all_reduce_of_four_mebibytes_on_v3_8) {
  const Price estimate = price(all_reduce_kernel(4 << 20), machine_of("v3-8"));
  // 2 x 2 chips without wrap-around: two links a chip at 82 GB/s carry 2 x 3/4 of 4 MiB.
  // The two cores of a chip combine meanwhile: 8 MiB at 382.5 GB/s are 21.9 us.
  EXPECT_NEAR(microseconds(estimate.transfer), 38.36, 0.01);
  // 19 us to start and two phases over a diameter of two hops of 1 us.
  EXPECT_NEAR(microseconds(estimate.latency), 23, 0.001);
  EXPECT_EQ(estimate.bound, Bound::collective);
  EXPECT_EQ(estimate.time, estimate.overhead + estimate.latency + estimate.transfer);
}

TEST(Price, all_reduce_of_a_profiled_v3_32_comes_near_its_measurement) {
  // 28.5 MB took 178.5 us on 4 x 4 chips [XPROF].
  const Price estimate = price(all_reduce_kernel(28'500'000), machine_of("v3-32"));
  EXPECT_NEAR(microseconds(estimate.time), 178.5, 0.08 * 178.5);
}

TEST(Price, two_cores_of_one_chip_use_no_link) {
  const Price estimate = price(all_reduce_kernel(4 << 20), machine_of("v3-8", 2));
  EXPECT_NEAR(microseconds(estimate.transfer), 21.93, 0.01);
  EXPECT_NEAR(microseconds(estimate.latency), 19, 0.001);
}

TEST(Price, one_device_alone_reduces_nothing) {
  Machine machine = machine_of("v3-8", 1);
  machine.devices = {1};
  const Price estimate = price(all_reduce_kernel(4 << 20), machine);
  EXPECT_EQ(estimate.transfer.count(), 0);
  EXPECT_EQ(estimate.latency.count(), 0);
}

TEST(Price, gathering_costs_half_of_reducing) {
  const Machine machine = machine_of("v5e-16");
  const KernelWork gather{{CollectiveWork{CollectiveKind::all_gather, {4 << 20}}}, {}, {}};
  EXPECT_NEAR(microseconds(price(gather, machine).transfer),
              microseconds(price(all_reduce_kernel(4 << 20), machine).transfer) / 2, 1e-5);
}

TEST(Price, joined_slices_exchange_over_the_network) {
  const Price one = price(all_reduce_kernel(1 << 30), machine_of("v5e-256"));
  const Price two = price(all_reduce_kernel(1 << 30), machine_of("2xv5e-256"));
  // Each of 256 chips exchanges its 4 MiB with the other slice at 55 % of 3.1 GB/s.
  EXPECT_NEAR(microseconds(two.transfer - one.transfer), 1353.0 / 0.55, 0.1);
  EXPECT_NEAR(microseconds(two.latency - one.latency), 50, 0.001);
}

// log2 of slices, of which five are 2.32 and not 3; a round that is begun has its latency.
TEST(Price, a_fifth_slice_sends_no_whole_round_more) {
  const auto of = [](const char* slice) {
    return price(all_reduce_kernel(1 << 30), machine_of(slice));
  };
  const Price one = of("v5e-256");
  const double round = microseconds(of("2xv5e-256").transfer - one.transfer);
  EXPECT_NEAR(microseconds(of("5xv5e-256").transfer - one.transfer) / round, 2.3219, 1e-4);
  EXPECT_NEAR(microseconds(of("8xv5e-256").transfer - one.transfer) / round, 3, 1e-4);
  EXPECT_NEAR(microseconds(of("5xv5e-256").latency - one.latency), 150, 0.001);
}

TEST(Price, missing_wrap_around_halves_the_bandwidth) {
  // v5e-256 is 16 x 16 with four links a chip in use; v5e-64 is 8 x 8 with two.
  const Price ring = price(all_reduce_kernel(4 << 20), machine_of("v5e-256"));
  const Price line = price(all_reduce_kernel(4 << 20), machine_of("v5e-64"));
  EXPECT_NEAR(microseconds(line.transfer) / microseconds(ring.transfer),
              2 * (63.0 / 64) / (255.0 / 256), 1e-4);
}

TEST(Price, better_hardware_is_never_slower) {
  const KernelWork kernels[] = {matmul_kernel(256, DType::f32), matmul_kernel(2048, DType::bf16),
                                all_reduce_kernel(1 << 20)};
  Constant Generation::*const rates[] = {
      &Generation::hbm_bytes_per_second, &Generation::clock_hertz,
      &Generation::matrix_units,         &Generation::vector_lanes,
      &Generation::hbm_efficiency,       &Generation::link_bytes_per_second};
  for (const Generation& row : generations()) {
    for (const KernelWork& kernel : kernels) {
      Machine machine = machine_of(row.name_counts_cores ? std::string(row.name) + "-32"
                                                         : std::string(row.name) + "-16");
      const Picoseconds before = price(kernel, machine).time;
      for (const auto rate : rates) {
        Generation better = row;
        (better.*rate).value *= 2;
        machine.slice.generation = &better;
        EXPECT_LE(price(kernel, machine).time, before) << row.name << " " << (row.*rate).source;
      }
    }
  }
}

TEST(HostPrice, transfers_share_the_link_of_a_chip) {
  // 12 GB/s x 0.8, shared by the two cores of a v3 chip: 4.8 GB/s.
  EXPECT_NEAR(microseconds(host_transfer_time({4'800'000}, machine_of("v3-8"))), 1000, 0.01);
  // v5e: one device a chip, 15 GB/s x 0.8.
  EXPECT_NEAR(microseconds(host_transfer_time({12'000'000}, machine_of("v5e-1"))), 1000, 0.01);
}

TEST(HostPrice, host_work_takes_the_longer_of_arithmetic_and_memory) {
  const Machine machine = machine_of("v3-8");
  EXPECT_NEAR(microseconds(host_compute_time({{8'000'000}, {8}}, machine)), 1000, 0.01);
  EXPECT_NEAR(microseconds(host_compute_time({{8}, {16'000'000}}, machine)), 2000, 0.01);
}

TEST(HostPrice, measured_compile_times_lie_within_a_factor_of_two_and_a_half) {
  const Machine machine = machine_of("v3-8");
  // 0.15 s + 3.5 ms x 1,000.
  EXPECT_NEAR(in_seconds(compile_time(1000, machine)), 3.65, 1e-4);
  // 136,000 nodes took 3.5 to 4.5 minutes [XLA-1155]; a decoder of 50 layers written out, about
  // 8,800 operations, 63 s [XLA-doc scan].
  EXPECT_LT(in_seconds(compile_time(136'000, machine)), 2.5 * 240);
  EXPECT_GT(in_seconds(compile_time(8'800, machine)), 63 / 2.5);
}

TEST(Price, what_lies_between_two_touches_of_an_array_decides_whether_a_chip_still_has_it) {
  const auto traffic = [](std::int64_t held_mib, const char* slice) {
    const Operand array{{1024, 1024}, DType::bf16, Bytes{held_mib << 20}};  // 2 MiB
    return price({{VectorWork{.shape = array.shape, .cheap = 1}}, {array}, {}}, machine_of(slice))
        .traffic.value;
  };
  EXPECT_EQ(traffic(128, "v4-8"), 0);
  EXPECT_EQ(traffic(129, "v4-8"), 2 << 20);
  EXPECT_EQ(traffic(0, "v4-8"), 2 << 20) << "nothing touched it before";
  EXPECT_EQ(traffic(2, "v3-8"), 2 << 20) << "no memory beside that of kernels";
  // Half of 128 MiB of VMEM less 16 for the blocks of a kernel.
  EXPECT_EQ(traffic(56, "v6e-8"), 0);
  EXPECT_EQ(traffic(57, "v6e-8"), 2 << 20);
  EXPECT_EQ(traffic(24, "v7-8"), 0) << "half of 64 less 16: each core is a device";
  EXPECT_EQ(traffic(25, "v7-8"), 2 << 20);
  EXPECT_EQ(traffic(2, "v5p-8"), 2 << 20) << "neither core sees the other's VMEM";
}

// As the TPU compiler's counts of clocks: v5e, v5p and v6e convert, 7x takes half as long.
TEST(Price, of_fp8_products_is_that_of_bf16_where_the_array_has_no_fp8) {
  KernelWork narrow = matmul_kernel(8192, DType::bf16);
  std::get<MatrixWork>(narrow.items[0]).fp8 = true;
  const auto speed = [&](const char* slice) {
    const Machine machine = machine_of(slice);
    return in_seconds(price(matmul_kernel(8192, DType::bf16), machine).time) /
           in_seconds(price(narrow, machine).time);
  };
  for (const char* slice : {"v3-8", "v4-8", "v5e-4", "v5p-8", "v6e-4"}) EXPECT_EQ(speed(slice), 1);
  EXPECT_GT(speed("v7-8"), 1.6);
}

}  // namespace
}  // namespace tpulab::price_test
