#include <gtest/gtest.h>

#include <cmath>

#include "tests/engine/ops/check_op.h"

namespace tpulab::test::group_norm_test {
namespace {

Build normal_of(std::int64_t groups) {
  return [groups](std::span<const Tensor> in) { return group_norm(in[0], groups, in[1], in[2]); };
}

// Two groups of two channels, two pixels: 1 3 5 7 has the mean 4 and the variance 5, 2 2 2 4 has
// 2.5 and 0.75.
TEST(GroupNorm, takes_mean_and_variance_of_the_channels_of_a_group) {
  const Array x(Shape{1, 1, 2, 4}, {1, 3, 2, 2, 5, 7, 2, 4});
  const std::vector<float> made =
      values_of({x, Array(Shape{4}, {1, 1, 1, 2}), Array(Shape{4}, {0, 0, 0, 1})}, normal_of(2));
  const double first = 1 / std::sqrt(5 + 1e-5);
  const double second = 1 / std::sqrt(0.75 + 1e-5);
  EXPECT_NEAR(made.at(0), -3 * first, 1e-5);
  EXPECT_NEAR(made.at(5), 3 * first, 1e-5);
  EXPECT_NEAR(made.at(2), -0.5 * second, 1e-5);
  EXPECT_NEAR(made.at(7), 2 * 1.5 * second + 1, 1e-5);
}

// Two voxels of each channel: 1 and 5 have the mean 3 and the variance 4, 2 and 2 none.
TEST(GroupNorm, of_as_many_groups_as_channels_takes_each_channel_of_a_volume_alone) {
  const Array x(Shape{1, 2, 1, 1, 2}, {1, 2, 5, 2});
  const std::vector<float> made =
      values_of({x, Array(Shape{2}, {1, 1}), Array(Shape{2}, {0, 7})}, normal_of(2));
  EXPECT_NEAR(made.at(0), -2 / std::sqrt(4 + 1e-5), 1e-5);
  EXPECT_NEAR(made.at(2), 2 / std::sqrt(4 + 1e-5), 1e-5);
  EXPECT_NEAR(made.at(1), 7, 1e-5);
  EXPECT_NEAR(made.at(3), 7, 1e-5);
}

TEST(GroupNorm, has_the_gradient_of_finite_differences) {
  check_gradient({numbers({2, 2, 2, 1, 2}, 1), numbers({2}, 2), numbers({2}, 3)}, normal_of(2));
  check_gradient({numbers({2, 2, 3, 4}, 1), numbers({4}, 2), numbers({4}, 3)}, normal_of(2));
}

TEST(GroupNorm, says_which_groups_do_not_fit) {
  EXPECT_EQ(
      error_of([] {
        values_of({Array(Shape{1, 1, 2, 4}), Array(Shape{4}), Array(Shape{4})}, normal_of(3));
      }),
      "group_norm: f32[1,1,2,4] has no 3 groups of channels; give [b,h,w,c] or [b,d,h,w,c], c "
      "a multiple of the groups");
}

}  // namespace
}  // namespace tpulab::test::group_norm_test
