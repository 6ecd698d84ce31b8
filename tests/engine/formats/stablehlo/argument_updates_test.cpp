#include "engine/formats/stablehlo/argument_updates.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/formats/stablehlo/parser.h"
#include "engine/formats/stablehlo/stablehlo_step.h"

namespace tpulab::argument_updates_test {
namespace {

ImportedStep imported(const std::string& arguments, const std::string& results,
                      const std::string& body) {
  return import_stablehlo(
      fmt::format("func.func @main({}) -> ({}) {{\n{}\n}}\n", arguments, results, body), "f.mlir");
}

const std::string summed = R"(
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %number = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1] :
      (tensor<1x64xf32>, tensor<f32>) -> tensor<f32>)";

// One row is decoded: its keys are written into the cache, its log-probability is a number.
const std::string decoded =
    "%w: tensor<64x64xf32>, %k: tensor<32x64xf32> {tf.aliasing_output = 0 "
    ": i32}, %x: tensor<1x64xf32>, %i: tensor<i32>";

TEST(ArgumentUpdates, of_a_cache_are_none_though_a_number_comes_out) {
  const ImportedStep step = imported(decoded, "tensor<32x64xf32>, tensor<f32>",
                                     R"(
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<1x64xf32>,
      tensor<64x64xf32>) -> tensor<1x64xf32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.dynamic_update_slice %k, %y, %i, %none : (tensor<32x64xf32>, tensor<1x64xf32>,
      tensor<i32>, tensor<i32>) -> tensor<32x64xf32>)" +
                                         summed +
                                         R"(
  return %1, %number : tensor<32x64xf32>, tensor<f32>)");
  EXPECT_FALSE(step.trains);
  EXPECT_EQ(step.work.batch.value, 0);
  EXPECT_EQ(step.work.parameters(), 0);
}

TEST(ArgumentUpdates, of_a_weight_are_arithmetic_with_it) {
  const ImportedStep step = imported(decoded, "tensor<32x64xf32>, tensor<f32>", R"(
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<1x64xf32>,
      tensor<64x64xf32>) -> tensor<1x64xf32>
  %0 = stablehlo.broadcast_in_dim %y, dims = [0, 1] : (tensor<1x64xf32>) -> tensor<32x64xf32>
  %1 = stablehlo.subtract %k, %0 : tensor<32x64xf32>)" + summed + R"(
  return %1, %number : tensor<32x64xf32>, tensor<f32>)");
  EXPECT_TRUE(step.trains);
}

// Ten batches below each other, a loss for each.
const std::string ten_steps = R"(
  %losses = stablehlo.constant dense<0.0> : tensor<10xf32>
  %first = stablehlo.constant dense<0> : tensor<i32>
  %0:4 = stablehlo.while(%a = %xs, %b = %first, %c = %w, %d = %losses) :
      tensor<10x8x64xf32>, tensor<i32>, tensor<64x64xf32>, tensor<10xf32>
  cond {
    %n = stablehlo.constant dense<10> : tensor<i32>
    %1 = stablehlo.compare LT, %b, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %none = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_slice %a, %b, %none, %none, sizes = [1, 8, 64] :
        (tensor<10x8x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x64xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x8x64xf32>) -> tensor<8x64xf32>
    %3 = stablehlo.dot_general %2, %c, contracting_dims = [1] x [0] : (tensor<8x64xf32>,
        tensor<64x64xf32>) -> tensor<8x64xf32>
    %4 = stablehlo.dot_general %2, %3, contracting_dims = [0] x [0] : (tensor<8x64xf32>,
        tensor<8x64xf32>) -> tensor<64x64xf32>
    %5 = stablehlo.subtract %c, %4 : tensor<64x64xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %6 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0, 1] :
        (tensor<8x64xf32>, tensor<f32>) -> tensor<f32>
    %7 = stablehlo.reshape %6 : (tensor<f32>) -> tensor<1xf32>
    %8 = stablehlo.dynamic_update_slice %d, %7, %b : (tensor<10xf32>, tensor<1xf32>, tensor<i32>)
        -> tensor<10xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %9 = stablehlo.add %b, %one : tensor<i32>
    stablehlo.return %a, %9, %5, %8 : tensor<10x8x64xf32>, tensor<i32>, tensor<64x64xf32>,
        tensor<10xf32>
  }
  return %0#2, %0#3 : tensor<64x64xf32>, tensor<10xf32>)";

TEST(ArgumentUpdates, in_each_turn_of_a_loop_are_a_step_each) {
  const ImportedStep step = imported("%w: tensor<64x64xf32>, %xs: tensor<10x8x64xf32>",
                                     "tensor<64x64xf32>, tensor<10xf32>", ten_steps);
  EXPECT_TRUE(step.trains);
  EXPECT_EQ(step.steps, 10);
  EXPECT_EQ(step.rows, 80);
  EXPECT_EQ(step.work.batch.value, 10 * 8 * 64 * 4);
  ASSERT_FALSE(step.notes.empty());
  EXPECT_EQ(step.notes.front(), "10 steps in one program, of 8 rows each");
}

// Two steps that are written out, their losses joined.
TEST(ArgumentUpdates, that_are_written_out_are_as_many_steps_as_there_are_losses) {
  const auto one = [](int number, const std::string& weight) {
    return fmt::format(R"(
  %x{0} = stablehlo.slice %xs [{0}:{1}, 0:8, 0:64] : (tensor<2x8x64xf32>) -> tensor<1x8x64xf32>
  %b{0} = stablehlo.reshape %x{0} : (tensor<1x8x64xf32>) -> tensor<8x64xf32>
  %y{0} = stablehlo.dot_general %b{0}, {2}, contracting_dims = [1] x [0] : (tensor<8x64xf32>,
      tensor<64x64xf32>) -> tensor<8x64xf32>
  %g{0} = stablehlo.dot_general %b{0}, %y{0}, contracting_dims = [0] x [0] : (tensor<8x64xf32>,
      tensor<8x64xf32>) -> tensor<64x64xf32>
  %w{0} = stablehlo.subtract {2}, %g{0} : tensor<64x64xf32>
  %z{0} = stablehlo.constant dense<0.0> : tensor<f32>
  %s{0} = stablehlo.reduce(%y{0} init: %z{0}) applies stablehlo.add across dimensions = [0, 1] :
      (tensor<8x64xf32>, tensor<f32>) -> tensor<f32>
  %l{0} = stablehlo.reshape %s{0} : (tensor<f32>) -> tensor<1xf32>)",
                       number, number + 1, weight);
  };
  const ImportedStep step =
      imported("%w: tensor<64x64xf32>, %xs: tensor<2x8x64xf32>", "tensor<64x64xf32>, tensor<2xf32>",
               one(0, "%w") + one(1, "%w0") + R"(
  %all = stablehlo.concatenate %l0, %l1, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
  return %w1, %all : tensor<64x64xf32>, tensor<2xf32>)");
  EXPECT_TRUE(step.trains);
  EXPECT_EQ(step.steps, 2);
  EXPECT_EQ(step.rows, 16);
}

// A number for each row is no loss for each of several steps.
TEST(ArgumentUpdates, are_one_where_each_row_has_a_number) {
  const ImportedStep step =
      imported("%w: tensor<64x64xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<8x64xf32>",
               "tensor<64x64xf32>, tensor<8xf32>", R"(
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x64xf32>,
      tensor<64x64xf32>) -> tensor<8x64xf32>
  %g = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<8x64xf32>,
      tensor<8x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.subtract %w, %g : tensor<64x64xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [1] :
      (tensor<8x64xf32>, tensor<f32>) -> tensor<8xf32>
  return %1, %2 : tensor<64x64xf32>, tensor<8xf32>)");
  EXPECT_EQ(step.steps, 1);
}

}  // namespace
}  // namespace tpulab::argument_updates_test
