#include "engine/formats/stablehlo/loss_arguments.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/base/file.h"
#include "engine/formats/stablehlo/parser.h"
#include "engine/formats/stablehlo/stablehlo_step.h"

namespace tpulab::loss_arguments_test {
namespace {

// 8x16 weights that the loss is made of, through a call and a loop; a momentum of their shape that
// only the update reads; a counter.
TEST(LossArguments, weights_are_what_comes_back_changed_and_makes_the_loss) {
  const ImportedStep step = import_stablehlo(
      read_file(TPULAB_SOURCE_DIR "/tests/engine/formats/stablehlo/momentum_step.mlir"), "f.mlir");
  EXPECT_EQ(step.work.parameters(), 8 * 16);
  EXPECT_EQ(step.state.value, 2 * 8 * 16 * 4 + 4);
  EXPECT_EQ(step.inputs, (std::vector<std::string>{"f32[8,16]", "f32[8,16]", "s32[]", "f32[4,8]"}));
}

// A turn's loss is made of the weights that it begins with; of the last one's, momentum as well.
TEST(LossArguments, weights_of_several_steps_are_those_of_a_turn) {
  const ImportedStep step = import_stablehlo(R"(
func.func @main(%w: tensor<8x8xf32>, %m: tensor<8x8xf32>, %x: tensor<4x8xf32>) ->
    (tensor<8x8xf32>, tensor<8x8xf32>, tensor<f32>) {
  %none = stablehlo.constant dense<0> : tensor<i32>
  %nothing = stablehlo.constant dense<0.0> : tensor<f32>
  %r:4 = stablehlo.while(%v = %w, %n = %m, %i = %none, %l = %nothing) : tensor<8x8xf32>,
      tensor<8x8xf32>, tensor<i32>, tensor<f32>
  cond {
    %c = stablehlo.constant dense<10> : tensor<i32>
    %0 = stablehlo.compare LT, %i, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %h = stablehlo.dot_general %x, %v, contracting_dims = [1] x [0] : (tensor<4x8xf32>,
        tensor<8x8xf32>) -> tensor<4x8xf32>
    %s = stablehlo.reduce(%h init: %nothing) applies stablehlo.add across dimensions = [0, 1] :
        (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
    %g = stablehlo.dot_general %x, %h, contracting_dims = [0] x [0] : (tensor<4x8xf32>,
        tensor<4x8xf32>) -> tensor<8x8xf32>
    %k = stablehlo.add %n, %g : tensor<8x8xf32>
    %u = stablehlo.subtract %v, %k : tensor<8x8xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %u, %k, %j, %s : tensor<8x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<f32>
  }
  return %r#0, %r#1, %r#3 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<f32>
})",
                                             "f.mlir");
  EXPECT_EQ(step.steps, 10);
  EXPECT_EQ(step.work.parameters(), 8 * 8);
  EXPECT_EQ(step.state.value, 2 * 8 * 8 * 4);
}

// Momentum goes through it too, and out of it, but not into the loss.
TEST(LossArguments, weights_inside_of_a_shard_map_are_what_its_loss_is_made_of) {
  const ImportedStep step = import_stablehlo(R"(
sdy.mesh @mesh = <["x"=4]>
func.func @main(%w: tensor<8x8xf32>, %m: tensor<8x8xf32>, %x: tensor<16x8xf32>) ->
    (tensor<8x8xf32>, tensor<8x8xf32>, tensor<f32>) {
  %r:3 = sdy.manual_computation(%w, %m, %x) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>,
      <@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, []>]
      manual_axes={"x"} (%v: tensor<8x8xf32>, %n: tensor<8x8xf32>, %b: tensor<4x8xf32>) {
    %nothing = stablehlo.constant dense<0.0> : tensor<f32>
    %h = stablehlo.dot_general %b, %v, contracting_dims = [1] x [0] : (tensor<4x8xf32>,
        tensor<8x8xf32>) -> tensor<4x8xf32>
    %s = stablehlo.reduce(%h init: %nothing) applies stablehlo.add across dimensions = [0, 1] :
        (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
    %g = stablehlo.dot_general %b, %h, contracting_dims = [0] x [0] : (tensor<4x8xf32>,
        tensor<4x8xf32>) -> tensor<8x8xf32>
    %k = stablehlo.add %n, %g : tensor<8x8xf32>
    %u = stablehlo.subtract %v, %k : tensor<8x8xf32>
    sdy.return %u, %k, %s : tensor<8x8xf32>, tensor<8x8xf32>, tensor<f32>
  } : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<16x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>,
      tensor<f32>)
  return %r#0, %r#1, %r#2 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<f32>
})",
                                             "f.mlir");
  EXPECT_EQ(step.work.parameters(), 8 * 8);
  EXPECT_EQ(step.state.value, 2 * 8 * 8 * 4);
}

// 2,000 numbers that come back: to follow each costs a look at all of them.
TEST(LossArguments, are_not_followed_from_very_many_results) {
  constexpr int numbers = 2000;
  std::string types = "tensor<f32>";
  std::string names = "%k";
  for (int i = 1; i < numbers; ++i) {
    types += ", tensor<f32>";
    names += ", %k";
  }
  const stablehlo::Module module = stablehlo::parse(
      fmt::format("func.func @main(%a: tensor<f32>) -> ({0}) {{\n"
                  "  %k = stablehlo.add %a, %a : tensor<f32>\n  return {1} : {0}\n}}",
                  types, names),
      "f.mlir", 0);
  stablehlo::LossArguments loss(module, module.functions.front());
  EXPECT_EQ(loss.behind(0), std::vector<bool>{true});
  int followed = 1;
  while (followed < numbers && !loss.behind(followed).empty()) ++followed;
  EXPECT_LT(followed, numbers);
}

}  // namespace
}  // namespace tpulab::loss_arguments_test
