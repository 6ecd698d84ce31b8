#include "engine/ops/bf16.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/graph/array.h"

namespace tpulab::test::bf16_test {
namespace {

float of_bits(std::uint32_t bits) { return std::bit_cast<float>(bits); }

// Bit patterns by hand: bf16 keeps the upper 16 bits, and 0x8000 below is the tie.
TEST(Bf16, rounds_to_nearest_and_ties_to_even) {
  struct Row {
    std::uint32_t from, to;
  };
  constexpr Row rows[] = {
      {0x3f800000, 0x3f800000},  // 1
      {0x3f807fff, 0x3f800000},  // just below the tie
      {0x3f808000, 0x3f800000},  // tie, down to even
      {0x3f808001, 0x3f810000},  // just above the tie
      {0x3f818000, 0x3f820000},  // tie, up to even
      {0xbf818000, 0xbf820000},  // the same below zero
      {0x3fffffff, 0x40000000},  // carries into the exponent
      {0x00000000, 0x00000000},  // 0
      {0x80000000, 0x80000000},  // -0
      {0x00008000, 0x00000000},  // denormal tie
      {0x00018000, 0x00020000},  // denormal tie, up
      {0x7f7fffff, 0x7f800000},  // the largest float becomes infinity
      {0x7f800000, 0x7f800000},  // infinity
      {0xff800000, 0xff800000},  // -infinity
  };
  for (const Row& row : rows) {
    const float from = of_bits(row.from);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(rounded_to_bf16(from)), row.to) << std::hex << row.from;
  }
}

TEST(Bf16, keeps_nan_a_nan) {
  for (const std::uint32_t bits : {0x7fc00000u, 0x7f800001u, 0xff800001u, 0x7fffffffu}) {
    EXPECT_TRUE(std::isnan(rounded_to_bf16(of_bits(bits))));
  }
}

TEST(Bf16, rounds_arrays_as_it_rounds_single_values) {
  std::vector<float> from;
  for (std::uint64_t bits = 0; bits < 0x100000000u; bits += 65521u * 7u) {
    from.push_back(of_bits(static_cast<std::uint32_t>(bits)));
  }
  std::vector<float> to(from.size());
  round_to_bf16(from.data(), to.data(), static_cast<std::int64_t>(from.size()));
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (std::isnan(from[i])) continue;
    ASSERT_EQ(to[i], rounded_to_bf16(from[i])) << from[i];
  }
}

TEST(Bf16, splits_a_float_into_two_parts_of_eight_bits) {
  const std::vector<float> from{3.14159274f, -0.1f, 1e-10f, 12345.678f};
  std::vector<float> high(from.size());
  std::vector<float> low(from.size());
  split_to_bf16(from.data(), high.data(), low.data(), static_cast<std::int64_t>(from.size()));
  for (std::size_t i = 0; i < from.size(); ++i) {
    EXPECT_EQ(high[i], rounded_to_bf16(from[i]));
    EXPECT_EQ(low[i], rounded_to_bf16(low[i]));
    EXPECT_NEAR(high[i] + low[i], from[i], std::abs(from[i]) / 65536);
  }
}

}  // namespace
}  // namespace tpulab::test::bf16_test
