// Dots whose text contradicts itself.
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/formats/hlo/compiled_step.h"
#include "engine/formats/hlo/kernel_work.h"
#include "engine/formats/hlo/parser.h"

namespace tpulab::products_test {
namespace {

std::string refusal_of_dot(const std::string& result, const std::string& attributes) {
  try {
    import_hlo(
        "HloModule m, is_scheduled=true\n\nENTRY %main (p: f32[8,4], q: f32[4,7]) -> f32[8,7] {\n"
        "  %p = f32[8,4]{1,0} parameter(0)\n  %q = f32[4,7]{1,0} parameter(1)\n"
        "  ROOT %d = " +
            result + " dot(%p, %q), " + attributes + "\n}\n",
        "m.txt");
  } catch (const Error& error) {
    return error.what();
  }
  return "read";
}

TEST(HloProducts, refuses_a_dot_whose_axes_or_sizes_contradict_each_other) {
  EXPECT_EQ(refusal_of_dot("f32[8,7]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
            "read");
  for (const std::string axes : {"lhs_contracting_dims={5}, rhs_contracting_dims={0}",
                                 "lhs_contracting_dims={1}, rhs_contracting_dims={0,1}",
                                 "lhs_contracting_dims={0}, rhs_contracting_dims={0}",
                                 "lhs_contracting_dims={1,1}, rhs_contracting_dims={0,0}"}) {
    const std::string said = refusal_of_dot("f32[8,7]", axes);
    EXPECT_TRUE(said.starts_with("m.txt:6: d: [8,4] over [")) << said;
    EXPECT_NE(said.find("are pairs of one extent"), std::string::npos) << said;
  }
  EXPECT_EQ(refusal_of_dot("f32[1024,7]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
            "m.txt:6: d: its operands make [8,7], and it is [1024,7]");
}

// The compiler estimates no cycles of them where they stand alone.
TEST(HloProducts, windows_turned_arrays_and_parts_that_stand_alone_are_launched) {
  const ImportedStep step = import_hlo(
      "HloModule m, is_scheduled=true\n\n"
      "%sum (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] parameter(0)\n  %b = f32[] "
      "parameter(1)\n  ROOT %c = f32[] add(%a, %b)\n}\n\n"
      "ENTRY %main (p: f32[1024,1024]) -> f32[512,1024] {\n"
      "  %p = f32[1024,1024]{1,0} parameter(0)\n  %z = f32[] constant(0)\n"
      "  %w = f32[1024,1024]{1,0} reduce-window(%p, %z), window={size=3x3 pad=1_1x1_1}, "
      "to_apply=%sum\n"
      "  %r = f32[1024,1024]{1,0} reverse(%w), dimensions={0}\n"
      "  ROOT %s = f32[512,1024]{1,0} slice(%r), slice={[0:1024:2], [0:1024]}\n}\n",
      "m.txt");
  EXPECT_EQ(step.kernels, 3);
}

MatrixWork convolved(const std::string& left, const std::string& right, const std::string& out,
                     const std::string& how) {
  const hlo::Module module = hlo::parse(
      "HloModule m, is_scheduled=true\n\nENTRY %main (p: f32[], q: f32[]) -> f32[] {\n  %l = "
      "bf16[" +
          left + "} parameter(0)\n  %r = bf16[" + right + "} parameter(1)\n  ROOT %o = bf16[" +
          out + "} convolution(%l, %r), " + how + "\n}\n",
      "m.txt");
  const hlo::Computation& body = module.computations.at("main");
  return hlo::product_of(module, body, *body.root());
}

// An axis of 32 groups of 8 channels, and images in the lanes: each pixel of each group is a
// product over the images, in the filter's gradient a sum over them.
TEST(HloProducts, narrow_groups_multiply_the_images_of_each_pixel) {
  const std::string image = "64,28,28,32,8]{0,4,3,2,1";
  const MatrixWork forward =
      convolved(image, "3,3,8,32,8]{2,4,3,1,0", image,
                "window={size=3x3x32 stride=1x1x31 pad=1_1x1_1x0_0 lhs_dilate=1x1x32}, "
                "dim_labels=b012f_01i2o->b012f");
  EXPECT_EQ(forward.batch, 32 * 28 * 28);
  EXPECT_EQ(forward.m, 64);
  EXPECT_EQ(forward.k, 9 * 8);
  EXPECT_EQ(forward.n, 8);
  const MatrixWork to_filter =
      convolved(image, image, "3,3,8,32,8]{4,2,3,1,0",
                "window={size=28x28x32 stride=1x1x31 pad=1_1x1_1x0_0 lhs_dilate=1x1x32}, "
                "dim_labels=f012b_i012o->01b2f");
  EXPECT_EQ(to_filter.m, 9 * 8);
  EXPECT_EQ(to_filter.k, 64);
  EXPECT_EQ(to_filter.n, 8);
}

TEST(HloProducts, of_eight_bits_are_int8_or_have_fractions) {
  const auto product = [](const std::string& element) {
    const std::string array = element + "[64,64]{1,0}";
    const ImportedStep step = import_hlo(
        "HloModule m, is_scheduled=true\n\nENTRY %main (p: f32[8]) -> f32[8] {\n  %p = " + array +
            " parameter(0)\n  ROOT %d = f32[64,64]{1,0} dot(%p, %p), lhs_contracting_dims={1}, "
            "rhs_contracting_dims={0}\n}\n",
        "m.txt");
    const KernelWork& work = step.work.blocks.front().forward.front().work;
    return std::get<MatrixWork>(work.items.front());
  };
  EXPECT_TRUE(product("s8").quantised);
  EXPECT_FALSE(product("s8").fp8);
  EXPECT_TRUE(product("f8e4m3fn").fp8);
  EXPECT_FALSE(product("f8e4m3fn").quantised);
}

}  // namespace
}  // namespace tpulab::products_test
