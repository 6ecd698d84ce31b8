#include "engine/evidence/statistics.h"

#include <gtest/gtest.h>

namespace tpulab::statistics_test {
namespace {

TEST(Statistics, a_summary_is_of_absolute_errors) {
  // Sizes 0.1, 0.2, 0.3, 0.6: mean 0.3, median 0.25; 0.9 of the way is 0.3 + 0.7 * 0.3 = 0.51.
  const ErrorSummary summary = summary_of({-0.1, 0.2, -0.3, 0.6}, {});
  EXPECT_EQ(summary.count, 4);
  EXPECT_NEAR(summary.mean, 0.3, 1e-12);
  EXPECT_NEAR(summary.median, 0.25, 1e-12);
  EXPECT_NEAR(summary.p90, 0.51, 1e-12);
}

TEST(Statistics, kendall_tau_counts_pairs_of_one_group_only) {
  // In a: (1,1) (2,3) (3,2) has two pairs in order and one against; b has one pair in order.
  const std::vector<RankedPair> pairs{
      {"a", 1, 1}, {"a", 2, 3}, {"a", 3, 2}, {"b", 10, 1}, {"b", 20, 2}};
  EXPECT_NEAR(kendall_tau(pairs), (3.0 - 1.0) / 4.0, 1e-12);
  EXPECT_EQ(kendall_tau({{"a", 1, 1}, {"b", 2, 2}}), 0);
}

TEST(Statistics, nothing_has_no_error) {
  EXPECT_EQ(summary_of({}, {}).count, 0);
  EXPECT_EQ(quantile({}, 0.5), 0);
}

}  // namespace
}  // namespace tpulab::statistics_test
