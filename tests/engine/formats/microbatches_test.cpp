#include "engine/formats/microbatches.h"

#include <gtest/gtest.h>

namespace tpulab::microbatches_test {
namespace {

// Two weights, and two moments of each.
TurnsLeave left_by(const std::vector<Shape>& changed, std::int64_t turns = 4) {
  const Shape first{784, 256};
  const Shape second{256, 10};
  const std::vector<Shape> state{first, second, first, second, first, second};
  return WeightShapes(state).left_by({.changed = changed}, turns);
}

TEST(Microbatches, are_what_turns_add_up_most_of_the_weights_over) {
  EXPECT_EQ(left_by({{}, {784, 256}, {256, 10}}), TurnsLeave::sums);
  EXPECT_EQ(left_by({{1, 784, 256}, {32, 64}}), TurnsLeave::sums);
  EXPECT_EQ(left_by({{256, 10}}), TurnsLeave::others);
  // In one row.
  EXPECT_EQ(left_by({{784 * 256 + 2560}}), TurnsLeave::sums);
  EXPECT_EQ(left_by({{784 * 256 + 2561}}), TurnsLeave::others);
  EXPECT_EQ(left_by({{256, 794}}), TurnsLeave::others);
  EXPECT_EQ(WeightShapes({}).left_by({.changed = {{{8, 32}, {8}}}}, 4), TurnsLeave::others);
}

TEST(Microbatches, are_what_gradients_are_kept_of_one_by_one) {
  EXPECT_EQ(left_by({{}, {4, 784, 256}, {4, 256, 10}}), TurnsLeave::sums);
  // Of each of 32 rows, added up.
  EXPECT_EQ(left_by({{32}, {32, 784, 256}, {32, 256, 10}}, 4), TurnsLeave::sums);
}

// Losses of batches that do not come one by one; where turns keep something they may be anything.
TEST(Microbatches, are_what_turns_add_up_numbers_of_where_no_weights_are_known) {
  const WeightShapes none({});
  EXPECT_EQ(none.left_by({.changed = {{}, {1}}}, 10), TurnsLeave::sums);
  EXPECT_EQ(none.left_by({.changed = {{10, 1, 8}}}, 10), TurnsLeave::apart);
}

TEST(Microbatches, are_found_by_gradients_that_come_out) {
  const std::vector<Type> types{{{64, 8}, DType::f32}, {{4, 32, 64}, DType::f32}};
  const WeightShapes weights = WeightShapes::of_call(types, {types[0], {{}, DType::f32}});
  EXPECT_EQ(weights.left_by({.changed = {{64, 8}}}, 4), TurnsLeave::sums);
  EXPECT_EQ(weights.left_by({.changed = {{32, 64}}}, 4), TurnsLeave::others);
}

// The state of a recurrent network, beside two matrices that stay.
TEST(Microbatches, are_not_found_by_a_state_that_comes_out) {
  const Type state{{32, 64}, DType::f32};
  const Type matrix{{64, 64}, DType::f32};
  EXPECT_TRUE(WeightShapes::of_call({state, matrix, matrix}, {state}).none());
}

TEST(Microbatches, may_be_what_turns_keep_apart) {
  EXPECT_EQ(left_by({{}, {4, 32, 256}, {4}}), TurnsLeave::apart);
  EXPECT_EQ(left_by({{}, {4, 32, 256}, {32, 256}}), TurnsLeave::others);
}

}  // namespace
}  // namespace tpulab::microbatches_test
