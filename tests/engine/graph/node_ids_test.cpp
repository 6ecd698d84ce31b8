#include "engine/graph/node_ids.h"

#include <gtest/gtest.h>

#include <numeric>

namespace tpulab::node_ids_test {
namespace {

TEST(NodeIds, hold_short_and_long_lists_alike) {
  for (const int count : {0, 1, 6, 7, 8, 9, 100}) {
    NodeIds ids;
    for (NodeId id = 0; id < count; ++id) ids.push_back(id);
    EXPECT_EQ(ids.size(), static_cast<std::size_t>(count));
    EXPECT_EQ(std::accumulate(ids.begin(), ids.end(), 0), count * (count - 1) / 2);
    const NodeIds copy = ids;
    EXPECT_EQ(copy, ids);
    ids.push_back(7);
    EXPECT_FALSE(copy == ids);
    EXPECT_EQ(ids[ids.size() - 1], 7);
  }
}

}  // namespace
}  // namespace tpulab::node_ids_test
