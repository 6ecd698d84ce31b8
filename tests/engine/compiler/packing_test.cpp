#include "engine/compiler/packing.h"

#include <gtest/gtest.h>

namespace tpulab::packing_test {
namespace {

constexpr Bytes mib(double count) { return Bytes{static_cast<std::int64_t>(count * 1048576)}; }

TEST(Packing, holds_side_by_side_what_lives_at_once) {
  EXPECT_EQ(packed({}), Bytes{});
  EXPECT_EQ(packed({{0, 2, mib(3)}, {1, 3, mib(2)}}), mib(5));
  EXPECT_EQ(packed({{0, 2, mib(3)}, {3, 4, mib(2)}}), mib(3));
}

TEST(Packing, takes_the_smallest_hole_that_is_large_enough) {
  // Holes of 4 and 2 MiB: the 2 MiB go into the second, so that the 4 MiB fit into the first.
  EXPECT_EQ(packed({{0, 5, mib(4)},
                    {1, 9, mib(1)},
                    {2, 5, mib(2)},
                    {3, 9, mib(1)},
                    {6, 9, mib(2)},
                    {7, 9, mib(4)}}),
            mib(8));
}

TEST(Packing, needs_more_than_lives_at_once_where_no_hole_is_large_enough) {
  EXPECT_EQ(packed({{0, 1, mib(4)}, {1, 9, mib(3)}, {2, 9, mib(4)}}), mib(7));
  EXPECT_EQ(packed({{0, 1, mib(2)}, {1, 9, mib(3)}, {2, 9, mib(4)}}), mib(9));
}

TEST(Packing, joins_holes_beside_each_other) {
  EXPECT_EQ(packed({{0, 4, mib(2)}, {1, 3, mib(2)}, {2, 9, mib(1)}, {5, 9, mib(4)}}), mib(5));
}

// The large arrays of the digits MLP, 1,024 rows on each of 8 cores of v3, with the instructions
// that make and last read them. The TPU compiler lays the last of them at 10.19 MiB, though 12 MiB
// live at once.
TEST(Packing, is_what_the_tpu_compiler_does_with_the_gradients_of_digits) {
  const std::vector<Lifetime> values{{43, 61, mib(4)},   // first layer, before its relu
                                     {45, 59, mib(4)},   // second layer
                                     {57, 61, mib(2)},   // its gradient in bf16
                                     {60, 64, mib(2)},   // the first layer's, into the hole
                                     {61, 65, mib(4)}};  // of the second layer's weights
  EXPECT_EQ(packed(values), mib(14));
}

TEST(Packing, lies_in_blocks_of_16_kib) {
  EXPECT_EQ(packed({{0, 1, Bytes{1}}}), Bytes{16384});
  EXPECT_EQ(packed({{0, 1, Bytes{1}}, {0, 1, Bytes{16384}}}), Bytes{2 * 16384});
}

// 3 MiB hold what lives from 1 to 2 and from 3 to 4; what lives all along would need another.
TEST(Packing, keeps_what_lives_shortest_beside_it) {
  const std::vector<Lifetime> values{
      {0, 5, mib(2)}, {1, 2, mib(2)}, {3, 4, mib(3)}, {5, 5, mib(4)}};
  EXPECT_EQ(held_beside(values, mib(3)), (std::vector<char>{0, 1, 1, 0}));
  EXPECT_EQ(held_beside(values, mib(5)), (std::vector<char>{0, 1, 1, 1}));
  EXPECT_EQ(held_beside(values, mib(6)), (std::vector<char>{1, 1, 1, 1}));
  EXPECT_EQ(held_beside(values, Bytes{}), (std::vector<char>{0, 0, 0, 0}));
}

}  // namespace
}  // namespace tpulab::packing_test
