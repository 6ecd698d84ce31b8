#include "engine/base/units.h"

#include <gtest/gtest.h>

namespace tpulab::test::units_test {
namespace {

TEST(Units, seconds_become_whole_picoseconds_and_come_back) {
  EXPECT_EQ(picoseconds_from_seconds(1.5e-9).count(), 1500);
  EXPECT_EQ(picoseconds_from_seconds(-1e-12).count(), -1);
  EXPECT_EQ(picoseconds_from_seconds(0.6e-12).count(), 1);
  EXPECT_DOUBLE_EQ(in_seconds(Picoseconds(2'500'000'000)), 2.5e-3);
  EXPECT_EQ(picoseconds_from_seconds(86'400.0 * 100).count(), 8'640'000'000'000'000'000);
}

TEST(Units, counts_add_and_divide_within_their_kind) {
  Bytes total{100};
  total += Bytes{28};
  EXPECT_EQ(total, Bytes{128});
  EXPECT_EQ(total * 2 - Bytes{6}, Bytes{250});
  EXPECT_DOUBLE_EQ(Flops{10} / Flops{4}, 2.5);
  EXPECT_LT(Bytes{1}, Bytes{2});
}

}  // namespace
}  // namespace tpulab::test::units_test
