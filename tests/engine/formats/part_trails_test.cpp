#include "engine/formats/part_trails.h"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

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

TEST(PartTrails, of_very_many_slices_in_a_loop_of_very_many_arrays_are_read_at_once) {
  constexpr int many_slices = 40'000;
  LoopTurns loop;
  for (std::int64_t rows = 1; rows <= 4'000; ++rows) loop.changed.push_back({rows, 7});
  const std::vector<bool> asked{true};
  const std::vector<Type> types{{{8, 32}, DType::f32}};
  TurnReads reads({asked, types, false, {}, WeightShapes({})});
  const auto before = std::chrono::steady_clock::now();
  Trails none;
  reads.enter_loop(loop, none, {});
  for (int i = 0; i < many_slices; ++i) reads.read_part({.argument = 0}, {8, 32}, {1, 32});
  reads.leave_loop(none, {});
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(8));
  EXPECT_EQ(reads.parts({})[0].microbatches, -1);
}

}  // namespace
}  // namespace tpulab::part_trails_test
