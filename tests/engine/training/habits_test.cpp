#include "engine/training/habits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "engine/base/error.h"

namespace tpulab::habits_test {
namespace {

std::set<std::int64_t> counts_in(Shapes shapes, std::int64_t rows, std::int64_t steps) {
  std::set<std::int64_t> counts;
  for (std::int64_t step = 0; step < steps; ++step) counts.insert(kept_rows(shapes, rows, 1, step));
  return counts;
}

TEST(KeptRows, are_all_where_shapes_are_fixed) {
  EXPECT_EQ(counts_in(Shapes::fixed, 128, 50), std::set<std::int64_t>{128});
}

TEST(KeptRows, are_any_of_32_counts_from_half_up) {
  for (const std::int64_t rows : {64, 128, 100'000}) {
    const std::set<std::int64_t> counts = counts_in(Shapes::random, rows, 1000);
    EXPECT_EQ(counts.size(), 32U) << rows;
    EXPECT_EQ(*counts.begin(), rows - rows / 2) << rows;
    EXPECT_EQ(*counts.rbegin(), rows) << rows;
  }
  EXPECT_EQ(counts_in(Shapes::random, 8, 1000), (std::set<std::int64_t>{4, 5, 6, 7, 8}));
  EXPECT_EQ(counts_in(Shapes::random, 1, 1000), std::set<std::int64_t>{1});
}

TEST(KeptRows, are_filled_up_to_one_of_four_counts) {
  EXPECT_EQ(counts_in(Shapes::bucketed, 120, 1000), (std::set<std::int64_t>{60, 80, 100, 120}));
  EXPECT_EQ(counts_in(Shapes::bucketed, 2, 1000), (std::set<std::int64_t>{1, 2}));
  for (std::int64_t step = 0; step < 200; ++step) {
    const std::int64_t dropped = kept_rows(Shapes::random, 120, 7, step);
    const std::int64_t filled = kept_rows(Shapes::bucketed, 120, 7, step);
    EXPECT_GE(filled, dropped);
    EXPECT_LT(filled - dropped, 20);
  }
}

TEST(KeptRows, follow_from_seed_and_step_and_come_round_again) {
  int differ = 0;
  for (std::int64_t step = 0; step < 100; ++step) {
    const std::int64_t kept = kept_rows(Shapes::random, 128, 1, step);
    EXPECT_EQ(kept_rows(Shapes::random, 128, 1, step + habits_period), kept);
    differ += kept_rows(Shapes::random, 128, 2, step) != kept ? 1 : 0;
  }
  EXPECT_GT(differ, 80);
}

TEST(Habits, a_loop_takes_each_number_of_turns_up_to_its_most) {
  const Habits habits{.loop_turns = 5};
  std::set<std::int64_t> turns;
  for (std::int64_t step = 0; step < 100; ++step) turns.insert(habits.turns_in(step));
  EXPECT_EQ(turns, (std::set<std::int64_t>{1, 2, 3, 4, 5}));
  EXPECT_EQ(habits.turns_in(3), habits.turns_in(3 + habits_period));
  EXPECT_EQ(Habits{}.turns_in(3), 0);
}

TEST(Habits, turns_of_a_loop_say_nothing_of_the_rows_of_a_step) {
  const Habits habits{.loop_turns = 2};
  std::set<std::pair<std::int64_t, std::int64_t>> both;
  for (std::int64_t step = 0; step < 200; ++step) {
    both.insert({kept_rows(Shapes::random, 2, habits.seed, step), habits.turns_in(step)});
  }
  EXPECT_EQ(both.size(), 4U);
}

TEST(Habits, come_after_every_so_many_steps_or_never) {
  const Habits habits{.log_every_n_steps = 2, .item_every_n_steps = 0, .keep_every_n_steps = 3};
  EXPECT_FALSE(habits.logged_after(0));
  EXPECT_TRUE(habits.logged_after(1));
  EXPECT_FALSE(habits.item_inside(0));
  EXPECT_FALSE(habits.keeps_losses(1));
  EXPECT_TRUE(habits.keeps_losses(2));
}

TEST(KeptRows, have_three_names) {
  EXPECT_EQ(shapes_named("bucketed"), Shapes::bucketed);
  EXPECT_THROW(shapes_named("any"), Error);
}

}  // namespace
}  // namespace tpulab::habits_test
