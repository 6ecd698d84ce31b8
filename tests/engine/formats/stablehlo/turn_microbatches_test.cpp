// Rows of steps that go over microbatches in turns of a loop.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "engine/formats/stablehlo/stablehlo_step.h"

namespace tpulab::turn_microbatches_test {
namespace {

struct Loop {
  std::string name;
  std::string over = "%x";  // [4, 32, 64]
  std::string sums;         // the shape of what a turn changes
  std::string turn;         // makes %s of that and %c, of the rows %r and the weights %d
  std::string weights = "%w";
};

// %name#2 is what four turns have left.
std::string text_of(const Loop& loop) {
  return fmt::format(R"(
  %{0}zero = stablehlo.constant dense<0> : tensor<i32>
  %{0}none = stablehlo.constant dense<0.0> : tensor<{2}xf32>
  %{0}:4 = stablehlo.while(%a = {1}, %b = %{0}zero, %c = %{0}none, %d = {4}) :
      tensor<4x32x64xf32>, tensor<i32>, tensor<{2}xf32>, tensor<64x64xf32>
  cond {{
    %n = stablehlo.constant dense<4> : tensor<i32>
    %1 = stablehlo.compare LT, %b, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }} do {{
    %1 = stablehlo.dynamic_slice %a, %b, %{0}zero, %{0}zero, sizes = [1, 32, 64] :
        (tensor<4x32x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x64xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x32x64xf32>) -> tensor<32x64xf32>
    %r = stablehlo.dot_general %2, %d, contracting_dims = [1] x [0] : (tensor<32x64xf32>,
        tensor<64x64xf32>) -> tensor<32x64xf32>
    {3}
    %one = stablehlo.constant dense<1> : tensor<i32>
    %3 = stablehlo.add %b, %one : tensor<i32>
    stablehlo.return %a, %3, %s, %d : tensor<4x32x64xf32>, tensor<i32>, tensor<{2}xf32>,
        tensor<64x64xf32>
  }})",
                     loop.name, loop.over, loop.sums, loop.turn, loop.weights);
}

const std::string adds_a_gradient = R"(
    %g = stablehlo.dot_general %r, %r, contracting_dims = [0] x [0] : (tensor<32x64xf32>,
        tensor<32x64xf32>) -> tensor<64x64xf32>
    %s = stablehlo.add %c, %g : tensor<64x64xf32>)";
const std::string goes_on_with_a_state = "%s = stablehlo.add %c, %r : tensor<32x64xf32>";
const std::string keeps_its_rows_apart = R"(
    %o = stablehlo.reshape %r : (tensor<32x64xf32>) -> tensor<1x32x64xf32>
    %s = stablehlo.dynamic_update_slice %c, %o, %b, %losseszero, %losseszero :
        (tensor<4x32x64xf32>, tensor<1x32x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) ->
        tensor<4x32x64xf32>)";

// `sum` of `weights` less it; a number of it is the loss.
std::string update(std::string_view sum, std::string_view weights) {
  return fmt::format(R"(
  %nothing = stablehlo.constant dense<0.0> : tensor<f32>
  %u = stablehlo.subtract {1}, {0} : tensor<64x64xf32>
  %loss = stablehlo.reduce({0} init: %nothing) applies stablehlo.add across dimensions = [0, 1] :
      (tensor<64x64xf32>, tensor<f32>) -> tensor<f32>)",
                     sum, weights);
}

ImportedStep read(std::string_view batch, const std::string& body) {
  return import_stablehlo(fmt::format("func.func @main(%w: tensor<64x64xf32>, %x: tensor<{}xf32>) "
                                      "-> (tensor<64x64xf32>, tensor<f32>) {{{}\n"
                                      "  return %u, %loss : tensor<64x64xf32>, tensor<f32>\n}}\n",
                                      batch, body),
                          "f.mlir");
}

// `each`: pieces of 64 numbers that a row has.
void expect_all_sent(const ImportedStep& step, std::int64_t rows, std::int64_t each = 1) {
  EXPECT_TRUE(step.trains);
  EXPECT_EQ(step.rows, rows);
  EXPECT_EQ(step.work.batch.value, rows * each * 64 * 4);
}

TEST(TurnMicrobatches, are_added_up_by_one_loop) {
  expect_all_sent(read("4x32x64", text_of({.name = "g", .sums = "64x64", .turn = adds_a_gradient}) +
                                      update("%g#2", "%w")),
                  4 * 32);
}

const std::string along_time =
    text_of({.name = "t", .sums = "32x64", .turn = goes_on_with_a_state});
const std::string of_state = R"(
  %g = stablehlo.dot_general %t#2, %t#2, contracting_dims = [0] x [0] : (tensor<32x64xf32>,
      tensor<32x64xf32>) -> tensor<64x64xf32>)";

// Four turns along time, whose state has 32 rows.
TEST(TurnMicrobatches, are_none_where_a_turn_goes_on_with_what_another_one_left) {
  expect_all_sent(read("4x32x64", along_time + of_state + update("%g", "%w")), 32, 4);
  // Nor where a loop behind it adds up the gradients of all turns.
  const std::string back = text_of({.name = "g", .sums = "64x64", .turn = adds_a_gradient});
  expect_all_sent(read("4x32x64", along_time + back + update("%g#2", "%w")), 32, 4);
}

// Projected before the loop, which begins with time or with rows.
TEST(TurnMicrobatches, are_none_where_turns_go_along_what_was_made_of_the_rows) {
  const std::string along =
      text_of({.name = "t", .over = "%p", .sums = "32x64", .turn = goes_on_with_a_state});
  const std::string behind = along + of_state + update("%g", "%w");
  expect_all_sent(read("4x32x64", R"(
  %p = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<4x32x64xf32>,
      tensor<64x64xf32>) -> tensor<4x32x64xf32>)" +
                                      behind),
                  32, 4);
  expect_all_sent(read("32x4x64", R"(
  %q = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<32x4x64xf32>,
      tensor<64x64xf32>) -> tensor<32x4x64xf32>
  %p = stablehlo.transpose %q, dims = [1, 0, 2] : (tensor<32x4x64xf32>) -> tensor<4x32x64xf32>)" +
                                      behind),
                  32, 4);
}

// Of so many rows in each turn along time.
ImportedStep read_along_time(const std::string& rows) {
  std::string text = along_time + of_state + update("%g", "%w");
  for (std::size_t at = text.find("32"); at != std::string::npos; at = text.find("32", at + 1)) {
    if (text[at - 1] != 'f' && text[at - 1] != 'i') text.replace(at, 2, rows);
  }
  return read("4x" + rows + "x64", text);
}

// Each row's own, as where they are clipped behind the loop.
TEST(TurnMicrobatches, are_added_up_row_by_row) {
  const std::string adds_gradients_of_rows = R"(
    %q = stablehlo.broadcast_in_dim %r, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
    %k = stablehlo.broadcast_in_dim %r, dims = [0, 2] : (tensor<32x64xf32>) -> tensor<32x64x64xf32>
    %g = stablehlo.multiply %q, %k : tensor<32x64x64xf32>
    %s = stablehlo.add %c, %g : tensor<32x64x64xf32>)";
  const std::string of_rows = R"(
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %g = stablehlo.reduce(%g#2 init: %none) applies stablehlo.add across dimensions = [0] :
      (tensor<32x64x64xf32>, tensor<f32>) -> tensor<64x64xf32>)";
  expect_all_sent(
      read("4x32x64", text_of({.name = "g", .sums = "32x64x64", .turn = adds_gradients_of_rows}) +
                          of_rows + update("%g", "%w")),
      4 * 32);
}

// Or a row of numbers.
TEST(TurnMicrobatches, are_none_where_the_state_looks_like_the_weights) {
  expect_all_sent(read_along_time("64"), 64, 4);
  expect_all_sent(read_along_time("1"), 1, 4);
}

TEST(TurnMicrobatches, are_none_of_random_keys) {
  const ImportedStep step = import_stablehlo(R"(
func.func @main(%w: tensor<64x64xf32>, %x: tensor<32x64xf32>, %k: tensor<4x2xui32>) ->
    (tensor<64x64xf32>, tensor<f32>) {
  %g = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0] : (tensor<32x64xf32>,
      tensor<32x64xf32>) -> tensor<64x64xf32>)" + update("%g", "%w") +
                                                 R"(
  return %u, %loss : tensor<64x64xf32>, tensor<f32>
}
)",
                                             "f.mlir");
  EXPECT_EQ(step.rows, 32);
}

// Each device has one of four microbatches.
TEST(TurnMicrobatches, that_devices_divide_are_those_of_all) {
  const std::string loop = text_of({.name = "g", .sums = "64x64", .turn = adds_a_gradient});
  const ImportedStep step = import_stablehlo(R"(
module @m attributes {mhlo.num_partitions = 4 : i32} {
sdy.mesh @mesh = <["x"=4]>
func.func @main(%w: tensor<64x64xf32>, %x: tensor<4x32x64xf32> {sdy.sharding =
    #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) -> (tensor<64x64xf32>, tensor<f32>) {)" +
                                                 loop + update("%g#2", "%w") + R"(
  return %u, %loss : tensor<64x64xf32>, tensor<f32>
}
}
)",
                                             "f.mlir");
  EXPECT_EQ(step.rows * 4 / step.alike, 4 * 32);
}

TEST(TurnMicrobatches, may_be_read_forward_by_a_loop_that_adds_up_nothing) {
  const std::string forward =
      text_of({.name = "losses", .sums = "4x32x64", .turn = keeps_its_rows_apart});
  const std::string of =
      text_of({.name = "g", .over = "%losses#2", .sums = "64x64", .turn = adds_a_gradient});
  expect_all_sent(read("4x32x64", forward + of + update("%g#2", "%w")), 4 * 32);
  // Where no loop finds gradients turns may go over anything.
  EXPECT_EQ(read("4x32x64", forward + R"(
  %g = stablehlo.dot_general %losses#2, %losses#2, contracting_dims = [0, 1] x [0, 1] :
      (tensor<4x32x64xf32>, tensor<4x32x64xf32>) -> tensor<64x64xf32>)" +
                                update("%g", "%w"))
                .rows,
            4);
}

// Ten turns of an evaluation, each of which adds up one of `batches`.
ImportedStep evaluated(std::string_view batches, std::string_view one, std::string_view begin,
                       std::string_view sizes, std::string_view axes) {
  return import_stablehlo(fmt::format(R"(
func.func @main(%w: tensor<64x64xf32>, %x: tensor<{0}xi32>) -> tensor<i32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.while(%a = %x, %b = %zero, %c = %zero) : tensor<{0}xi32>, tensor<i32>,
      tensor<i32>
  cond {{
    %n = stablehlo.constant dense<10> : tensor<i32>
    %1 = stablehlo.compare LT, %b, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }} do {{
    %1 = stablehlo.dynamic_slice %a, %b, {2}, sizes = [{3}] :
        (tensor<{0}xi32>, {4}) -> tensor<{1}xi32>
    %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [{5}] :
        (tensor<{1}xi32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.add %c, %2 : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %4 = stablehlo.add %b, %one : tensor<i32>
    stablehlo.return %a, %4, %3 : tensor<{0}xi32>, tensor<i32>, tensor<i32>
  }}
  return %0#2 : tensor<i32>
}}
)",
                                      batches, one, begin, sizes,
                                      begin == "%zero" ? "tensor<i32>, tensor<i32>"
                                                       : "tensor<i32>, tensor<i32>, tensor<i32>",
                                      axes),
                          "f.mlir");
}

TEST(TurnMicrobatches, are_added_up_by_a_program_that_does_not_train) {
  const ImportedStep step = evaluated("10x32x8", "1x32x8", "%zero, %zero", "1, 32, 8", "0, 1, 2");
  EXPECT_FALSE(step.trains);
  EXPECT_EQ(step.rows, 10 * 32);
}

TEST(TurnMicrobatches, are_none_where_rows_of_numbers_come_one_by_one) {
  EXPECT_EQ(evaluated("10x32", "1x32", "%zero", "1, 32", "0, 1").rows, 10);
}

TEST(TurnMicrobatches, are_of_each_step_of_a_program_that_has_several) {
  const ImportedStep step = read("5x4x32x64", R"(
  %begin = stablehlo.constant dense<0> : tensor<i32>
  %end = stablehlo.constant dense<0.0> : tensor<f32>
  %r:4 = stablehlo.while(%v = %w, %k = %begin, %l = %end, %y = %x) : tensor<64x64xf32>,
      tensor<i32>, tensor<f32>, tensor<5x4x32x64xf32>
  cond {
    %n = stablehlo.constant dense<5> : tensor<i32>
    %1 = stablehlo.compare LT, %k, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.dynamic_slice %y, %k, %begin, %begin, %begin, sizes = [1, 4, 32, 64] :
        (tensor<5x4x32x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) ->
        tensor<1x4x32x64xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x4x32x64xf32>) -> tensor<4x32x64xf32>)" +
                                                  text_of({.name = "g",
                                                           .over = "%2",
                                                           .sums = "64x64",
                                                           .turn = adds_a_gradient,
                                                           .weights = "%v"}) +
                                                  update("%g#2", "%v") + R"(
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %k, %one : tensor<i32>
    stablehlo.return %u, %j, %loss, %y : tensor<64x64xf32>, tensor<i32>, tensor<f32>,
        tensor<5x4x32x64xf32>
  }
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %loss = stablehlo.divide %r#2, %two : tensor<f32>
  %m = stablehlo.constant dense<1.0> : tensor<64x64xf32>
  %u = stablehlo.multiply %r#0, %m : tensor<64x64xf32>)");
  EXPECT_EQ(step.steps, 5);
  expect_all_sent(step, 5 * 4 * 32);
}

}  // namespace
}  // namespace tpulab::turn_microbatches_test
