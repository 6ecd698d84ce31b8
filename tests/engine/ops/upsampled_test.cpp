#include <gtest/gtest.h>

#include "tests/engine/ops/check_op.h"

namespace tpulab::test::upsampled_test {
namespace {

const Build twice = [](std::span<const Tensor> in) { return upsampled(in[0]); };

TEST(Upsampled, repeats_each_pixel_in_both_directions) {
  EXPECT_EQ(values_of({Array(Shape{1, 2, 1, 2}, {1, 2, 3, 4})}, twice),
            (std::vector<float>{1, 2, 1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 3, 4, 3, 4}));
}

TEST(Upsampled, has_the_gradient_of_finite_differences) {
  check_op({numbers({2, 2, 3, 2}, 1)}, twice);
}

TEST(Upsampled, says_what_is_no_image) {
  EXPECT_EQ(error_of([] {
              values_of({Array(Shape{2, 4})}, twice);
            }),
            "upsampled: f32[2,4] is no batch of images; give [b,h,w,c]");
}

}  // namespace
}  // namespace tpulab::test::upsampled_test
