#include "engine/formats/sorting.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <string>

#include "engine/formats/hlo/compiled_step.h"
#include "engine/formats/stablehlo/stablehlo_step.h"

namespace tpulab::sorting_test {
namespace {

int operations(const ImportedStep& step) {
  int sum = 0;
  for (const NamedKernel& kernel : step.work.blocks.at(0).forward) {
    for (const Work& item : kernel.work->items) {
      if (const auto* const work = std::get_if<VectorWork>(&item)) sum += work->cheap;
    }
  }
  return sum;
}

// By counting: each of the rounds merges, with one exchange for each power of two below it.
TEST(Sorting, takes_as_many_exchanges_as_a_bitonic_network_has) {
  for (const std::int64_t length : {1, 2, 8, 1024, 1 << 20}) {
    int exchanges = 0;
    for (std::int64_t merged = 2; merged <= length; merged *= 2) {
      for (std::int64_t apart = merged / 2; apart > 0; apart /= 2) ++exchanges;
    }
    EXPECT_EQ(sorting_operations(length), 4 * exchanges) << length;
  }
  EXPECT_EQ(sorting_operations(1000), sorting_operations(1024));
}

TEST(Sorting, a_few_of_the_largest_take_less_than_all_in_order) {
  EXPECT_LT(finding_operations(8192, 8), sorting_operations(8192) / 4);
  EXPECT_LT(finding_operations(8192, 1), finding_operations(8192, 64));
  EXPECT_EQ(finding_operations(8192, 8192), sorting_operations(8192));
}

TEST(Sorting, of_programs_goes_by_the_axis_that_is_sorted) {
  const auto sorted = [](const char* along) {
    return operations(import_stablehlo(
        fmt::format("func.func @main(%x: tensor<256x4096xf32>) -> tensor<256x4096xf32> {{\n"
                    "  %0 = \"stablehlo.sort\"(%x) <{{{}is_stable = true}}> ({{\n"
                    "  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
                    "    %1 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> "
                    "tensor<i1>\n"
                    "    stablehlo.return %1 : tensor<i1>\n"
                    "  }}) : (tensor<256x4096xf32>) -> tensor<256x4096xf32>\n"
                    "  return %0 : tensor<256x4096xf32>\n}}\n",
                    along),
        "f.mlir"));
  };
  EXPECT_EQ(sorted("dimension = 0 : i64, "), sorting_operations(256));
  EXPECT_EQ(sorted("dimension = 1 : i64, "), sorting_operations(4096));
  EXPECT_EQ(sorted("dimension = -1 : i64, "), sorting_operations(4096));
  EXPECT_EQ(sorted(""), sorting_operations(4096));
  const ImportedStep compiled = import_hlo(
      "HloModule m, is_scheduled=true\n\n"
      "%less (a: f32[], b: f32[], c: s32[], d: s32[]) -> pred[] {\n  %a = f32[] parameter(0)\n"
      "  %b = f32[] parameter(1)\n  %c = s32[] parameter(2)\n  %d = s32[] parameter(3)\n"
      "  ROOT %l = pred[] compare(%a, %b), direction=LT\n}\n\n"
      "ENTRY %main (x: f32[256,4096], i: s32[256,4096]) -> (f32[256,4096], s32[256,4096]) {\n"
      "  %x = f32[256,4096]{1,0:T(8,128)} parameter(0)\n"
      "  %i = s32[256,4096]{1,0:T(8,128)} parameter(1)\n"
      "  ROOT %s = (f32[256,4096]{1,0:T(8,128)}, s32[256,4096]{1,0:T(8,128)}) sort(%x, %i), "
      "dimensions={0}, is_stable=true, to_apply=%less\n}\n",
      "m.txt");
  EXPECT_EQ(operations(compiled), 2 * sorting_operations(256));
}

}  // namespace
}  // namespace tpulab::sorting_test
