// Which arguments that come back are weights.
#include "engine/formats/stablehlo/argument_roles.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/formats/stablehlo/graph_builder.h"
#include "engine/formats/stablehlo/parser.h"

namespace tpulab::argument_roles_test {
namespace {

std::int64_t parameters_of(std::string text) {
  const stablehlo::Module module = stablehlo::parse(std::move(text), "f.mlir", 0);
  const stablehlo::ArgumentRoles roles = stablehlo::roles_of(module, stablehlo::entry_of(module));
  EXPECT_TRUE(roles.step.trains);
  return roles.parameters;
}

// Two layers and a momentum of each.
TEST(ArgumentRoles, of_weights_are_told_from_momenta_without_a_loss) {
  EXPECT_EQ(parameters_of(R"(
func.func @main(%a: tensor<8x16xf32> {tf.aliasing_output = 0 : i32},
    %b: tensor<16x4xf32> {tf.aliasing_output = 1 : i32},
    %ma: tensor<8x16xf32> {tf.aliasing_output = 2 : i32},
    %mb: tensor<16x4xf32> {tf.aliasing_output = 3 : i32}, %x: tensor<2x8xf32>) ->
    (tensor<8x16xf32>, tensor<16x4xf32>, tensor<8x16xf32>, tensor<16x4xf32>) {
  %0 = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : (tensor<2x8xf32>,
      tensor<8x16xf32>) -> tensor<2x16xf32>
  %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : (tensor<2x16xf32>,
      tensor<16x4xf32>) -> tensor<2x4xf32>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [0] x [0] : (tensor<2x16xf32>,
      tensor<2x4xf32>) -> tensor<16x4xf32>
  %3 = stablehlo.dot_general %1, %b, contracting_dims = [1] x [1] : (tensor<2x4xf32>,
      tensor<16x4xf32>) -> tensor<2x16xf32>
  %4 = stablehlo.dot_general %x, %3, contracting_dims = [0] x [0] : (tensor<2x8xf32>,
      tensor<2x16xf32>) -> tensor<8x16xf32>
  %5 = stablehlo.add %ma, %4 : tensor<8x16xf32>
  %6 = stablehlo.add %mb, %2 : tensor<16x4xf32>
  %7 = stablehlo.subtract %a, %5 : tensor<8x16xf32>
  %8 = stablehlo.subtract %b, %6 : tensor<16x4xf32>
  return %7, %8, %5, %6 : tensor<8x16xf32>, tensor<16x4xf32>, tensor<8x16xf32>, tensor<16x4xf32>
}
)"),
            8 * 16 + 16 * 4);
}

// %s comes back as `turn` makes it of %c, four times.
std::string recurrent_step(std::string_view turn) {
  return fmt::format(R"(
func.func @main(%w: tensor<16x16xf32>, %s: tensor<2x16xf32>, %x: tensor<2x16xf32>) ->
    (tensor<16x16xf32>, tensor<2x16xf32>, tensor<f32>) {{
  %first = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.while(%b = %first, %c = %s, %v = %w) : tensor<i32>, tensor<2x16xf32>,
      tensor<16x16xf32>
  cond {{
    %n = stablehlo.constant dense<4> : tensor<i32>
    %1 = stablehlo.compare LT, %b, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }} do {{
    %r = stablehlo.dot_general %c, %v, contracting_dims = [1] x [0] : (tensor<2x16xf32>,
        tensor<16x16xf32>) -> tensor<2x16xf32>
    %t = {}
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %b, %one : tensor<i32>
    stablehlo.return %1, %t, %v : tensor<i32>, tensor<2x16xf32>, tensor<16x16xf32>
  }}
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %p = stablehlo.multiply %0#1, %x : tensor<2x16xf32>
  %loss = stablehlo.reduce(%p init: %zero) applies stablehlo.add across dimensions = [0, 1] :
      (tensor<2x16xf32>, tensor<f32>) -> tensor<f32>
  %g = stablehlo.dot_general %x, %0#1, contracting_dims = [0] x [0] : (tensor<2x16xf32>,
      tensor<2x16xf32>) -> tensor<16x16xf32>
  %u = stablehlo.subtract %w, %g : tensor<16x16xf32>
  return %u, %0#1, %loss : tensor<16x16xf32>, tensor<2x16xf32>, tensor<f32>
}}
)",
                     turn);
}

TEST(ArgumentRoles, of_a_state_that_goes_along_time_are_none_of_weights) {
  for (const std::string_view turn :
       {"stablehlo.tanh %r : tensor<2x16xf32>", "stablehlo.add %c, %r : tensor<2x16xf32>"}) {
    EXPECT_EQ(parameters_of(recurrent_step(turn)), 16 * 16) << turn;
  }
}

}  // namespace
}  // namespace tpulab::argument_roles_test
