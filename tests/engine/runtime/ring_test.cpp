#include <gtest/gtest.h>

#include <algorithm>

#include "engine/runtime/separate_run.h"

namespace tpulab {
namespace {

TEST(RingAllReduce, leaves_the_sum_on_every_core) {
  for (const int world : {1, 2, 3, 8}) {
    for (const std::int64_t elements : {1, 7, 64}) {
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
      ring_all_reduce(cores);
      for (const Array& core : cores) {
        EXPECT_EQ(std::vector<float>(core.values().begin(), core.values().end()), sum)
            << world << " cores, " << elements << " elements";
      }
    }
  }
}

TEST(RingAllReduce, gives_the_same_bits_to_all_cores) {
  std::vector<Array> cores;
  for (int core = 0; core < 5; ++core) {
    Array values({13});
    for (std::int64_t i = 0; i < 13; ++i) values[i] = 0.1f * static_cast<float>(core + 3 * i + 1);
    cores.push_back(std::move(values));
  }
  ring_all_reduce(cores);
  for (const Array& core : cores) {
    EXPECT_TRUE(std::ranges::equal(core.values(), cores[0].values()));
  }
}

}  // namespace
}  // namespace tpulab
