#include "engine/formats/told_rows.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/formats/hlo/compiled_step.h"
#include "engine/formats/stablehlo/stablehlo_step.h"

namespace tpulab::told_rows_test {
namespace {

// w [64,10] and b [10] applied to x; what is returned of %z, of as many rows.
ImportedStep call(std::string_view x, std::string_view product, std::string_view returned,
                  std::string_view type, std::string_view more = "") {
  return import_stablehlo(fmt::format(R"(
func.func @main(%w: tensor<64x10xf32>, %b: tensor<10xf32>, %x: tensor<{0}xf32>{4}) -> {3} {{
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  {1}
  {2}
}}
)",
                                      x, product, returned, type, more),
                          "f.mlir");
}

constexpr std::string_view layer = R"(
  %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<32x64xf32>,
      tensor<64x10xf32>) -> tensor<32x10xf32>
  %r = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<10xf32>) -> tensor<32x10xf32>
  %z = stablehlo.add %p, %r : tensor<32x10xf32>)";

TEST(ToldRows, of_a_forward_pass_are_those_of_what_it_returns) {
  const ImportedStep step =
      call("32x64", layer, "return %z : tensor<32x10xf32>", "tensor<32x10xf32>");
  EXPECT_FALSE(step.trains);
  EXPECT_EQ(step.rows, 32);
}

TEST(ToldRows, of_an_evaluation_are_those_that_its_number_is_summed_over) {
  EXPECT_EQ(call("32x64", layer, R"(
  %d = stablehlo.subtract %z, %y : tensor<32x10xf32>
  %s = stablehlo.reduce(%d init: %none) applies stablehlo.add across dimensions = [0, 1] :
      (tensor<32x10xf32>, tensor<f32>) -> tensor<f32>
  return %s : tensor<f32>)",
                 "tensor<f32>", ", %y: tensor<32x10xf32>")
                .rows,
            32);
}

// As where weights decay: summed over both, it has rows of neither.
TEST(ToldRows, are_none_where_a_number_is_summed_over_weights_too) {
  EXPECT_EQ(call("32x64", layer, R"(
  %s = stablehlo.reduce(%z init: %none) applies stablehlo.add across dimensions = [0, 1] :
      (tensor<32x10xf32>, tensor<f32>) -> tensor<f32>
  %k = stablehlo.reduce(%w init: %none) applies stablehlo.add across dimensions = [0, 1] :
      (tensor<64x10xf32>, tensor<f32>) -> tensor<f32>
  %l = stablehlo.add %s, %k : tensor<f32>
  return %l : tensor<f32>)",
                 "tensor<f32>")
                .rows,
            0);
}

// Weights that five members have each of their own, for the same 32 rows.
TEST(ToldRows, are_none_where_most_arguments_have_them) {
  const ImportedStep step = import_stablehlo(R"(
func.func @main(%w: tensor<5x64x10xf32>, %b: tensor<5x32x10xf32>, %c: tensor<5x32x10xf32>,
                %x: tensor<32x64xf32>) -> tensor<5x32x10xf32> {
  %p = stablehlo.dot_general %w, %x, contracting_dims = [1] x [1] : (tensor<5x64x10xf32>,
      tensor<32x64xf32>) -> tensor<5x10x32xf32>
  %t = stablehlo.transpose %p, dims = [0, 2, 1] : (tensor<5x10x32xf32>) -> tensor<5x32x10xf32>
  %q = stablehlo.add %t, %b : tensor<5x32x10xf32>
  %z = stablehlo.multiply %q, %c : tensor<5x32x10xf32>
  return %z : tensor<5x32x10xf32>
}
)",
                                             "f.mlir");
  EXPECT_EQ(step.rows, 0);
}

// Of two results, one with the axes of the other swapped, neither has the rows.
TEST(ToldRows, are_none_where_two_results_tell_different_ones) {
  const auto rows = [](std::string_view returned, std::string_view types) {
    return import_stablehlo(fmt::format(R"(
func.func @main(%x: tensor<32x64x8xf32>, %w: tensor<8x8xf32>) -> ({1}) {{
  %a = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] :
      (tensor<32x64x8xf32>, tensor<8x8xf32>) -> tensor<32x64x8xf32>
  %t = stablehlo.transpose %a, dims = [1, 0, 2] : (tensor<32x64x8xf32>) -> tensor<64x32x8xf32>
  return {0} : {1}
}}
)",
                                        returned, types),
                            "f.mlir")
        .rows;
  };
  EXPECT_EQ(rows("%a", "tensor<32x64x8xf32>"), 32);
  EXPECT_EQ(rows("%a, %t", "tensor<32x64x8xf32>, tensor<64x32x8xf32>"), 0);
  EXPECT_EQ(rows("%t, %a", "tensor<64x32x8xf32>, tensor<32x64x8xf32>"), 0);
}

// A branch of zeros says nothing of the rows, wherever it stands.
TEST(ToldRows, of_a_choice_are_those_of_the_branches_that_have_some) {
  const std::string rows = "{ stablehlo.return %z : tensor<32x10xf32> }";
  const std::string zeros = "{ stablehlo.return %o : tensor<32x10xf32> }";
  for (const std::string& branches : {rows + ", " + zeros, zeros + ", " + rows}) {
    EXPECT_EQ(call("32x64", layer,
                   fmt::format(R"(
  %o = stablehlo.broadcast_in_dim %none, dims = [] : (tensor<f32>) -> tensor<32x10xf32>
  %c = "stablehlo.case"(%k) {} : (tensor<i32>) -> tensor<32x10xf32>
  return %c : tensor<32x10xf32>)",
                               "(" + branches + ")"),
                   "tensor<32x10xf32>", ", %k: tensor<i32>")
                  .rows,
              32)
        << branches;
  }
}

// A bias of one number, and targets of one row.
TEST(ToldRows, are_none_of_single_numbers_and_of_a_row_of_numbers_alone) {
  const std::vector<Type> types{
      {{32, 8}, DType::f32}, {{1}, DType::f32}, {{5}, DType::f32}, {{6, 8}, DType::f32}};
  const auto told = [&](std::vector<int> among) {
    RowGraph graph;
    std::vector<int> all;
    for (const int one : among) {
      all.push_back(graph.add_argument(one, types[static_cast<std::size_t>(one)].shape));
    }
    const auto none = [](std::size_t, int) { return -1; };
    const int loss = graph.add(RowStep::other, {}, all, none);
    std::vector<int> axes;
    for (const ToldAxis& one : told_axes(graph, {loss}, true, types, {true, true, true, true})) {
      axes.push_back(one.axis);
    }
    return axes;
  };
  EXPECT_EQ(told({0, 1}), (std::vector{0, -1, -1, -1}));
  EXPECT_EQ(told({2}), (std::vector{-1, -1, -1, -1}));
  EXPECT_EQ(told({2, 3}), (std::vector{-1, -1, 0, 0}));
}

// Frozen weights have most bytes, and more rows.
constexpr std::string_view distilled = R"(
func.func @main(%w: tensor<64x10xf32>, %f: tensor<64x10xf32>, %x: tensor<32x64xf32>) ->
    (tensor<64x10xf32>, tensor<f32>) {
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<32x64xf32>,
      tensor<64x10xf32>) -> tensor<32x10xf32>
  %q = stablehlo.dot_general %x, %f, contracting_dims = [1] x [0] : (tensor<32x64xf32>,
      tensor<64x10xf32>) -> tensor<32x10xf32>
  %d = stablehlo.subtract %p, %q : tensor<32x10xf32>
  %s = stablehlo.reduce(%d init: %none) applies stablehlo.add across dimensions = [0, 1] :
      (tensor<32x10xf32>, tensor<f32>) -> tensor<f32>
  %g = stablehlo.dot_general %x, %d, contracting_dims = [0] x [0] : (tensor<32x64xf32>,
      tensor<32x10xf32>) -> tensor<64x10xf32>
  %u = stablehlo.subtract %w, %g : tensor<64x10xf32>
  return %u, %s : tensor<64x10xf32>, tensor<f32>
}
)";

TEST(ToldRows, of_a_step_are_those_of_its_loss) {
  const ImportedStep step = import_stablehlo(std::string(distilled), "f.mlir");
  EXPECT_TRUE(step.trains);
  EXPECT_EQ(step.rows, 32);
  EXPECT_EQ(step.work.batch.value, 32 * 64 * 4);
  EXPECT_EQ(step.stays.value, 2 * 64 * 10 * 4);
}

// Turns of 32 rows go through layers, and leave each layer's output: its first axis is of layers.
TEST(ToldRows, are_none_of_what_turns_leave_of_each_layer) {
  const ImportedStep step = import_stablehlo(R"(
func.func @main(%w: tensor<4x64x64xf32>, %x: tensor<32x64xf32>) -> tensor<4x32x64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<4x32x64xf32>
  %r:4 = stablehlo.while(%h = %x, %i = %zero, %o = %none, %l = %w) : tensor<32x64xf32>, tensor<i32>,
      tensor<4x32x64xf32>, tensor<4x64x64xf32>
  cond {
    %n = stablehlo.constant dense<4> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %1 = stablehlo.dynamic_slice %l, %i, %zero, %zero, sizes = [1, 64, 64] :
        (tensor<4x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    %3 = stablehlo.dot_general %h, %2, contracting_dims = [1] x [0] : (tensor<32x64xf32>,
        tensor<64x64xf32>) -> tensor<32x64xf32>
    %4 = stablehlo.reshape %3 : (tensor<32x64xf32>) -> tensor<1x32x64xf32>
    %5 = stablehlo.dynamic_update_slice %o, %4, %i, %zero, %zero : (tensor<4x32x64xf32>,
        tensor<1x32x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x32x64xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %3, %j, %5, %l : tensor<32x64xf32>, tensor<i32>, tensor<4x32x64xf32>,
        tensor<4x64x64xf32>
  }
  return %r#2 : tensor<4x32x64xf32>
}
)",
                                             "f.mlir");
  EXPECT_EQ(step.rows, 0);
}

TEST(ToldRows, of_what_is_malformed_are_left_to_the_one_that_refuses_it) {
  try {
    call("32x64", R"(
  %z = stablehlo.convolution(%x, %w) dim_numbers = [b, f]x[i, o]->[b, 99999999999999999999f],
      window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} :
      (tensor<32x64xf32>, tensor<64x10xf32>) -> tensor<32x10xf32>)",
         "return %z : tensor<32x10xf32>", "tensor<32x10xf32>");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_TRUE(std::string_view(error.what()).starts_with("f.mlir line 5: stablehlo.convolution"))
        << error.what();
  }
}

TEST(ToldRows, of_compiled_calls_are_those_of_what_they_return) {
  const ImportedStep step = import_hlo(R"(HloModule m, is_scheduled=true

%fused (x: f32[32,64], w: f32[64,10], b: f32[10]) -> f32[32,10] {
  %x = f32[32,64] parameter(0)
  %w = f32[64,10] parameter(1)
  %b = f32[10] parameter(2)
  %p = f32[32,10] convolution(%x, %w), dim_labels=bf_io->bf
  %r = f32[32,10] broadcast(%b), dimensions={1}
  ROOT %z = f32[32,10] add(%p, %r)
}

ENTRY %main (w: f32[64,10], b: f32[10], x: f32[32,64]) -> f32[32,10] {
  %w = f32[64,10] parameter(0)
  %b = f32[10] parameter(1)
  %x = f32[32,64] parameter(2)
  ROOT %f = f32[32,10] fusion(%x, %w, %b), kind=kOutput, calls=%fused
}
)",
                                       "m.hlo");
  EXPECT_FALSE(step.trains);
  EXPECT_EQ(step.rows, 32);
}

}  // namespace
}  // namespace tpulab::told_rows_test
