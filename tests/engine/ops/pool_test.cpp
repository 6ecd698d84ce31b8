#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/engine/ops/check_op.h"

namespace tpulab::test::pool_test {
namespace {

Build largest(PoolOptions options = {}) {
  return [options](std::span<const Tensor> in) { return max_pool2d(in[0], options); };
}
Build averaged(PoolOptions options = {}) {
  return [options](std::span<const Tensor> in) { return average_pool2d(in[0], options); };
}
const Build scaled = [](std::span<const Tensor> in) { return scale_channels(in[0], in[1]); };
const Build global = [](std::span<const Tensor> in) { return global_average_pool(in[0]); };

// One image of 4 x 4 with one channel: 1 to 16, row by row.
Array ramp() {
  Array array(Shape{1, 4, 4, 1});
  std::iota(array.values().begin(), array.values().end(), 1.0f);
  return array;
}

// Values further apart than any step of finite differences, in no order.
Array apart(const Shape& shape) {
  Array array(shape);
  for (std::int64_t i = 0; i < array.elements(); ++i) {
    array[i] = static_cast<float>(i * 7 % array.elements()) / 4;
  }
  return array;
}

TEST(MaxPool, takes_the_largest_of_each_window) {
  EXPECT_EQ(values_of({ramp()}, largest()), (std::vector<float>{6, 8, 14, 16}));
  const PoolOptions overlapping{.window = 3, .stride = 2, .padding = Padding::by(1)};
  EXPECT_EQ(values_of({ramp()}, largest(overlapping)), (std::vector<float>{6, 8, 14, 16}));
}

TEST(MaxPool, ignores_the_padding) {
  const Array below(Shape{1, 1, 2, 1}, {-3, -2});
  EXPECT_EQ(values_of({below}, largest({.window = 3, .stride = 1, .padding = Padding::same()})),
            (std::vector<float>{-2, -2}));
}

TEST(AveragePool, counts_padding_as_zeros) {
  EXPECT_EQ(values_of({ramp()}, averaged()), (std::vector<float>{3.5f, 5.5f, 11.5f, 13.5f}));
  const Array one(Shape{1, 1, 1, 1}, {9});
  EXPECT_EQ(values_of({one}, averaged({.window = 3, .stride = 1, .padding = Padding::same()})),
            (std::vector<float>{1}));
}

TEST(GlobalAveragePool, leaves_one_mean_per_image_and_channel) {
  const Array x(Shape{2, 1, 2, 2}, {1, 10, 3, 20, 5, 30, 7, 40});
  EXPECT_EQ(values_of({x}, global), (std::vector<float>{2, 15, 6, 35}));
}

TEST(Pool, has_the_gradients_of_finite_differences) {
  const PoolOptions overlapping{.window = 3, .stride = 2, .padding = Padding::by(1)};
  for (const PoolOptions& options : {PoolOptions{}, overlapping}) {
    check_op({apart({2, 5, 4, 2})}, largest(options));
    check_op({numbers({2, 5, 4, 2}, 1)}, averaged(options));
  }
  check_op({numbers({2, 3, 2, 2}, 1)}, global);
}

TEST(MaxPool, gives_the_gradient_of_a_tie_to_the_first) {
  Step step;
  const Tensor x = step.input(Array(Shape{1, 2, 2, 1}, {5, 5, 5, 5}));
  const auto gradients = backward(max_pool2d(x), step.input(Array(Shape{1, 1, 1, 1}, {3})));
  const Array& gradient = step.value(gradients.at(x.id));
  EXPECT_TRUE(std::ranges::equal(gradient.values(), std::vector<float>{3, 0, 0, 0}));
}

// Nine comparisons for each element of the result; backward each tap is compared and added to.
TEST(Pool, costs_an_operation_per_tap) {
  Step step;
  const Tensor x = step.input(Array(Shape{2, 8, 8, 3}));
  const PoolOptions options{.window = 3, .stride = 2, .padding = Padding::by(1)};
  const Tensor out = max_pool2d(x, options);
  EXPECT_EQ(work_of<VectorWork>(out).shape, (Shape{2, 4, 4, 3}));
  EXPECT_EQ(work_of<VectorWork>(out).cheap, 9);
  const auto gradients = backward(out, step.input(Array(out.shape())));
  EXPECT_EQ(work_of<VectorWork>(gradients.at(x.id)).shape, (Shape{2, 4, 4, 3}));
  EXPECT_EQ(work_of<VectorWork>(gradients.at(x.id)).cheap, 18);
  EXPECT_EQ(work_of<VectorWork>(average_pool2d(x, options)).cheap, 9);
  EXPECT_EQ(work_of<VectorWork>(global_average_pool(x)).shape, (Shape{2, 8, 8, 3}));
}

TEST(Pool, refuses_what_is_no_image_or_too_small) {
  Step step;
  const Tensor x = step.input(Array(Shape{1, 2, 2, 1}));
  EXPECT_EQ(error_of([&] { max_pool2d(x, {.window = 3}); }),
            "pool2d: a window of 3 x 3 does not fit into f32[1,2,2,1] with padding valid; pad more "
            "or take a smaller window");
  EXPECT_NE(error_of([&] { average_pool2d(step.input(Array(Shape{4, 4}))); }), "");
  EXPECT_NE(error_of([&] { average_pool2d(x, {.stride = 0}); }), "");
  EXPECT_NE(error_of([&] { global_average_pool(step.input(Array(Shape{4, 4}))); }), "");
}

// Two images of two pixels, each channel of each image by its own factor.
TEST(ScaleChannels, weighs_the_channels_of_each_image) {
  const Array images(Shape{2, 1, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  const Array factors(Shape{2, 2}, {1, 10, 2, 0});
  EXPECT_EQ(values_of({images, factors}, scaled), (std::vector<float>{1, 20, 3, 40, 10, 0, 14, 0}));
  check_op({numbers({2, 3, 2, 4}, 1), numbers({2, 4}, 2)}, scaled);
  EXPECT_NE(error_of([] {
              Step step;
              scale_channels(step.input(Array(Shape{2, 3, 2, 4})), step.input(Array(Shape{2, 3})));
            }),
            "");
}

}  // namespace
}  // namespace tpulab::test::pool_test
