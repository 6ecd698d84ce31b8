#include "engine/formats/stablehlo/argument_updates.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"
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

// `to` is `from` after so many steps on %x.
std::string steps_in_turns(const std::string& to, const std::string& from, int turns,
                           const std::string& in_a_turn = "") {
  return fmt::format(R"(
  %{0}first = stablehlo.constant dense<0> : tensor<i32>
  %{0}last = stablehlo.constant dense<{2}> : tensor<i32>
  %{0}:2 = stablehlo.while(%{0}i = %{0}first, %{0}w = {1}) : tensor<i32>, tensor<64x64xf32>
  cond {{
    %1 = stablehlo.compare LT, %{0}i, %{0}last, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }} do {{
    %{0}y = stablehlo.dot_general %x, %{0}w, contracting_dims = [1] x [0] : (tensor<8x64xf32>,
        tensor<64x64xf32>) -> tensor<8x64xf32>
    %{0}g = stablehlo.dot_general %x, %{0}y, contracting_dims = [0] x [0] : (tensor<8x64xf32>,
        tensor<8x64xf32>) -> tensor<64x64xf32>
    %{0}n = stablehlo.subtract %{0}w, %{0}g : tensor<64x64xf32>{3}
    %one = stablehlo.constant dense<1> : tensor<i32>
    %2 = stablehlo.add %{0}i, %one : tensor<i32>
    stablehlo.return %2, {4} : tensor<i32>, tensor<64x64xf32>
  }})",
                     to, from, turns, in_a_turn,
                     in_a_turn.empty() ? fmt::format("%{}n", to) : "%inner#1");
}

const std::string row_and_weight = "%w: tensor<64x64xf32>, %x: tensor<8x64xf32>";
const std::string loss = R"(
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x64xf32>,
      tensor<64x64xf32>) -> tensor<8x64xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1] :
      (tensor<8x64xf32>, tensor<f32>) -> tensor<f32>)";

TEST(ArgumentUpdates, in_loops_that_follow_each_other_are_the_sum_of_their_turns) {
  const ImportedStep step =
      imported(row_and_weight, "tensor<64x64xf32>, tensor<f32>",
               steps_in_turns("a", "%w", 10) + steps_in_turns("b", "%a#1", 20) + loss +
                   "\n  return %b#1, %loss : tensor<64x64xf32>, tensor<f32>");
  EXPECT_TRUE(step.trains);
  EXPECT_EQ(step.steps, 30);
}

TEST(ArgumentUpdates, in_loops_inside_of_each_other_are_the_product_of_their_turns) {
  const ImportedStep step =
      imported(row_and_weight, "tensor<64x64xf32>, tensor<f32>",
               steps_in_turns("a", "%w", 3, steps_in_turns("inner", "%aw", 10)) + loss +
                   "\n  return %a#1, %loss : tensor<64x64xf32>, tensor<f32>");
  EXPECT_EQ(step.steps, 30);
}

TEST(ArgumentUpdates, in_a_function_count_each_call) {
  const std::string call =
      " = func.call @ten({}, %x) : (tensor<64x64xf32>, tensor<8x64xf32>) -> "
      "tensor<64x64xf32>\n";
  const std::string body = fmt::format(fmt::runtime("  %a" + call), "%w") +
                           fmt::format(fmt::runtime("  %b" + call), "%a") + loss +
                           "\n  return %b, %loss : tensor<64x64xf32>, tensor<f32>";
  const ImportedStep step = import_stablehlo(
      fmt::format("func.func @main({0}) -> (tensor<64x64xf32>, tensor<f32>) {{\n{1}\n}}\n"
                  "func.func @ten({0}) -> tensor<64x64xf32> {{\n{2}\n"
                  "  return %r#1 : tensor<64x64xf32>\n}}\n",
                  row_and_weight, body, steps_in_turns("r", "%w", 10)),
      "f.mlir");
  EXPECT_EQ(step.steps, 20);
}

// An average of the weights stands before them, updated once behind the loop.
TEST(ArgumentUpdates, of_the_largest_arguments_say_how_many_steps_there_are) {
  const ImportedStep averaged = imported("%e: tensor<64x64xf32>, " + row_and_weight,
                                         "tensor<64x64xf32>, tensor<64x64xf32>, tensor<f32>",
                                         steps_in_turns("a", "%w", 20) + loss + R"(
  %m = stablehlo.add %e, %a#1 : tensor<64x64xf32>
  return %m, %a#1, %loss : tensor<64x64xf32>, tensor<64x64xf32>, tensor<f32>)");
  EXPECT_EQ(averaged.steps, 20);
  const ImportedStep recurrent =
      imported("%w: tensor<64x64xf32>, %v: tensor<64x128xf32>, %x: tensor<8x64xf32>",
               "tensor<64x64xf32>, tensor<64x128xf32>, tensor<f32>",
               steps_in_turns("a", "%w", 20) + loss + R"(
  %m = stablehlo.add %v, %v : tensor<64x128xf32>
  return %a#1, %m, %loss : tensor<64x64xf32>, tensor<64x128xf32>, tensor<f32>)");
  EXPECT_EQ(recurrent.steps, 1);
}

TEST(ArgumentUpdates, are_at_most_a_million_steps) {
  const ImportedStep step = imported(row_and_weight, "tensor<64x64xf32>, tensor<f32>",
                                     steps_in_turns("a", "%w", 900'000'000) + loss +
                                         "\n  return %a#1, %loss : tensor<64x64xf32>, tensor<f32>");
  EXPECT_EQ(step.steps, most_steps);
}

// One step that returns what it measured as one array.
TEST(ArgumentUpdates, are_one_step_where_several_numbers_are_joined) {
  const ImportedStep step = imported(row_and_weight, "tensor<64x64xf32>, tensor<2xf32>", loss + R"(
  %g = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<8x64xf32>,
      tensor<8x64xf32>) -> tensor<64x64xf32>
  %n = stablehlo.subtract %w, %g : tensor<64x64xf32>
  %1 = stablehlo.reshape %loss : (tensor<f32>) -> tensor<1xf32>
  %2 = stablehlo.concatenate %1, %1, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
  return %n, %2 : tensor<64x64xf32>, tensor<2xf32>)");
  EXPECT_TRUE(step.trains);
  EXPECT_EQ(step.steps, 1);
  EXPECT_EQ(step.rows, 8);
}

// A turn a layer, whose weights are updated once behind the loop: it leaves a number for each.
TEST(ArgumentUpdates, are_one_step_where_each_layer_leaves_a_number) {
  const ImportedStep step = imported("%w: tensor<6x64x64xf32>, %x: tensor<8x64xf32>",
                                     "tensor<6x64x64xf32>, tensor<6xf32>, tensor<f32>",
                                     R"(
  %first = stablehlo.constant dense<0> : tensor<i32>
  %last = stablehlo.constant dense<6> : tensor<i32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %none = stablehlo.constant dense<0.0> : tensor<6xf32>
  %r:3 = stablehlo.while(%i = %first, %h = %x, %s = %none) : tensor<i32>, tensor<8x64xf32>,
      tensor<6xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %last, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.dynamic_slice %w, %i, %first, %first, sizes = [1, 64, 64] :
        (tensor<6x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    %3 = stablehlo.dot_general %h, %2, contracting_dims = [1] x [0] : (tensor<8x64xf32>,
        tensor<64x64xf32>) -> tensor<8x64xf32>
    %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0, 1] :
        (tensor<8x64xf32>, tensor<f32>) -> tensor<f32>
    %5 = stablehlo.reshape %4 : (tensor<f32>) -> tensor<1xf32>
    %6 = stablehlo.dynamic_update_slice %s, %5, %i : (tensor<6xf32>, tensor<1xf32>, tensor<i32>)
        -> tensor<6xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %7 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %7, %3, %6 : tensor<i32>, tensor<8x64xf32>, tensor<6xf32>
  }
  %loss = stablehlo.reduce(%r#1 init: %zero) applies stablehlo.add across dimensions = [0, 1] :
      (tensor<8x64xf32>, tensor<f32>) -> tensor<f32>
  %n = stablehlo.add %w, %w : tensor<6x64x64xf32>
  return %n, %r#2, %loss : tensor<6x64x64xf32>, tensor<6xf32>, tensor<f32>)");
  EXPECT_TRUE(step.trains);
  EXPECT_EQ(step.steps, 1);
}

// Twice in each call, which no memory and no time would be enough for.
TEST(ArgumentUpdates, of_a_function_that_calls_itself_come_to_an_end) {
  const std::string call =
      "func.call @f({}, %x) : (tensor<64x64xf32>, tensor<8x64xf32>) -> "
      "tensor<64x64xf32>\n";
  const std::string text = fmt::format(
      "func.func @main({0}) -> (tensor<64x64xf32>, tensor<f32>) {{\n  %n = {1}{2}\n"
      "  return %n, %loss : tensor<64x64xf32>, tensor<f32>\n}}\n"
      "func.func @f({0}) -> tensor<64x64xf32> {{\n  %a = {1}  %b = {3}"
      "  %c = stablehlo.add %a, %b : tensor<64x64xf32>\n  return %c : tensor<64x64xf32>\n}}\n",
      row_and_weight, fmt::format(fmt::runtime(call), "%w"), loss,
      fmt::format(fmt::runtime(call), "%a"));
  EXPECT_THROW(import_stablehlo(text, "f.mlir"), Error);
}

}  // namespace
}  // namespace tpulab::argument_updates_test
