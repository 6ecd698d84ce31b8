// Imported steps that are computed, held to the losses that JAX 0.10.2 found for them
// (bench/import_losses.py).
#include "engine/formats/stablehlo/executed_step.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/workers.h"

namespace tpulab {
namespace {

std::string path_of(const std::string& name) {
  return TPULAB_SOURCE_DIR "/tests/engine/formats/stablehlo/executed/" + name;
}

Safetensors values_of(const std::string& name) {
  return parse_safetensors(read_file(path_of(name + ".safetensors")), name);
}

// The largest of 20 steps.
double relative_error(const std::string& name, WorkerPool* workers) {
  const Safetensors values = values_of(name);
  const auto known = std::ranges::find(values.arrays, "losses", &NamedArray::name);
  ExecutedStep step(read_file(path_of(name + ".mlir")), name + ".mlir", values, workers);
  double largest = 0;
  for (std::int64_t i = 0; i < known->values.elements(); ++i) {
    const auto loss = static_cast<double>(known->values[i]);
    largest = std::max(largest, std::abs(static_cast<double>(step.advance()) - loss) / loss);
  }
  EXPECT_EQ(known->values.elements(), 20);
  return largest;
}

std::string refusal_of(const std::string& text, const Safetensors& values) {
  try {
    ExecutedStep step(text, "f.mlir", values, nullptr);
    step.advance();
  } catch (const Error& error) {
    return error.what();
  }
  return "computed";
}

constexpr const char* negated =
    "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
    "  %0 = stablehlo.negate %a : tensor<2xf32>\n"
    "  return %0 : tensor<2xf32>\n}\n";

TEST(ExecutedStep, a_perceptron_with_adam_has_the_losses_of_jax) {
  EXPECT_LT(relative_error("mlp", nullptr), 1e-4);
}

TEST(ExecutedStep, convolutions_groups_and_pools_have_the_losses_of_jax) {
  EXPECT_LT(relative_error("cnn", nullptr), 1e-4);
}

TEST(ExecutedStep, a_scan_over_decoder_layers_has_the_losses_of_jax_on_any_workers) {
  EXPECT_LT(relative_error("decoder", nullptr), 1e-4);
  WorkerPool workers(2);
  EXPECT_LT(relative_error("decoder", &workers), 1e-4);
}

TEST(ExecutedStep, loops_in_loops_and_branches_have_the_losses_of_jax) {
  EXPECT_LT(relative_error("recurrent", nullptr), 1e-4);
}

TEST(ExecutedStep, what_cannot_be_computed_is_said_with_its_place) {
  const Safetensors two{.arrays = {{"arg0", Array({2}, {1, 2})}}};
  EXPECT_EQ(refusal_of(negated, two), "f.mlir: none of its results is a loss");
  EXPECT_EQ(refusal_of(negated, {}), "f.mlir: arg0 of tensor<2xf32> has no numbers");
  const Safetensors three{.arrays = {{"arg0", Array({3}, {1, 2, 3})}}};
  EXPECT_EQ(refusal_of(negated, three), "f.mlir: arg0 is tensor<2xf32>; its numbers are f32[3]");
  const std::string bits =
      "func.func @main(%a: tensor<2xf32>) -> tensor<2xi32> {\n"
      "  %0 = stablehlo.bitcast_convert %a : (tensor<2xf32>) -> tensor<2xi32>\n"
      "  return %0 : tensor<2xi32>\n}\n";
  EXPECT_EQ(refusal_of(bits, two),
            "f.mlir line 2: stablehlo.bitcast_convert: bitcast_convert is priced, without "
            "numbers; choose numbers off");
}

}  // namespace
}  // namespace tpulab
