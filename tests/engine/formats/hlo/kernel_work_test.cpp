// What a kernel of a compiled text does.
#include "engine/formats/hlo/kernel_work.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/formats/hlo/compiled_step.h"

namespace tpulab::kernel_work_test {
namespace {

VectorWork of_function(const char* opcode, int operands) {
  const ImportedStep step = import_hlo(
      fmt::format(
          "HloModule m, is_scheduled=true\n\n"
          "%fused (a: f32[1024,1024], b: f32[1024,1024]) -> f32[1024,1024] {{\n"
          "  %a = f32[1024,1024]{{1,0}} parameter(0)\n"
          "  %b = f32[1024,1024]{{1,0}} parameter(1)\n"
          "  ROOT %c = f32[1024,1024]{{1,0}} {}(%a{})\n}}\n\n"
          "ENTRY %main (p: f32[1024,1024], q: f32[1024,1024]) -> f32[1024,1024] {{\n"
          "  %p = f32[1024,1024]{{1,0}} parameter(0)\n"
          "  %q = f32[1024,1024]{{1,0}} parameter(1)\n"
          "  ROOT %f = f32[1024,1024]{{1,0}} fusion(%p, %q), kind=kLoop, calls=%fused\n}}\n",
          opcode, operands > 1 ? ", %b" : ""),
      "m.hlo");
  for (const Block& block : step.work.blocks) {
    for (const NamedKernel& kernel : block.forward) {
      for (const tpulab::Work& item : kernel.work->items) {
        if (const auto* work = std::get_if<VectorWork>(&item)) return *work;
      }
    }
  }
  return {};
}

// As in StableHLO: sinh is two exponentials, asin a root and an arc tangent.
TEST(HloKernelWork, of_a_function_is_what_it_is_in_stablehlo) {
  EXPECT_EQ(of_function("sinh", 1).transcendental, 2);
  EXPECT_EQ(of_function("asin", 1).medium, 2);
  EXPECT_EQ(of_function("atan2", 2).transcendental, 1);
  EXPECT_EQ(of_function("round-nearest-even", 1).cheap, 1);
  EXPECT_EQ(of_function("power", 2).transcendental, 2);
  EXPECT_EQ(of_function("divide", 2).medium, 1);
}

TEST(HloKernelWork, of_another_name_for_the_same_bits_is_none) {
  EXPECT_EQ(of_function("bitcast-convert", 1).cheap, 0);
}

// A mask of 8 layers, each written by a turn of a loop: XLA tiles it anew where it lies, within.
TEST(HloKernelWork, of_a_part_of_what_lies_in_other_tiles_is_that_part) {
  const ImportedStep step = import_hlo(
      R"(HloModule m, is_scheduled=true

%tiles (all: pred[8,1024,128]) -> pred[8,1024,128] {
  %all = pred[8,1024,128]{2,1,0:T(32,128)(4,1)} parameter(0)
  ROOT %c = pred[8,1024,128]{2,1,0:T(8,128)(4,1)} copy(%all)
}

%fused (k: pred[8,1024,128], x: pred[1,1024,128], i: s32[]) -> pred[8,1024,128] {
  %k = pred[8,1024,128]{2,1,0:T(32,128)(4,1)} parameter(0)
  %t = pred[8,1024,128]{2,1,0} fusion(%k), output_to_operand_aliasing={{}: (0, {})}, calls=%tiles
  %x = pred[1,1024,128]{2,1,0:T(8,128)(4,1)} parameter(1)
  %i = s32[] parameter(2)
  ROOT %u = pred[8,1024,128]{2,1,0:T(32,128)(4,1)} dynamic-update-slice(%t, %x, %i, %i, %i)
}

ENTRY %main (p: pred[8,1024,128], q: pred[1,1024,128], j: s32[]) -> pred[8,1024,128] {
  %p = pred[8,1024,128]{2,1,0:T(32,128)(4,1)} parameter(0)
  %q = pred[1,1024,128]{2,1,0:T(8,128)(4,1)} parameter(1)
  %j = s32[] parameter(2)
  ROOT %f = pred[8,1024,128]{2,1,0:T(32,128)(4,1)} fusion(%p, %q, %j), kind=kLoop, calls=%fused
}
)",
      "m.hlo");
  ASSERT_EQ(step.work.blocks.size(), 1u);
  const KernelWork& work = *step.work.blocks[0].forward.at(0).work;
  std::int64_t most = 0;
  for (const auto* operands : {&work.reads, &work.writes}) {
    for (const Operand& one : *operands) most = std::max(most, one.shape.elements());
  }
  EXPECT_EQ(most, 1024 * 128);
}

}  // namespace
}  // namespace tpulab::kernel_work_test
