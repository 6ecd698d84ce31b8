#include "engine/formats/hlo/axes_kept.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string_view>

#include "engine/formats/hlo/parser.h"
#include "engine/formats/taken_rows.h"

namespace tpulab::hlo::axes_kept_test {
namespace {

// Of %a in %c, or of %b.
int axis_of(std::string_view a, std::string_view b, std::string_view made, std::size_t operand,
            int axis) {
  const Module module = parse(fmt::format(R"(HloModule m, is_scheduled=true

ENTRY %main (a: {0}, b: {1}) -> f32[] {{
  %a = {0} parameter(0)
  %b = {1} parameter(1)
  ROOT %c = {2}
}}
)",
                                          a, b, made),
                              "m.hlo");
  const Computation& entry = module.computations.at(module.entry);
  return axis_in_result(entry, *entry.find("c"), operand, axis);
}

TEST(AxesKept, of_a_product_are_those_that_it_does_not_sum) {
  const char* const weights =
      "f32[32,16] dot(%a, %b), lhs_contracting_dims={1}, rhs_contracting_dims={0}";
  EXPECT_EQ(axis_of("f32[32,8]", "f32[8,16]", weights, 0, 0), 0);
  EXPECT_EQ(axis_of("f32[32,8]", "f32[8,16]", weights, 0, 1), summed_rows);
  EXPECT_EQ(axis_of("f32[32,8]", "f32[8,16]", weights, 1, 1), 1);
  const char* const batched =
      "f32[4,32,16] dot(%a, %b), lhs_batch_dims={1}, rhs_batch_dims={0}, "
      "lhs_contracting_dims={2}, rhs_contracting_dims={1}";
  EXPECT_EQ(axis_of("f32[32,4,8]", "f32[4,8,16]", batched, 0, 1), 0);
  EXPECT_EQ(axis_of("f32[32,4,8]", "f32[4,8,16]", batched, 0, 0), 1);
  EXPECT_EQ(axis_of("f32[32,4,8]", "f32[4,8,16]", batched, 1, 2), 2);
}

TEST(AxesKept, of_a_convolution_are_its_batch_and_what_its_filter_makes) {
  const char* const forward = "f32[16,32] convolution(%a, %b), dim_labels=bf_io->fb";
  EXPECT_EQ(axis_of("f32[32,8]", "f32[8,16]", forward, 0, 0), 1);
  EXPECT_EQ(axis_of("f32[32,8]", "f32[8,16]", forward, 0, 1), summed_rows);
  EXPECT_EQ(axis_of("f32[32,8]", "f32[8,16]", forward, 1, 1), 0);
}

// As the compiler has a product for each of 16 rows of four heads.
TEST(AxesKept, of_a_convolution_in_the_place_of_products_are_their_batch_too) {
  const char* const scores =
      "f32[16,4,64,64] convolution(%a, %b), window={size=16x4 stride=15x3 lhs_dilate=16x4}, "
      "dim_labels=01bf_01io->01bf";
  EXPECT_EQ(axis_of("f32[16,4,64,32]", "f32[16,4,32,64]", scores, 0, 0), 0);
  EXPECT_EQ(axis_of("f32[16,4,64,32]", "f32[16,4,32,64]", scores, 1, 1), 1);
  EXPECT_EQ(axis_of("f32[16,4,64,32]", "f32[16,4,32,64]", scores, 0, 2), 2);
}

TEST(AxesKept, are_moved) {
  EXPECT_EQ(axis_of("f32[4,32]", "f32[]", "f32[32,4] transpose(%a), dimensions={1,0}", 0, 1), 0);
  EXPECT_EQ(axis_of("f32[4,32]", "f32[]", "f32[8,4,32] broadcast(%a), dimensions={1,2}", 0, 1), 2);
  EXPECT_EQ(axis_of("f32[4,32]", "f32[]", "f32[32] reduce(%a, %b), dimensions={0}", 0, 1), 0);
  EXPECT_EQ(axis_of("f32[4,32]", "f32[]", "f32[4] reduce(%a, %b), dimensions={1}", 0, 1),
            summed_rows);
  EXPECT_EQ(axis_of("f32[1,32,8]", "f32[]", "f32[32,8] bitcast(%a)", 0, 1), 0);
  EXPECT_EQ(axis_of("f32[4,32,8]", "f32[]", "f32[8,4,32] bitcast(%a)", 0, 1), 2);  // by its layout
  EXPECT_EQ(axis_of("f32[2,32,8]", "f32[]", "f32[64,8] reshape(%a)", 0, 0), 0);
}

TEST(AxesKept, of_what_lies_in_a_larger_array_are_its_own) {
  EXPECT_EQ(
      axis_of("f32[32,8]", "f32[32,8]", "f32[32,16] concatenate(%a, %b), dimensions={1}", 0, 0), 0);
  EXPECT_EQ(
      axis_of("f32[32,8]", "f32[32,8]", "f32[64,8] concatenate(%a, %b), dimensions={0}", 0, 0),
      laid_apart);
}

}  // namespace
}  // namespace tpulab::hlo::axes_kept_test
