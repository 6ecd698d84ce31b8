#include "engine/machine/matrix_unit.h"

#include <gtest/gtest.h>

namespace tpulab::matrix_unit_test {
namespace {

TEST(MatrixUnit, double_buffered_folds_stream_without_a_bubble) {
  // 1024^3 on one array: 64 folds of 1,024 rows, and 2 x 128 to fill and drain once.
  EXPECT_EQ(double_buffered_clocks(1024, 64, 128, 128), 65'536 + 256);
  // 32 x 128 x 784: seven folds of 128 clocks, the weights load slower than 32 rows stream.
  EXPECT_EQ(double_buffered_clocks(32, 7, 128, 128), 256 + 6 * 128 + 32);
  EXPECT_EQ(double_buffered_clocks(0, 7, 128, 128), 0);
}

TEST(MatrixUnit, column_tiles_spread_over_the_units) {
  // GIVEN 256^3 on a v3 core: two column tiles on two units, two folds of depth each.
  const MatrixWork work{.m = 256, .k = 256, .n = 256};
  const Streaming streaming = cheapest_streaming(work, generation_named("v3"));
  EXPECT_EQ(streaming.folds, 2);
  EXPECT_EQ(streaming.stream, 4 * 256);
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

TEST(MatrixUnit, units_share_the_rows_where_one_column_tile_is_all_there_is) {
  // GIVEN 128 columns on a v3 core: each of its two units streams half of the rows.
  const MatrixWork work{.m = 4096, .k = 1152, .n = 128};
  const Streaming streaming = cheapest_streaming(work, generation_named("v3"));
  EXPECT_EQ(streaming.clocks, 256 + 9 * 2048);
}

TEST(MatrixUnit, a_window_packs_its_taps_and_streams_its_pixels) {
  // GIVEN a 3 x 3 window over 64 channels on a v3 core: two taps fill a fold of 128, nine are five
  // folds, and both units share the pixels.
  const MatrixWork work{.m = 4096, .k = 576, .n = 64, .k_pieces = 3};
  const Streaming streaming = cheapest_streaming(work, generation_named("v3"));
  EXPECT_EQ(streaming.folds, 5);
  EXPECT_EQ(streaming.clocks, 256 + 5 * 2048);
}

TEST(MatrixUnit, a_convolution_costs_the_clocks_that_the_compiler_of_xla_counts) {
  // 57 images (64 in sublanes) of 64 x 64 x 32 under 5 x 5 to 64 channels: XLA's compiler says
  // 1,860,169 clocks on v2, 942,760 on v3, 477,272 on v5e, with what starts and ends it.
  const MatrixWork work{
      .m = 64 * 64 * 64, .k = 800, .n = 64, .k_pieces = 5, .batch_in_lanes = true};
  EXPECT_NEAR(cheapest_streaming(work, generation_named("v2")).clocks, 1'860'169, 30'000);
  EXPECT_NEAR(cheapest_streaming(work, generation_named("v3")).clocks, 942'760, 30'000);
}

TEST(MatrixUnit, few_channels_are_turned_to_their_lanes_tap_by_tap) {
  // GIVEN 4,096 pixels under 3 x 3 over 16 channels: 9 taps of 512 blocks of 8 rows, each a clock,
  // where two folds on two units would stream in 4,096.
  const MatrixWork work{.m = 4096, .k = 144, .n = 16, .k_pieces = 3};
  EXPECT_EQ(cheapest_streaming(work, generation_named("v3")).clocks, 9 * 512);
}

// 130 columns stream past 260 pixels, in three tiles; past four the pixels would rather stream.
TEST(MatrixUnit, images_in_the_sublanes_widen_nothing_in_the_lanes) {
  const MatrixWork work{.m = 4 * std::int64_t{65}, .k = 512, .n = 130, .images = 65};
  const Streaming streaming = cheapest_streaming(work, generation_named("v3"));
  EXPECT_FALSE(streaming.streams_m);
  EXPECT_EQ(streaming.tiles, 3 * 4);
}

TEST(MatrixUnit, two_images_are_turned_as_slowly_as_eight) {
  const auto clocks = [](std::int64_t images) {
    const MatrixWork work{.m = 1024 * images, .k = 144, .n = 16, .k_pieces = 3, .images = images};
    return cheapest_streaming(work, generation_named("v3")).clocks;
  };
  EXPECT_EQ(clocks(2), 9 * 1024);
  EXPECT_EQ(clocks(8), 9 * 1024);
  EXPECT_EQ(clocks(9), 2 * 9 * 1024);
}

// Clocks a pixel of 7 x 7 over 3 channels to 64, as XLA's TPU compiler estimates them for a core;
// v6e's clock is half of ours.
TEST(MatrixUnit, three_colours_cost_what_the_compiler_of_xla_counts) {
  struct Case {
    const char* generation;
    std::int64_t images;
    double clocks;
  };
  for (const Case& one :
       {Case{"v3", 8, 66}, Case{"v3", 16, 66}, Case{"v3", 32, 70}, Case{"v3", 64, 126},
        Case{"v3", 65, 131}, Case{"v3", 128, 131}, Case{"v3", 256, 261}, Case{"v4", 64, 110 / 2.0},
        Case{"v4", 65, 110 / 2.0}, Case{"v4", 128, 128 / 2.0}, Case{"v6e", 8, 2 * 17.1},
        Case{"v6e", 32, 2 * 29.7}, Case{"v6e", 64, 2 * 58.7}, Case{"v6e", 128, 2 * 68.7}}) {
    const MatrixWork work{.m = 12544 * one.images,
                          .k = 147,
                          .n = 64,
                          .k_pieces = 7,
                          .batch_in_lanes = one.images > 64,
                          .images = one.images};
    const double clocks = cheapest_streaming(work, generation_named(one.generation)).clocks;
    EXPECT_NEAR(clocks / 12544, one.clocks, 0.17 * one.clocks)
        << one.generation << ' ' << one.images;
  }
}

TEST(MatrixUnit, a_window_streams_its_outputs_where_the_batch_lies_along_the_lanes) {
  // GIVEN a window whose taps fill folds, 256 + 9 x 2,048 clocks for its pixels, WHEN those are
  // stationary: 32 tiles over two units, THEN each of 16 x 9 folds but the last streams 16 outputs
  // in the 128 clocks in which the next tile loads.
  const MatrixWork work{.m = 4096, .k = 1152, .n = 16, .k_pieces = 3, .batch_in_lanes = true};
  const Streaming streaming = cheapest_streaming(work, generation_named("v3"));
  EXPECT_EQ(streaming.clocks, 256 + 143 * 128 + 16);
}

TEST(MatrixUnit, a_narrow_tile_loads_its_own_rows_only) {
  // GIVEN 24 x 3712 x 8, 29 folds of depth on a v3 core, WHEN the 24 rows are stationary: 15 folds
  // on one unit, each loads 24 rows while 16 padded ones stream.
  const MatrixWork work{.m = 24, .k = 3712, .n = 8};
  EXPECT_EQ(cheapest_streaming(work, generation_named("v3")).clocks, 256 + 14 * 24 + 16);
}

TEST(MatrixUnit, few_rows_past_a_v6e_tile_take_half_the_clocks_of_its_side) {
  // GIVEN 32 rows past 4096 x 4096 weights: 16 x 16 tiles on two units, 128 folds each, WHEN a tile
  // of 256 rows loads two of them a clock, THEN each fold but the last takes 128 clocks.
  const MatrixWork work{.m = 32, .k = 4096, .n = 4096};
  EXPECT_EQ(cheapest_streaming(work, generation_named("v6e")).clocks, 512 + 127 * 128 + 32);
}

TEST(MatrixUnit, three_passes_stream_three_times) {
  const Generation& v2 = generation_named("v2");
  const MatrixWork once{.m = 1024, .k = 1024, .n = 1024};
  MatrixWork thrice = once;
  thrice.passes = 3;
  EXPECT_EQ(cheapest_streaming(thrice, v2).folds, 3 * cheapest_streaming(once, v2).folds);
}

}  // namespace
}  // namespace tpulab::matrix_unit_test
