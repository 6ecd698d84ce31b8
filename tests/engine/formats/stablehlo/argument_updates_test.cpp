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

}  // namespace
}  // namespace tpulab::argument_updates_test
