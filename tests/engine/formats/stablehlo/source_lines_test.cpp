#include "engine/formats/stablehlo/source_lines.h"

#include <gtest/gtest.h>

#include "engine/formats/stablehlo/parser.h"
#include "engine/formats/stablehlo/stablehlo_step.h"

namespace tpulab::stablehlo::source_lines_test {
namespace {

// One operation at this place, and what follows the module.
std::string line_of(const std::string& location, const std::string& aliases = "") {
  const Module module = parse(
      "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
      "  %0 = stablehlo.add %a, %a : tensor<4xf32> loc(" +
          location + ")\n  return %0 : tensor<4xf32>\n}\n" + aliases,
      "f.mlir");
  SourceLines lines(module);
  return lines.of(module.functions.at(0).body.operations.at(0));
}

TEST(SourceLines, are_read_where_they_stand) {
  EXPECT_EQ(line_of(R"("src/train.py":42:8)"), "train.py:42");
  EXPECT_EQ(line_of(R"("train.py":42:8 to :20)"), "train.py:42");
  EXPECT_EQ(line_of(R"("jit(step)/dot_general"("model.py":7:1))"), "model.py:7");
}

TEST(SourceLines, are_followed_through_names_for_places) {
  const std::string aliases =
      "#loc = loc(unknown)\n#loc1 = loc(\"layers.py\":3:4)\n#loc2 = loc(\"train.py\":9:4)\n"
      "#loc3 = loc(callsite(#loc1 at #loc2))\n#loc4 = loc(\"jit(step)/mul\"(#loc3))\n"
      "#loc5 = loc(fused[#loc, #loc2])\n";
  EXPECT_EQ(line_of("#loc2", aliases), "train.py:9");
  EXPECT_EQ(line_of("#loc4", aliases), "layers.py:3");  // the innermost
  EXPECT_EQ(line_of("#loc5", aliases), "train.py:9");
}

TEST(SourceLines, are_empty_where_the_text_does_not_tell) {
  EXPECT_EQ(line_of("unknown"), "");
  EXPECT_EQ(line_of("#loc9"), "");
  EXPECT_EQ(line_of(R"("params['w1']")"), "");
  EXPECT_EQ(line_of("#loc1", "#loc1 = loc(\"a\"(#loc2))\n#loc2 = loc(\"b\"(#loc1))\n"), "");
}

TEST(SourceLines, name_the_kernels_of_a_step) {
  const ImportedStep step = import_stablehlo(
      "func.func @main(%a: tensor<64x128xf32>, %b: tensor<128x32xf32>) -> tensor<64x32xf32> {\n"
      "  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<64x128xf32>, "
      "tensor<128x32xf32>) -> tensor<64x32xf32> loc(#loc1)\n"
      "  %1 = stablehlo.tanh %0 : tensor<64x32xf32> loc(\"train.py\":12:4)\n"
      "  return %1 : tensor<64x32xf32>\n}\n#loc1 = loc(\"train.py\":11:4)\n",
      "f.mlir");
  ASSERT_EQ(step.work.blocks.size(), 1u);
  ASSERT_EQ(step.work.blocks[0].forward.size(), 1u);
  EXPECT_TRUE(step.work.blocks[0].forward[0].name.ends_with(" train.py:12"))
      << step.work.blocks[0].forward[0].name;
}

}  // namespace
}  // namespace tpulab::stablehlo::source_lines_test
