#include "engine/ops/exponential.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tpulab::test::exponential_test {
namespace {

double relative_error(float got, double exact) {
  return std::abs(static_cast<double>(got) - exact) / std::abs(exact);
}

TEST(Exponential, is_within_two_ulp_of_the_double_precision_function) {
  for (float x = -87.3f; x < 88.0f; x += 0.00917f) {
    ASSERT_LT(relative_error(exponential(x), std::exp(static_cast<double>(x))), 2 * 1.2e-7) << x;
  }
}

TEST(Exponential, has_exact_ends) {
  EXPECT_EQ(exponential(0), 1.0f);
  EXPECT_EQ(exponential(-1000), 0.0f);
  EXPECT_EQ(exponential(-std::numeric_limits<float>::infinity()), 0.0f);
  EXPECT_EQ(exponential(1000), std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(exponential(std::numeric_limits<float>::quiet_NaN())));
}

TEST(Logarithm, is_within_two_ulp_away_from_its_zero) {
  for (float x = 1e-30f; x < 1e30f; x *= 1.0137f) {
    const double exact = std::log(static_cast<double>(x));
    const double size = std::max(std::abs(exact), 0.1);
    ASSERT_LT(std::abs(static_cast<double>(logarithm(x)) - exact), 2 * 1.2e-7 * size) << x;
  }
  EXPECT_EQ(logarithm(1), 0.0f);
}

}  // namespace
}  // namespace tpulab::test::exponential_test
