#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/engine/ops/step.h"

namespace tpulab::random_numbers_test {
namespace {

using test::Step;

Array drawn(Distribution how, double seed, std::uint64_t stream = 1) {
  Step step;
  step.input(Array(Shape{1}));  // a graph
  return step.value(
      random_numbers(step.graph, {200, 500}, how, {.seed = seed, .operations = 8}, stream));
}

double mean_of(const Array& x) {
  double sum = 0;
  for (const float value : x.values()) sum += value;
  return sum / static_cast<double>(x.elements());
}
double variance_of(const Array& x) {
  double sum = 0;
  const double mean = mean_of(x);
  for (const float value : x.values()) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(x.elements());
}

// Four deviations of 100,000 draws.
TEST(RandomNumbers, have_the_mean_and_variance_of_their_distribution) {
  const Array uniform = drawn(Distribution::uniform, 7);
  EXPECT_NEAR(mean_of(uniform), 0.5, 0.004);
  EXPECT_NEAR(variance_of(uniform), 1.0 / 12, 0.001);
  EXPECT_TRUE(std::ranges::all_of(uniform.values(), [](float x) { return x >= 0 && x < 1; }));
  const Array normal = drawn(Distribution::normal, 7);
  EXPECT_NEAR(mean_of(normal), 0, 0.013);
  EXPECT_NEAR(variance_of(normal), 1, 0.018);
}

TEST(RandomNumbers, are_others_for_another_seed_or_stream_alone) {
  const auto values = [](double seed, std::uint64_t stream) {
    const Array made = drawn(Distribution::normal, seed, stream);
    return std::vector<float>(made.values().begin(), made.values().end());
  };
  EXPECT_EQ(values(7, 1), values(7, 1));
  EXPECT_NE(values(7, 1), values(8, 1));
  EXPECT_NE(values(7, 1), values(7, 2));
  EXPECT_EQ(values(0, 1), values(0, 1));  // of evaluation
}

}  // namespace
}  // namespace tpulab::random_numbers_test
