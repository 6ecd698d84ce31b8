#include "engine/formats/microbatches.h"

#include <gtest/gtest.h>

namespace tpulab::microbatches_test {
namespace {

// Two weights, and two moments of each.
TurnKind kind_of(const std::vector<Shape>& changed, std::int64_t turns = 4) {
  const Shape first{784, 256};
  const Shape second{256, 10};
  const std::vector<Shape> state{first, second, first, second, first, second};
  return WeightShapes(state).kind_of({.changed = changed}, turns);
}

TEST(Microbatches, are_what_turns_add_up_most_of_the_weights_over) {
  EXPECT_EQ(kind_of({{}, {784, 256}, {256, 10}}), TurnKind::microbatches);
  EXPECT_EQ(kind_of({{1, 784, 256}, {32, 64}}), TurnKind::microbatches);
  EXPECT_EQ(kind_of({{256, 10}}), TurnKind::others);
  // In one row.
  EXPECT_EQ(kind_of({{784 * 256 + 2560}}), TurnKind::microbatches);
  EXPECT_EQ(kind_of({{784 * 256 + 2561}}), TurnKind::others);
  EXPECT_EQ(kind_of({{256, 794}}), TurnKind::others);
  EXPECT_EQ(WeightShapes({}).kind_of({.changed = {{{8, 32}, {8}}}}, 4), TurnKind::others);
}

TEST(Microbatches, are_what_gradients_are_kept_of_one_by_one) {
  EXPECT_EQ(kind_of({{}, {4, 784, 256}, {4, 256, 10}}), TurnKind::microbatches);
  EXPECT_EQ(kind_of({{4, 784, 256}}, 8), TurnKind::others);
}

TEST(Microbatches, may_be_what_turns_keep_apart) {
  EXPECT_EQ(kind_of({{}, {4, 32, 256}, {4}}), TurnKind::apart);
  EXPECT_EQ(kind_of({{}, {4, 32, 256}, {32, 256}}), TurnKind::others);
}

}  // namespace
}  // namespace tpulab::microbatches_test
