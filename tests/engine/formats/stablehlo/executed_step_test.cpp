// Imported steps that are computed, held to the losses that JAX 0.10.2 found for them
// (bench/import_losses.py).
#include "engine/formats/stablehlo/executed_step.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/workers.h"

namespace tpulab::executed_step_test {
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
  EXPECT_EQ(why_not_executed(negated, "f.mlir"), "f.mlir: none of its results is a loss");
}

// One operation on %arg0 of `argument`, whose sum is the loss; what it begins with is 1 everywhere.
std::string of_one_operation(const std::string& argument, const std::string& operation,
                             const std::string& made, const std::string& axes) {
  return "func.func @main(%arg0: " + argument + " {tf.aliasing_output = 0 : i32}) -> (" + argument +
         ", tensor<f32>) {\n  " + operation +
         "\n  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
         "  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [" +
         axes + "] : (" + made + ", tensor<f32>) -> tensor<f32>\n  return %arg0, %1 : " + argument +
         ", tensor<f32>\n}\n";
}

TEST(ExecutedStep, names_what_has_no_numbers_before_it_begins) {
  const auto of = [](const std::string& operation) {
    return why_not_executed(of_one_operation("tensor<2xf32>", operation, "tensor<2xf32>", "0"),
                            "f.mlir");
  };
  EXPECT_EQ(of("%0 = stablehlo.negate %arg0 : tensor<2xf32>"), "");
  EXPECT_EQ(of("%0 = chlo.erf_inv %arg0 : tensor<2xf32> -> tensor<2xf32>"),
            "f.mlir line 2: chlo.erf_inv: erf_inv is priced, without numbers; choose numbers off");
  const Safetensors two{.arrays = {{"arg0", Array({2}, {1, 2})}}};
  const std::string summed = of_one_operation(
      "tensor<2xf32>", "%0 = stablehlo.negate %arg0 : tensor<2xf32>", "tensor<2xf32>", "0");
  EXPECT_EQ(refusal_of(summed, {}), "f.mlir: arg0 of tensor<2xf32> has no numbers");
  const Safetensors three{.arrays = {{"arg0", Array({3}, {1, 2, 3})}}};
  EXPECT_EQ(refusal_of(summed, three), "f.mlir: arg0 is tensor<2xf32>; its numbers are f32[3]");
  EXPECT_EQ(refusal_of(summed, two), "computed");
}

// The loss is the sum; the accuracy beside it is told by `%hit`.
std::string with_accuracy(const std::string& returned) {
  return "func.func @main(%arg0: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> "
         "(tensor<4xf32>, tensor<f32>, tensor<i32>) {\n"
         "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
         "  %1 = stablehlo.reduce(%arg0 init: %z) applies stablehlo.add across dimensions = [0] : "
         "(tensor<4xf32>, tensor<f32>) -> tensor<f32>\n"
         "  %n = stablehlo.negate %1 : tensor<f32>\n"
         "  %hit = call @argmax(%arg0) : (tensor<4xf32>) -> tensor<i32>\n"
         "  %scale = stablehlo.convert %hit : (tensor<i32>) -> tensor<f32>\n"
         "  %all = stablehlo.broadcast_in_dim %scale, dims = [] : (tensor<f32>) -> tensor<4xf32>\n"
         "  %next = stablehlo.multiply %arg0, %all : tensor<4xf32>\n"
         "  %twice = stablehlo.add %arg0, %arg0 : tensor<4xf32>\n"
         "  return " +
         returned +
         ", %1, %hit : tensor<4xf32>, tensor<f32>, tensor<i32>\n}\n"
         "func.func private @argmax(%a: tensor<4xf32>) -> tensor<i32> {\n"
         "  %i = stablehlo.iota dim = 0 : tensor<4xi32>\n"
         "  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>\n"
         "  %zero = stablehlo.constant dense<0> : tensor<i32>\n"
         "  %r:2 = stablehlo.reduce(%a init: %least), (%i init: %zero) across dimensions = [0] : "
         "(tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)\n"
         "   reducer(%x: tensor<f32>, %y: tensor<f32>) (%j: tensor<i32>, %k: tensor<i32>)  {\n"
         "    %g = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
         "    %v = stablehlo.select %g, %x, %y : tensor<i1>, tensor<f32>\n"
         "    %w = stablehlo.select %g, %j, %k : tensor<i1>, tensor<i32>\n"
         "    stablehlo.return %v, %w : tensor<f32>, tensor<i32>\n  }\n"
         "  return %r#1 : tensor<i32>\n}\n";
}

TEST(ExecutedStep, leaves_out_what_neither_the_loss_nor_the_next_step_needs) {
  const Safetensors four{.arrays = {{"arg0", Array(Shape{4}, {1, 2, 3, 4})}}};
  ExecutedStep step(with_accuracy("%twice"), "f.mlir", four, nullptr);
  EXPECT_EQ(step.advance(), 10);
  EXPECT_EQ(step.advance(), 20);
  EXPECT_EQ(why_not_executed(with_accuracy("%twice"), "f.mlir"), "");
  EXPECT_EQ(why_not_executed(with_accuracy("%next"), "f.mlir"),
            "f.mlir line 16: stablehlo.reduce: argmax is priced, without numbers; choose numbers "
            "off");
}

// JAX orders what a step returns by name: acc, loss.
TEST(ExecutedStep, takes_for_its_loss_what_is_called_so_and_has_numbers) {
  const Safetensors four{.arrays = {{"arg0", Array(Shape{4}, {1, 2, 3, 4})}}};
  const auto loss_with = [&](const std::string& first, const std::string& name) {
    std::string text = with_accuracy("%twice");
    const auto replace = [&text](const std::string& from, const std::string& to) {
      text.replace(text.find(from), from.size(), to);
    };
    replace("tensor<f32>, tensor<i32>) {",
            "tensor<f32>, tensor<f32> {jax.result_info = \"result[1]['" + name + "']\"}) {");
    replace(", %1, %hit : tensor<4xf32>, tensor<f32>, tensor<i32>",
            ", " + first + ", %1 : tensor<4xf32>, tensor<f32>, tensor<f32>");
    return ExecutedStep(text, "f.mlir", four, nullptr).advance();
  };
  EXPECT_EQ(loss_with("%scale", "b"), 10);
  EXPECT_EQ(loss_with("%n", "loss"), 10);
  EXPECT_EQ(loss_with("%n", "b"), -10);
}

TEST(ExecutedStep, names_what_its_first_loss_is_no_number_of) {
  const Safetensors none{.arrays = {{"arg0", Array(Shape{4}, {1, NAN, 3, NAN})}}};
  EXPECT_EQ(refusal_of(with_accuracy("%twice"), none),
            "f.mlir: the loss of its first step is not a number: arg0 holds values that are "
            "infinite or no numbers, 2 of 4");
  const std::string of_label =
      "func.func @main(%arg0: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %arg1: "
      "tensor<4xi32>) -> (tensor<4xf32>, tensor<f32>) {\n"
      "  %c = stablehlo.convert %arg1 : (tensor<4xi32>) -> tensor<4xf32>\n"
      "  %l = stablehlo.log %c : tensor<4xf32>\n"
      "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
      "  %1 = stablehlo.reduce(%l init: %z) applies stablehlo.add across dimensions = [0] : "
      "(tensor<4xf32>, tensor<f32>) -> tensor<f32>\n"
      "  return %arg0, %1 : tensor<4xf32>, tensor<f32>\n}\n";
  const Safetensors labels{.arrays = {{"arg0", Array(Shape{4}, {1, 2, 3, 4})},
                                      {"arg1", Array(Shape{4}, {0, 2, 12, 4})}}};
  EXPECT_EQ(refusal_of(of_label, labels),
            "f.mlir: the loss of its first step is infinite: all values of its arguments are "
            "finite numbers; labels or indices may be too large: whole numbers are arg1 from 0 to "
            "12");
}

// Integers of 8 bits were truth values, and those without a sign fell below 0, without a word.
TEST(ExecutedStep, integers_that_are_not_held_exactly_are_said) {
  const Safetensors values{.arrays = {{"arg0", Array({2}, {1, 5})}}};
  const auto said = [&values](const std::string& integers) {
    const std::string made = "tensor<2x" + integers + ">";
    return refusal_of(
        of_one_operation("tensor<2xf32>",
                         "%c = stablehlo.convert %arg0 : (tensor<2xf32>) -> " + made +
                             "\n  %k = stablehlo.constant dense<3> : " + made +
                             "\n  %d = stablehlo.subtract %c, %k : " + made +
                             "\n  %0 = stablehlo.convert %d : (" + made + ") -> tensor<2xf32>",
                         "tensor<2xf32>", "0"),
        values);
  };
  EXPECT_NE(said("i8").find("values of tensor<2xi8> are priced, without numbers"),
            std::string::npos)
      << said("i8");
  EXPECT_NE(said("ui8").find("values of tensor<2xui8> are priced"), std::string::npos);
  EXPECT_NE(said("ui32").find("stablehlo.subtract: integers without a sign that fall below 0"),
            std::string::npos)
      << said("ui32");
  EXPECT_EQ(said("i32"), "computed");
}

std::string convolved(const std::string& filter, const std::string& groups,
                      const std::string& made) {
  const std::string image = "tensor<4x4x4x4xf32>";
  return of_one_operation(
      image,
      "%k = stablehlo.constant dense<1.0> : " + filter +
          "\n  %0 = stablehlo.convolution(%arg0, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->"
          "[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]]} {" +
          groups + "} : (" + image + ", " + filter + ") -> " + made,
      made, "0, 1, 2, 3");
}

// Each of these read outside of its arrays, or divided by zero.
TEST(ExecutedStep, sizes_that_do_not_belong_together_are_refused) {
  const Safetensors image{
      .arrays = {{"arg0", Array(Shape{4, 4, 4, 4}, std::vector<float>(256, 1))}}};
  const auto complains = [&](const std::string& text, const Safetensors& values, const char* of) {
    EXPECT_NE(refusal_of(text, values).find(of), std::string::npos) << refusal_of(text, values);
  };
  complains(
      convolved("tensor<1x1x4x5xf32>", "batch_group_count = 1 : i64, feature_group_count = 1 : i64",
                "tensor<100000x4x4x5xf32>"),
      image, "do not make");
  complains(
      convolved("tensor<1x1x1x2xf32>", "batch_group_count = 1 : i64, feature_group_count = 4 : i64",
                "tensor<4x4x4x2xf32>"),
      image, "do not make");
  complains(
      convolved("tensor<1x1x4x2xf32>", "batch_group_count = 4 : i64, feature_group_count = 1 : i64",
                "tensor<1x4x4x2xf32>"),
      image, "do not make");
  const Safetensors four{.arrays = {{"arg0", Array(Shape{4}, {1, 2, 3, 4})}}};
  complains(
      of_one_operation(
          "tensor<4xf32>",
          "%i = stablehlo.constant dense<0> : tensor<1x1xi32>\n"
          "  %0 = \"stablehlo.gather\"(%arg0, %i) <{dimension_numbers = #stablehlo.gather<"
          "offset_dims = [1], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted"
          " = false, slice_sizes = array<i64: 1>}> : (tensor<4xf32>, tensor<1x1xi32>) -> "
          "tensor<1x4000xf32>",
          "tensor<1x4000xf32>", "0, 1"),
      four, "its slice sizes do not make its result");
  complains(of_one_operation("tensor<4xf32>",
                             "%p = stablehlo.constant dense<> : tensor<0xi1>\n"
                             "  %0 = \"stablehlo.if\"(%p) ({\n    stablehlo.return %arg0 : "
                             "tensor<4xf32>\n  }, {\n    stablehlo.return %arg0 : tensor<4xf32>\n"
                             "  }) : (tensor<0xi1>) -> tensor<4xf32>",
                             "tensor<4xf32>", "0"),
            four, "is not one value");
}

TEST(ExecutedStep, a_result_of_another_size_takes_the_place_of_no_argument) {
  const Safetensors four{.arrays = {{"arg0", Array(Shape{4}, {1, 2, 3, 4})}}};
  const std::string text =
      "func.func @main(%arg0: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> (tensor<1xf32>, "
      "tensor<f32>) {\n  %s = stablehlo.slice %arg0 [0:1] : (tensor<4xf32>) -> tensor<1xf32>\n"
      "  %l = stablehlo.constant dense<0.0> : tensor<f32>\n"
      "  return %s, %l : tensor<1xf32>, tensor<f32>\n}\n";
  EXPECT_EQ(refusal_of(text, four),
            "f.mlir: argument 0 is taken over by result 0, which is not of its type");
}

TEST(ExecutedStep, computes_with_what_is_placed_on_the_host) {
  const Safetensors four{.arrays = {{"arg0", Array(Shape{4}, {1, 2, 3, 4})}}};
  ExecutedStep step(
      of_one_operation("tensor<4xf32>",
                       "%0 = stablehlo.custom_call @annotate_device_placement(%arg0) "
                       "{mhlo.frontend_attributes = {_xla_buffer_placement = \"pinned_host\"}} : "
                       "(tensor<4xf32>) -> tensor<4xf32>",
                       "tensor<4xf32>", "0"),
      "f.mlir", four, nullptr);
  EXPECT_EQ(step.advance(), 10);
}

TEST(ExecutedStep, ends_in_the_middle_of_a_loop_when_its_pool_is_stopped) {
  const Safetensors four{.arrays = {{"arg0", Array(Shape{4}, {1, 2, 3, 4})}}};
  std::stop_source stop;
  WorkerPool workers(1, stop.get_token());
  ExecutedStep step(
      of_one_operation("tensor<4xf32>", "%0 = stablehlo.add %arg0, %arg0 : tensor<4xf32>",
                       "tensor<4xf32>", "0"),
      "f.mlir", four, &workers);
  EXPECT_EQ(step.advance(), 20);
  stop.request_stop();
  EXPECT_THROW(step.advance(), Cancelled);
}

}  // namespace
}  // namespace tpulab::executed_step_test
