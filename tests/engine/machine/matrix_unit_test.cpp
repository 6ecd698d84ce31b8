#include "engine/machine/matrix_unit.h"

#include <gtest/gtest.h>

namespace tpulab {
namespace {

TEST(MatrixUnit, double_buffered_folds_stream_without_a_bubble) {
  // 1024^3 on one array: 64 folds of 1,024 rows, and 2 x 128 to fill and drain once.
  EXPECT_EQ(double_buffered_clocks(1024, 64, 128), 65'536 + 256);
  // 32 x 128 x 784: seven folds of 128 clocks, the weights load slower than 32 rows stream.
  EXPECT_EQ(double_buffered_clocks(32, 7, 128), 256 + 6 * 128 + 32);
  EXPECT_EQ(double_buffered_clocks(0, 7, 128), 0);
}

TEST(MatrixUnit, column_tiles_spread_over_the_units) {
  // GIVEN 256^3 on a v3 core: two column tiles on two units, two folds of depth each.
  const MatrixWork work{.m = 256, .k = 256, .n = 256};
  const Streaming streaming = cheapest_streaming(work, generation_named("v3"));
  EXPECT_EQ(streaming.folds, 2);
  EXPECT_EQ(streaming.columns, 4);
  EXPECT_EQ(streaming.clocks, 256 + 256 + 256);
}

TEST(MatrixUnit, rows_are_padded_to_the_sublanes_of_their_type) {
  const Generation& v2 = generation_named("v2");
  MatrixWork work{.m = 300, .k = 128, .n = 128, .operand = DType::f32};
  EXPECT_EQ(cheapest_streaming(work, v2).rows, 304);
  // The contraction pads to 128, so one row more than 128 costs a second fold.
  work = {.m = 300, .k = 129, .n = 128};
  EXPECT_EQ(cheapest_streaming(work, v2).folds, 2);
}

TEST(MatrixUnit, the_cheaper_operand_is_streamed) {
  // GIVEN m = 100, n = 129 on one unit: streaming 112 padded rows of m needs two folds,
  // 256 + 128 + 112 = 496, WHEN 144 rows of n are streamed one is enough: 256 + 144.
  const MatrixWork work{.m = 100, .k = 128, .n = 129};
  EXPECT_EQ(cheapest_streaming(work, generation_named("v2")).clocks, 400);
  // THEN the transposed product costs the same.
  const MatrixWork transposed{.m = 129, .k = 128, .n = 100};
  EXPECT_EQ(cheapest_streaming(transposed, generation_named("v2")).clocks, 400);
}

TEST(MatrixUnit, a_window_pads_row_by_row_and_streams_its_pixels) {
  // GIVEN a 3 x 3 window over 64 channels on a v3 core: each row of the window has 192 values, two
  // folds of 128, and 64 outputs fill one column tile: six folds on one unit.
  const MatrixWork work{.m = 4096, .k = 576, .n = 64, .k_pieces = 3};
  const Streaming streaming = cheapest_streaming(work, generation_named("v3"));
  EXPECT_EQ(streaming.folds, 6);
  EXPECT_EQ(streaming.clocks, 256 + 6 * 4096);
}

TEST(MatrixUnit, a_window_streams_its_outputs_where_the_batch_lies_along_the_lanes) {
  // GIVEN the same, WHEN the pixels are stationary: 32 tiles of them over two units, THEN each of
  // 16 x 6 folds streams 64 outputs in the 128 clocks of the next load.
  const MatrixWork work{.m = 4096, .k = 576, .n = 64, .k_pieces = 3, .batch_in_lanes = true};
  const Streaming streaming = cheapest_streaming(work, generation_named("v3"));
  EXPECT_EQ(streaming.folds, 96);
  EXPECT_EQ(streaming.clocks, 256 + 95 * 128 + 64);
}

TEST(MatrixUnit, few_rows_past_a_v6e_tile_take_half_the_clocks_of_its_side) {
  // GIVEN 32 rows past 4096 x 4096 weights: 16 x 16 tiles on two units, 128 folds each, WHEN a tile
  // of 256 rows loads two of them a clock, THEN each fold but the last takes 128 clocks.
  const MatrixWork work{.m = 32, .k = 4096, .n = 4096};
  EXPECT_EQ(cheapest_streaming(work, generation_named("v6e")).clocks, 512 + 127 * 128 + 32);
}

TEST(MatrixUnit, operands_beyond_vmem_are_read_once_per_block_of_the_other_side) {
  // GIVEN 8192^3 in bf16 on v6e: 128 MiB an operand, blocks of 1,024, each operand read 8 times.
  MatrixWork work{.m = 8192, .k = 8192, .n = 8192};
  const Generation& v6e = generation_named("v6e");
  EXPECT_EQ(blocking_of(work, v6e).reread_bytes, 2 * 7 * 8192.0 * 8192 * 2);
  EXPECT_EQ(blocking_of(work, v6e).blocks, 512);
  // WHEN one operand is 64 MiB it stays in VMEM, THEN nothing is read twice.
  work.m = 4096;
  EXPECT_EQ(blocking_of(work, v6e).reread_bytes, 0);
}

TEST(MatrixUnit, three_passes_stream_three_times) {
  const Generation& v2 = generation_named("v2");
  const MatrixWork once{.m = 1024, .k = 1024, .n = 1024};
  MatrixWork thrice = once;
  thrice.passes = 3;
  EXPECT_EQ(cheapest_streaming(thrice, v2).folds, 3 * cheapest_streaming(once, v2).folds);
}

TEST(MatrixUnit, the_simple_systolic_array_equals_scale_sim) {
  // SCALE-Sim v3.0.0, weight stationary, 128 x 128, no stalls: printed total cycles + 1.
  struct Row {
    const char* layer;
    std::int64_t rows, depth, width, clocks;
  };
  const Row table[] = {
      {"sq128", 128, 128, 128, 510},
      {"sq256", 256, 256, 256, 2552},
      {"sq1024", 1024, 1024, 1024, 89984},
      {"gemv768", 1, 768, 768, 13788},
      {"gemv4096", 1, 4096, 4096, 392192},
      {"b8_1024", 8, 1024, 1024, 24960},
      {"b32_784x128", 32, 784, 128, 2898},
      {"b64_64x32", 64, 64, 32, 446},
      {"b32_32x10", 32, 32, 10, 414},
      {"b128_512x10", 128, 512, 10, 2040},
      {"b1437_64x10", 1437, 64, 10, 1819},
      {"k127", 300, 127, 130, 1364},
      {"k129", 300, 129, 130, 2728},
      {"tall", 8192, 64, 64, 8574},
      {"deep", 64, 8192, 128, 28544},
      {"gpt2s_ffn1", 512, 768, 3072, 128736},
      {"lstm", 64, 1024, 2048, 57088},
      {"r50_conv1_pad229", 12544, 147, 64, 25852},
      {"r50_conv1_pad230", 12769, 147, 64, 26302},
      {"r50_c2_1x1a", 3136, 64, 64, 3518},
      {"r50_c2_1x1b", 3136, 64, 256, 7036},
      {"r50_c3_3x3s2", 784, 1152, 128, 10494},
      {"r50_c3_3x3", 784, 1152, 128, 10494},
      {"r50_c4_1x1b", 196, 256, 1024, 9248},
      {"r50_c5_3x3", 49, 4608, 512, 62064},
      {"r50_c5_1x1b", 49, 512, 2048, 27584},
  };
  for (const Row& row : table) {
    EXPECT_EQ(simple_systolic_clocks(row.rows, row.depth, row.width, 128), row.clocks) << row.layer;
  }
}

}  // namespace
}  // namespace tpulab
