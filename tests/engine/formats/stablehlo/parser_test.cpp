#include "engine/formats/stablehlo/parser.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/formats/stablehlo/types.h"

namespace tpulab::stablehlo::parser_test {
namespace {

Module parsed(const std::string& file) {
  return parse(read_file(TPULAB_SOURCE_DIR "/tests/engine/formats/stablehlo/" + file), file);
}

Module function_of(const std::string& operations) {
  return parse("func.func @main(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) -> tensor<4x2xf32> {\n" +
                   operations + "\n}\n",
               "f.mlir");
}

std::string refusal_of(const std::string& text) {
  try {
    parse(text, "f.mlir");
  } catch (const Error& error) {
    return error.what();
  }
  return "read";
}

TEST(StablehloParser, a_step_has_its_functions_arguments_and_operations_with_their_lines) {
  const Module module = parsed("mlp_step.mlir");
  EXPECT_EQ(module.name, "jit_step");
  ASSERT_EQ(module.functions.size(), 2u);
  const Function& main = module.functions[0];
  EXPECT_EQ(main.name, "main");
  ASSERT_EQ(main.body.arguments.size(), 5u);
  EXPECT_EQ(main.body.arguments[0].type.shape, (Shape{64, 128}));
  EXPECT_EQ(main.body.arguments[0].attributes.find("tf.aliasing_output"), "0 : i32");
  EXPECT_EQ(main.body.arguments[4].type.element, "i32");
  const Operation& product = main.body.operations[0];
  EXPECT_EQ(product.name, "stablehlo.dot_general");
  EXPECT_EQ(product.line, 4);
  EXPECT_EQ(product.attributes.find("contracting_dims"), "[1] x [0]");
  EXPECT_EQ(product.result_types[0].shape, (Shape{32, 128}));
  EXPECT_EQ(product.location, "(#loc1)");
  EXPECT_EQ(main.body.operations[4].results[0].count, 2);
  EXPECT_EQ(main.body.operations[5].operands[0].index, 0);
}

TEST(StablehloParser, the_generic_form_says_the_same_as_the_pretty_one) {
  const Module pretty = function_of(
      "%0 = stablehlo.compare  GE, %a, %a,  FLOAT : (tensor<4x8xf32>, "
      "tensor<4x8xf32>) -> tensor<4x8xi1>");
  EXPECT_EQ(pretty.functions[0].body.operations[0].words[0], "GE");
  const Module generic = parsed("generic_embedding.mlir");
  ASSERT_EQ(generic.functions.size(), 1u);
  EXPECT_EQ(generic.functions[0].name, "main");
  EXPECT_EQ(generic.functions[0].body.arguments[0].attributes.find("tf.aliasing_output"),
            "0 : i32");
  const Operation& gather = generic.functions[0].body.operations[1];
  EXPECT_EQ(gather.name, "stablehlo.gather");
  EXPECT_EQ(whole_numbers(gather.attributes.find("slice_sizes")),
            (std::vector<std::int64_t>{1, 64}));
  EXPECT_EQ(inner_attributes(gather.attributes.find("dimension_numbers")).find("offset_dims"),
            "[2]");
}

TEST(StablehloParser, a_while_has_a_condition_and_a_body_over_its_arguments) {
  const Module module = parsed("scanned_layers.mlir");
  const Operation& loop = module.functions[0].body.operations[3];
  EXPECT_EQ(loop.name, "stablehlo.while");
  ASSERT_EQ(loop.regions.size(), 2u);
  ASSERT_EQ(loop.regions[1].arguments.size(), 4u);
  EXPECT_EQ(loop.regions[1].arguments[1].name, "iterArg_0");
  EXPECT_EQ(loop.regions[1].arguments[0].type.shape, (Shape{12, 256, 256}));
  EXPECT_EQ(loop.operands.size(), 4u);
}

TEST(StablehloParser, a_reducer_of_several_arrays_is_a_region_behind_the_types) {
  const Module module = function_of(
      "%0:2 = stablehlo.reduce(%a init: %x), (%i init: %y) across dimensions = [1] : "
      "(tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, "
      "tensor<4xi32>)\n reducer(%p: tensor<f32>, %q: tensor<f32>) (%r: tensor<i32>, %s: "
      "tensor<i32>)  {\n stablehlo.return %p, %r : tensor<f32>, tensor<i32>\n }");
  const Operation& reduce = module.functions[0].body.operations[0];
  EXPECT_EQ(reduce.operands.size(), 4u);
  ASSERT_EQ(reduce.regions.size(), 1u);
  EXPECT_EQ(reduce.regions[0].arguments.size(), 4u);
  EXPECT_EQ(whole_numbers(reduce.attributes.find("dimensions")), (std::vector<std::int64_t>{1}));
}

TEST(StablehloParser, shardings_meshes_and_manual_computations_are_read) {
  const Module module = parse(
      "module @jit_f attributes {mhlo.num_partitions = 8 : i32} {\n"
      "  sdy.mesh @mesh = <[\"x\"=8]> {stablehlo.mesh = {axes = [{name = \"x\", size = 8 : "
      "i64}]}}\n"
      "  func.func public @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, "
      "[{\"x\"}, {}]>}) -> (tensor<8x4xf32>) {\n"
      "    %0 = sdy.sharding_constraint %arg0 <@mesh, [{\"x\"}, {}]> : tensor<8x4xf32>\n"
      "    %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{\"x\"}, {}]>] "
      "out_shardings=[<@mesh, [{\"x\"}, {}]>] manual_axes={\"x\"} (%arg1: tensor<1x4xf32>) {\n"
      "      %2 = stablehlo.add %arg1, %arg1 : tensor<1x4xf32>\n"
      "      sdy.return %2 : tensor<1x4xf32>\n"
      "    } : (tensor<8x4xf32>) -> tensor<8x4xf32>\n"
      "    return %1 : tensor<8x4xf32>\n  }\n}\n",
      "f.mlir");
  const std::vector<Operation>& operations = module.functions[0].body.operations;
  EXPECT_EQ(operations[0].name, "sdy.sharding_constraint");
  ASSERT_EQ(operations[1].regions.size(), 1u);
  EXPECT_EQ(operations[1].regions[0].arguments[0].type.shape, (Shape{1, 4}));
}

TEST(StablehloParser, constants_are_splats_in_decimal_and_in_bits) {
  EXPECT_EQ(splat_value("dense<1.5e+00>", "f32"), 1.5);
  EXPECT_EQ(splat_value("dense<0xFF800000>", "f32"), -HUGE_VAL);
  EXPECT_EQ(splat_value("dense<0xFF80>", "bf16"), -HUGE_VAL);
  EXPECT_EQ(splat_value("dense<0x7C00>", "f16"), HUGE_VAL);
  EXPECT_EQ(splat_value("dense<true>", "i1"), 1.0);
  EXPECT_EQ(splat_value("dense<[[-7]]> : tensor<1x1xi32>", "i32"), -7.0);
  EXPECT_EQ(splat_value("dense<[1, 2]>", "i32"), std::nullopt);
  EXPECT_EQ(splat_value("dense<\"0x00FF\">", "i8"), std::nullopt);
  EXPECT_EQ(whole_numbers("dense<0> : tensor<4x2xi64>").size(), 8u);
  EXPECT_EQ(whole_numbers("dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>"),
            (std::vector<std::int64_t>{0, 1, 2, 3}));
}

// As JAX exports what a symbolic batch leaves of a function that only its gradient needs.
TEST(StablehloParser, a_function_without_results_is_read_and_called) {
  const Module module = parse(R"(
func.func @main(%a: tensor<4xf32>, %b: tensor<i32>) -> tensor<4xf32> {
  call @silu(%b) : (tensor<i32>) -> () loc(#loc2)
  return %a : tensor<4xf32> loc(#loc)
} loc(#loc)
func.func private @silu(%arg0: tensor<i32> {jax.global_constant = "b"} loc(unknown)) {
  return loc(#loc1)
} loc(#loc)
)",
                              "f.mlir");
  ASSERT_EQ(module.functions.size(), 2u);
  EXPECT_EQ(module.functions[0].body.operations[0].symbol, "silu");
  EXPECT_EQ(module.functions[1].body.operations[0].name, "func.return");
  EXPECT_EQ(module.functions[1].body.operations[0].location, "(#loc1)");
}

TEST(StablehloParser, what_is_missing_is_said_with_its_line) {
  EXPECT_EQ(refusal_of("module @m {\n func.func @main() {\n  %0 = stablehlo.add %a %b\n"),
            "f.mlir line 4: a block does not end: a '}' is missing");
  EXPECT_EQ(refusal_of("module @m {\n func.func @main(%a: tensor<?x4xf32>) {\n }\n}\n"),
            "f.mlir line 2: tensor<?x4xf32> has a shape that is known only at run time; export "
            "with fixed sizes");
  EXPECT_EQ(refusal_of("import jax\n").substr(0, 54),
            "f.mlir line 1: 'import' stands outside of all function");
  EXPECT_EQ(refusal_of("").substr(0, 53), "f.mlir line 1: no function of StableHLO is here; give");
  EXPECT_EQ(refusal_of("func.func @main(%a: tensor<1x1x1x1x1x1x1x1x1xf32>) {}"),
            "f.mlir line 1: tensor<1x1x1x1x1x1x1x1x1xf32> has 9 axes; at most 8 are read");
}

TEST(StablehloParser, brackets_nested_without_end_are_refused) {
  std::string text = "func.func @main() {\n";
  for (int i = 0; i < 100'000; ++i) text += "\"a.b\"() ({\n";
  EXPECT_NE(refusal_of(text).find("regions are nested more than 32 times"), std::string::npos);
  EXPECT_NE(refusal_of("#a = " + std::string(1'000'000, '[')).find("a bracket is not closed"),
            std::string::npos);
}

TEST(StablehloParser, refuses_a_return_of_other_types_than_its_values_or_its_function_have) {
  const auto returning = [](const std::string& line, const std::string& results) {
    return refusal_of("func.func @f(%a: tensor<4xf32>, %b: tensor<8xi32>) -> " + results +
                      " {\n  " + line + "\n}\n");
  };
  const std::string both = "(tensor<4xf32>, tensor<8xi32> {jax.result_info = \"x\"})";
  EXPECT_EQ(returning("return %a, %b : tensor<4xf32>, tensor<8xi32>", both), "read");
  EXPECT_EQ(returning("return %a, %b : tensor<8xi32>, tensor<4xf32>", both),
            "f.mlir line 2: func.return: %a is tensor<4xf32>, not tensor<8xi32>");
  EXPECT_EQ(returning("return %b, %a : tensor<8xi32>, tensor<4xf32>", both),
            "f.mlir line 2: func.return: result 1 of @f is tensor<4xf32>, not tensor<8xi32>");
  EXPECT_EQ(returning("return %a : tensor<4xf32>", both),
            "f.mlir line 2: func.return: it returns 1 value, with 1 type; @f says 2 results");
  EXPECT_EQ(returning("%0:2 = stablehlo.optimization_barrier %b, %a : tensor<8xi32>, tensor<4xf32>"
                      "\n  return %0#0 : tensor<4xf32>",
                      "tensor<4xf32>"),
            "f.mlir line 3: func.return: %0 is tensor<8xi32>, not tensor<4xf32>");
}

}  // namespace
}  // namespace tpulab::stablehlo::parser_test
