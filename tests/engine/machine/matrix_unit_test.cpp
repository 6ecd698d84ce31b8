#include "engine/machine/matrix_unit.h"

#include <gtest/gtest.h>

namespace tpulab {
namespace {

TEST(MatrixUnit, double_buffered_folds_stream_without_a_bubble) {
  // 1024^3 on one array: 64 folds, 255 + 63 x 1024 + 254 + 1024.
  EXPECT_EQ(double_buffered_clocks(1024, 64, 128), 66'045);
  // 32 x 128 x 784: seven folds of 128 clocks, the weights load slower than 32 rows stream.
  EXPECT_EQ(double_buffered_clocks(32, 7, 128), 1'309);
  EXPECT_EQ(double_buffered_clocks(8, 64, 128), 8'581);
}

TEST(MatrixUnit, column_tiles_spread_over_the_units) {
  // GIVEN 256^3 on a v3 core: two column tiles on two units, two folds of depth each.
  const MatrixWork work{.m = 256, .k = 256, .n = 256};
  const Streaming streaming = cheapest_streaming(work, generation_named("v3"));
  EXPECT_EQ(streaming.folds, 2);
  EXPECT_EQ(streaming.columns, 4);
  EXPECT_EQ(streaming.clocks, 255 + 256 + 254 + 256);
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
  // 255 + 128 + 254 + 112 = 749, WHEN 144 rows of n are streamed one is enough: 255 + 254 + 144.
  const MatrixWork work{.m = 100, .k = 128, .n = 129};
  EXPECT_EQ(cheapest_streaming(work, generation_named("v2")).clocks, 653);
  // THEN the transposed product costs the same.
  const MatrixWork transposed{.m = 129, .k = 128, .n = 100};
  EXPECT_EQ(cheapest_streaming(transposed, generation_named("v2")).clocks, 653);
}

TEST(MatrixUnit, three_passes_stream_three_times) {
  const Generation& v2 = generation_named("v2");
  const MatrixWork once{.m = 1024, .k = 1024, .n = 1024};
  MatrixWork thrice = once;
  thrice.passes = 3;
  EXPECT_EQ(cheapest_streaming(thrice, v2).folds, 3 * cheapest_streaming(once, v2).folds);
}

}  // namespace
}  // namespace tpulab
