#include "engine/formats/stablehlo/turn_reads.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "engine/formats/stablehlo/parser.h"
#include "engine/formats/stablehlo/stablehlo_step.h"

namespace tpulab::turn_reads_test {
namespace {

// Frozen weights of four layers that a loop goes through, an adapter of 64 x 64 behind them.
std::string step_of(int rows) {
  return fmt::format(R"(
func.func @main(%w: tensor<64x64xf32>, %f: tensor<4x64x64xf32>, %x: tensor<{0}x64xf32>) ->
    (tensor<64x64xf32>, tensor<f32>) {{
  %first = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.while(%a = %f, %b = %first, %c = %x) : tensor<4x64x64xf32>, tensor<i32>,
      tensor<{0}x64xf32>
  cond {{
    %n = stablehlo.constant dense<4> : tensor<i32>
    %1 = stablehlo.compare LT, %b, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }} do {{
    %none = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_slice %a, %b, %none, %none, sizes = [1, 64, 64] :
        (tensor<4x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    %3 = stablehlo.dot_general %c, %2, contracting_dims = [1] x [0] : (tensor<{0}x64xf32>,
        tensor<64x64xf32>) -> tensor<{0}x64xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %4 = stablehlo.add %b, %one : tensor<i32>
    stablehlo.return %a, %4, %3 : tensor<4x64x64xf32>, tensor<i32>, tensor<{0}x64xf32>
  }}
  %5 = stablehlo.dot_general %x, %0#2, contracting_dims = [0] x [0] : (tensor<{0}x64xf32>,
      tensor<{0}x64xf32>) -> tensor<64x64xf32>
  %6 = stablehlo.subtract %w, %5 : tensor<64x64xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %7 = stablehlo.reduce(%0#2 init: %zero) applies stablehlo.add across dimensions = [0, 1] :
      (tensor<{0}x64xf32>, tensor<f32>) -> tensor<f32>
  return %6, %7 : tensor<64x64xf32>, tensor<f32>
}}
)",
                     rows);
}

TEST(TurnReads, of_frozen_layers_make_them_no_batch) {
  for (const int rows : {4, 32}) {
    const ImportedStep step = import_stablehlo(step_of(rows), "f.mlir");
    EXPECT_TRUE(step.trains);
    EXPECT_EQ(step.rows, rows);
    EXPECT_EQ(step.work.batch.value, rows * 64 * 4);
    EXPECT_EQ(step.steps, 1);
  }
}

TEST(TurnReads, are_seen_behind_any_number_of_other_names) {
  std::string text =
      "func.func @main(%0: tensor<4x64xf32>, %x: tensor<4x64xf32>, %i: tensor<i32>)"
      " -> tensor<i32> {\n";
  constexpr int names = 100'000;
  for (int i = 0; i < names; ++i) {
    text += fmt::format("  %{} = stablehlo.convert %{} : tensor<4x64xf32>\n", i + 1, i);
  }
  text += fmt::format(R"(
  %r = stablehlo.while(%a = %i) : tensor<i32>
  cond {{
    %1 = stablehlo.compare LT, %a, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }} do {{
    %1 = stablehlo.dynamic_slice %{}, %a, %i, sizes = [1, 64] : (tensor<4x64xf32>, tensor<i32>,
        tensor<i32>) -> tensor<1x64xf32>
    stablehlo.return %a : tensor<i32>
  }}
  return %r : tensor<i32>
}})",
                      names);
  const stablehlo::Module module = stablehlo::parse(std::move(text), "f.mlir", 0);
  EXPECT_EQ(stablehlo::read_by_turns(module, module.functions.front()),
            (std::vector<bool>{true, false, false}));
}

}  // namespace
}  // namespace tpulab::turn_reads_test
