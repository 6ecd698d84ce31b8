#include "engine/graph/array.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace tpulab::test::array_test {
namespace {

TEST(Array, starts_at_zero_and_counts_bytes_of_the_device) {
  const Array array(Shape{3, 2}, DType::bf16);
  EXPECT_EQ(array.elements(), 6);
  EXPECT_EQ(array.bytes(), Bytes{12});
  for (const float value : array.values()) EXPECT_EQ(value, 0);
}

TEST(Array, shows_its_values_through_views) {
  Array array(Shape{2}, {1, 2});
  array.span()[1] = 5;
  EXPECT_EQ(array.view()[1], 5);
  EXPECT_EQ(array[1], 5);
  EXPECT_EQ(array.view().values().size(), 2u);
  EXPECT_EQ(Array::scalar(3)[0], 3);
}

TEST(Array, refuses_values_that_do_not_fill_the_shape) {
  EXPECT_THROW(Array(Shape{2}, {1, 2, 3}), std::logic_error);
}

// 1 + 2^-9 needs nine bits of mantissa; bf16 has seven.
TEST(Array, rounds_to_bf16_only) {
  std::vector<float> values{1.001953125f};
  for (const DType dtype : {DType::f32, DType::s32, DType::pred}) {
    round_to(dtype, values);
    EXPECT_EQ(values[0], 1.001953125f);
  }
  round_to(DType::bf16, values);
  EXPECT_EQ(values[0], 1.0f);
}

}  // namespace
}  // namespace tpulab::test::array_test
