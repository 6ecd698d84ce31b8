#include "engine/training/sampler.h"

#include <gtest/gtest.h>

#include <set>

namespace tpulab::sampler_test {
namespace {

TEST(Sampler, gives_8_cores_180_of_1437_rows_each_and_repeats_3) {
  // Lightning's DistributedSampler: ceil(1437 / 8) = 180; 8 x 180 - 1437 = 3.
  const Sampler sampler(1437, 8, true, 1);
  EXPECT_EQ(sampler.rows_per_core(), 180);
  EXPECT_EQ(sampler.repeated(), 3);
}

TEST(Sampler, shows_every_row_once_but_for_the_repeated_ones) {
  const Sampler sampler(1437, 8, true, 1);
  std::multiset<std::int64_t> seen;
  for (int core = 0; core < 8; ++core) {
    for (const std::int64_t row : sampler.rows(core, 0, 180)) seen.insert(row);
  }
  EXPECT_EQ(seen.size(), 1440u);
  EXPECT_EQ(std::set<std::int64_t>(seen.begin(), seen.end()).size(), 1437u);
}

TEST(Sampler, repeats_the_first_rows_of_the_epoch) {
  const Sampler sampler(10, 4, false, 1);
  // Dealt in turn: core 0 gets 0 4 8, core 1 gets 1 5 9, core 2 gets 2 6 0, core 3 gets 3 7 1.
  EXPECT_EQ(sampler.rows(0, 0, 3), (std::vector<std::int64_t>{0, 4, 8}));
  EXPECT_EQ(sampler.rows(2, 0, 3), (std::vector<std::int64_t>{2, 6, 0}));
  EXPECT_EQ(sampler.rows(3, 0, 3), (std::vector<std::int64_t>{3, 7, 1}));
}

TEST(Sampler, deals_the_same_rows_to_one_core_as_to_eight_together) {
  const Sampler one(1437, 1, true, 5);
  const Sampler eight(1437, 8, true, 5);
  std::multiset<std::int64_t> together;
  for (int core = 0; core < 8; ++core) {
    for (const std::int64_t row : eight.rows(core, 32, 32)) together.insert(row);
  }
  const std::vector<std::int64_t> alone = one.rows(0, 256, 256);
  EXPECT_EQ(together, std::multiset<std::int64_t>(alone.begin(), alone.end()));
}

TEST(Sampler, shuffles_anew_each_epoch) {
  Sampler sampler(100, 1, true, 1);
  const auto first = sampler.rows(0, 0, 100);
  sampler.begin_epoch(1);
  EXPECT_NE(sampler.rows(0, 0, 100), first);
  sampler.begin_epoch(0);
  EXPECT_EQ(sampler.rows(0, 0, 100), first);
}

}  // namespace
}  // namespace tpulab::sampler_test
