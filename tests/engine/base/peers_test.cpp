#include "engine/base/peers.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/engine/base/thread_peers.h"

namespace tpulab::peers_test {
namespace {

TEST(Peers, all_hear_what_each_says) {
  test::together(3, [](Peers& peers) {
    const std::string own = "process " + std::to_string(peers.rank());
    EXPECT_EQ(texts_of_all(peers, own),
              (std::vector<std::string>{"process 0", "process 1", "process 2"}));
  });
}

TEST(Peers, each_fills_its_part_and_gets_the_others) {
  for (const int size : {1, 2, 4, 8}) {
    test::together(size, [size](Peers& peers) {
      std::vector<float> expected(static_cast<std::size_t>(size) * 3);
      std::iota(expected.begin(), expected.end(), 1.0F);
      std::vector<float> all(expected.size(), 0);
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t at = static_cast<std::size_t>(peers.rank()) * 3 + i;
        all[at] = expected[at];
      }
      gather_parts(peers, all);
      EXPECT_EQ(all, expected);
    });
  }
}

}  // namespace
}  // namespace tpulab::peers_test
