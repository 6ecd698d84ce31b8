#include "engine/base/shape.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "engine/base/error.h"

namespace tpulab::test::shape_test {
namespace {

TEST(Shape, of_a_scalar_has_no_axes_and_one_element) {
  EXPECT_TRUE(Shape{}.scalar());
  EXPECT_EQ(Shape{}.elements(), 1);
  EXPECT_EQ(Shape{}.at(-1), 1);
  EXPECT_FALSE(Shape{1}.scalar());
}

TEST(Shape, multiplies_its_extents) {
  EXPECT_EQ((Shape{32, 64}.elements()), 2048);
  EXPECT_EQ((Shape{32, 0}.elements()), 0);
}

TEST(Shape, counts_negative_axes_from_the_innermost) {
  const Shape shape{2, 3, 5};
  EXPECT_EQ(shape.at(-1), 5);
  EXPECT_EQ(shape.at(-3), 2);
  EXPECT_EQ(shape.at(1), 3);
  EXPECT_EQ(shape.at(3), 1);
  EXPECT_EQ(shape.at(-4), 1);
}

TEST(Shape, is_equal_by_extents) {
  EXPECT_EQ((Shape{2, 3}), (Shape{2, 3}));
  EXPECT_NE((Shape{2, 3}), (Shape{3, 2}));
  EXPECT_NE((Shape{2}), (Shape{2, 1}));
}

TEST(Shape, prints_as_xla_does) {
  EXPECT_EQ(text_of(DType::f32, Shape{32, 64}), "f32[32,64]");
  EXPECT_EQ(text_of(DType::bf16, Shape{}), "bf16[]");
  EXPECT_EQ(text_of(DType::s32, Shape{7}), "s32[7]");
}

TEST(Shape, refuses_what_only_a_bug_asks_for) {
  EXPECT_THROW((Shape{1, 2, 3, 4, 5, 6, 7, 8, 9}), std::logic_error);
  EXPECT_THROW(Shape{-1}, std::logic_error);
}

TEST(Shape, refuses_sizes_whose_product_no_machine_holds) {
  EXPECT_EQ((Shape{65'536, 65'536}.elements()), std::int64_t{1} << 32);
  EXPECT_THROW((Shape{65'536, 65'536, 65'536, 65'536}.elements()), Error);  // 2^64
  EXPECT_THROW((Shape{65'536, 65'536, 65'537}.elements()), Error);
}

TEST(DType, rows_say_bytes) {
  EXPECT_EQ(bytes_of(DType::f32), 4);
  EXPECT_EQ(bytes_of(DType::bf16), 2);
  EXPECT_EQ(bytes_of(DType::s32), 4);
  EXPECT_EQ(bytes_of(DType::pred), 1);
  for (const DType dtype : {DType::f32, DType::bf16, DType::s32, DType::pred}) {
    EXPECT_EQ(row_of(dtype).dtype, dtype);
  }
}

}  // namespace
}  // namespace tpulab::test::shape_test
