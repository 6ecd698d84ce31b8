#include "engine/formats/taken_rows.h"

#include <gtest/gtest.h>

namespace tpulab::taken_rows_test {
namespace {

TEST(TakenRows, lie_behind_one_of_the_first_axis) {
  EXPECT_TRUE(takes_one({4, 32, 64}, {1, 32, 64}));
  EXPECT_FALSE(takes_one({4, 32, 64}, {2, 32, 64}));
  EXPECT_FALSE(takes_one({4, 32, 64}, {1, 16, 64}));
  EXPECT_FALSE(takes_one({1, 32}, {1, 32}));
  EXPECT_FALSE(takes_one({4}, {1}));
}

TEST(TakenRows, are_found_again_under_another_shape) {
  EXPECT_EQ(axis_when_reshaped({1, 32, 64}, 1, {32, 64}), 0);
  EXPECT_EQ(axis_when_reshaped({32, 16, 64}, 0, {512, 64}), 0);
  EXPECT_EQ(axis_when_reshaped({512, 64}, 0, {32, 16, 64}), 0);
  EXPECT_EQ(axis_when_reshaped({16, 32, 64}, 1, {512, 64}), summed_rows);
  // One row, between others of one.
  EXPECT_EQ(axis_when_reshaped({1, 1, 64}, 1, {1, 64}), 0);
  EXPECT_EQ(axis_when_reshaped({1, 64}, 0, {64}), summed_rows);
}

TEST(TakenRows, lie_beside_others_in_a_longer_axis) {
  EXPECT_EQ(axis_when_laid({32, 8}, 0, {32, 16}), 0);
  EXPECT_EQ(axis_when_laid({32, 8}, 0, {64, 8}), laid_apart);
  EXPECT_TRUE(is_one_of_more({1, 32, 8}, {4, 32, 8}));
  EXPECT_FALSE(is_one_of_more({2, 32, 8}, {4, 32, 8}));
}

}  // namespace
}  // namespace tpulab::taken_rows_test
