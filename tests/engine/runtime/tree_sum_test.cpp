#include "engine/runtime/tree_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "engine/base/workers.h"
#include "tests/engine/base/thread_peers.h"

namespace tpulab::tree_sum_test {
namespace {

std::vector<float> tree_sum_of(const std::vector<Array>& cores, int workers) {
  std::vector<ArrayView> views;
  for (const Array& core : cores) views.push_back(core.view());
  std::vector<float> sum(cores[0].values().size());
  WorkerPool pool(workers);
  tree_sum(views, sum, pool);
  return sum;
}

std::vector<Array> random_cores(int world, std::int64_t elements) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> values(-1, 1);
  std::vector<Array> cores;
  for (int core = 0; core < world; ++core) {
    Array array({elements});
    for (float& value : array.values()) value = values(random);
    cores.push_back(std::move(array));
  }
  return cores;
}

TEST(TreeSum, is_exact_where_no_order_matters) {
  for (const int world : {1, 2, 3, 8}) {
    for (const std::int64_t elements : {1, 7, 64, 9000}) {
      std::vector<Array> cores;
      std::vector<float> sum(static_cast<std::size_t>(elements), 0);
      for (int core = 0; core < world; ++core) {
        Array values({elements});
        for (std::int64_t i = 0; i < elements; ++i) {
          // Small whole numbers: their sums are exact in any order.
          values[i] = static_cast<float>((core * 31 + i * 7) % 19);
          sum[static_cast<std::size_t>(i)] += values[i];
        }
        cores.push_back(std::move(values));
      }
      EXPECT_EQ(tree_sum_of(cores, 2), sum) << world << " cores, " << elements << " elements";
    }
  }
}

TEST(TreeSum, of_four_adds_neighbours_first) {
  std::vector<Array> cores;
  // In a row the last one stays; a one beside 1e8 is lost.
  for (const float value : {1.0F, 1e8F, -1e8F, 1.0F}) {
    cores.push_back(Array({1}, std::vector<float>{value}));
  }
  EXPECT_EQ(tree_sum_of(cores, 1)[0], 0.0F);
}

TEST(TreeSum, has_the_same_bits_for_any_number_of_workers) {
  const std::vector<Array> cores = random_cores(6, 20'000);
  const std::vector<float> alone = tree_sum_of(cores, 1);
  for (const int workers : {2, 3, 5}) EXPECT_EQ(tree_sum_of(cores, workers), alone);
}

TEST(TreeSum, has_the_same_bits_in_any_number_of_processes) {
  for (const int world : {8, 24}) {
    const std::vector<Array> cores = random_cores(world, 5000);
    const std::vector<float> alone = tree_sum_of(cores, 1);
    for (const int processes : {1, 2, 4, 8}) {
      test::together(processes, [&](Peers& peers) {
        const auto own = static_cast<std::ptrdiff_t>(world / processes);
        const auto first = cores.begin() + peers.rank() * own;
        std::vector<float> sum = tree_sum_of({first, first + own}, 1);
        sum_with_peers(peers, sum);
        EXPECT_EQ(sum, alone) << world << " cores, " << processes << " processes";
      });
    }
  }
}

}  // namespace
}  // namespace tpulab::tree_sum_test
