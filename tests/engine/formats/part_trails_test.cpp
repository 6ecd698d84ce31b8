#include "engine/formats/part_trails.h"

#include <gtest/gtest.h>

namespace tpulab::part_trails_test {
namespace {

constexpr std::int64_t many = std::int64_t{1} << 32;

TEST(PartTrails, of_a_gather_have_its_rows_unless_it_takes_all) {
  const IndexAxes axes{.windows = {1}, .map = {0}, .sizes = {1, 8}};
  EXPECT_EQ(rows_gathered(axes, {96, 8}, {16, 8}), 16);
  EXPECT_EQ(rows_gathered(axes, {96, 8}, {96, 8}), std::nullopt);
}

// 2^32 (2^32 + 3) is 3 * 2^32 in 64 bits.
TEST(PartTrails, of_a_damaged_gather_are_not_counted_beyond_64_bits) {
  const IndexAxes axes{.windows = {2}, .map = {0}, .sizes = {1, 8}};
  EXPECT_EQ(rows_gathered(axes, {3 * many, 8}, {many, many + 3, 8}), many);
}

}  // namespace
}  // namespace tpulab::part_trails_test
