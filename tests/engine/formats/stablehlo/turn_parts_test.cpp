#include "engine/formats/stablehlo/turn_parts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/formats/stablehlo/parser.h"
#include "engine/formats/stablehlo/stablehlo_step.h"

namespace tpulab::turn_parts_test {
namespace {

constexpr int weight_bytes = 8 * 8 * 4;
constexpr int data_bytes = 96 * 8 * 4;

struct Program {
  int turns = 6;         // each a step
  std::string before{};  // the loop
  std::string cut{};     // of a turn, which makes %b of 16 rows, or of as many as `rows`
  int rows = 16;
  std::string given = "";  // more arguments
};

// w [8,8] less the product of the batch with itself, whose sum is the loss; x has 96 rows.
ImportedStep read(const Program& program) {
  return import_stablehlo(
      fmt::format(R"(
func.func @main(%w: tensor<8x8xf32>, %x: tensor<96x8xf32>{3}) -> (tensor<8x8xf32>, tensor<f32>) {{
  %none = stablehlo.constant dense<0> : tensor<i32>
  %nothing = stablehlo.constant dense<0.0> : tensor<f32>
  {1}
  %r:3 = stablehlo.while(%v = %w, %i = %none, %l = %nothing) : tensor<8x8xf32>, tensor<i32>,
      tensor<f32>
  cond {{
    %n = stablehlo.constant dense<{0}> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    {2}
    %p = stablehlo.dot_general %b, %b, contracting_dims = [0] x [0] : (tensor<{4}x8xf32>,
        tensor<{4}x8xf32>) -> tensor<8x8xf32>
    %u = stablehlo.subtract %v, %p : tensor<8x8xf32>
    %s = stablehlo.reduce(%p init: %nothing) applies stablehlo.add across dimensions = [0, 1] :
        (tensor<8x8xf32>, tensor<f32>) -> tensor<f32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %u, %j, %s : tensor<8x8xf32>, tensor<i32>, tensor<f32>
  }}
  return %r#0, %r#2 : tensor<8x8xf32>, tensor<f32>
}}
)",
                  program.turns, program.before, program.cut, program.given, program.rows),
      "f.mlir");
}

// `rows` of `from`, by the numbers `by`.
std::string gather(std::string_view to, std::string_view from, std::string_view by, int rows) {
  return fmt::format(
      "%{} = \"stablehlo.gather\"(%{}, %{}) <{{dimension_numbers = #stablehlo.gather<offset_dims = "
      "[1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes "
      "= array<i64: 1, 8>}}> : (tensor<96x8xf32>, tensor<{}x1xi32>) -> tensor<{}x8xf32>\n",
      to, from, by, rows, rows);
}

// Others in each turn.
constexpr std::string_view random_rows =
    "%q = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<i32>) -> tensor<16x1xi32>\n";
constexpr std::string_view in_batches =
    "%d = stablehlo.reshape %{} : (tensor<96x8xf32>) -> tensor<6x16x8xf32>\n";
constexpr std::string_view one_batch = R"(
    %t = stablehlo.dynamic_slice %d, %i, %none, %none, sizes = [1, 16, 8] : (tensor<6x16x8xf32>,
        tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x8xf32>
    %b = stablehlo.reshape %t : (tensor<1x16x8xf32>) -> tensor<16x8xf32>)";

void expect_kept(const ImportedStep& step, std::int64_t rows) {
  EXPECT_EQ(step.rows, rows);
  EXPECT_EQ(step.work.batch.value, 0);
  EXPECT_EQ(step.stays.value, data_bytes + weight_bytes);
}

TEST(TurnParts, that_are_gathered_are_the_rows_of_a_step_and_their_data_set_stays) {
  const ImportedStep step = read({.cut = std::string(random_rows) + gather("b", "x", "q", 16)});
  EXPECT_EQ(step.steps, 6);
  expect_kept(step, 6 * 16);
}

TEST(TurnParts, that_begin_anywhere_are_rows_of_a_data_set_that_stays) {
  expect_kept(read({.cut = R"(
    %b = stablehlo.dynamic_slice %x, %i, %none, sizes = [16, 8] : (tensor<96x8xf32>, tensor<i32>,
        tensor<i32>) -> tensor<16x8xf32>)"}),
              6 * 16);
}

TEST(TurnParts, that_are_all_read_once_in_their_order_are_sent) {
  const ImportedStep step =
      read({.before = fmt::format(in_batches, "x"), .cut = std::string(one_batch)});
  EXPECT_EQ(step.rows, 6 * 16);
  EXPECT_EQ(step.work.batch.value, data_bytes);
}

TEST(TurnParts, that_are_read_twice_or_shuffled_first_stay) {
  expect_kept(
      read({.turns = 12, .before = fmt::format(in_batches, "x"), .cut = std::string(one_batch)}),
      12 * 16);
  expect_kept(read({.before = "%m = stablehlo.constant dense<0> : tensor<96x1xi32>\n" +
                              gather("o", "x", "m", 96) + fmt::format(in_batches, "o"),
                    .cut = std::string(one_batch)}),
              6 * 16);
}

// Whole numbers that each become as many: all of them are read once all the same.
TEST(TurnParts, are_counted_in_turns_where_elements_become_more) {
  const ImportedStep step = read({.before = R"(
  %m = stablehlo.convert %k : (tensor<96xi32>) -> tensor<96xf32>
  %o = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<96xf32>) -> tensor<96x8xf32>
)" + fmt::format(in_batches, "o"),
                                  .cut = std::string(one_batch),
                                  .given = ", %k: tensor<96xi32>"});
  EXPECT_EQ(step.rows, 6 * 16);
  EXPECT_EQ(step.work.batch.value, 96 * 4);
}

// Scaled as a whole first, and its mean taken; a turn has a part of it all the same.
TEST(TurnParts, of_what_is_computed_before_the_loop_are_the_rows_of_a_step) {
  const ImportedStep step = read({.before = R"(
  %sum = stablehlo.reduce(%x init: %nothing) applies stablehlo.add across dimensions = [0, 1] :
      (tensor<96x8xf32>, tensor<f32>) -> tensor<f32>
  %mean = stablehlo.broadcast_in_dim %sum, dims = [] : (tensor<f32>) -> tensor<96x8xf32>
  %z = stablehlo.subtract %x, %mean : tensor<96x8xf32>
)" + fmt::format(in_batches, "z"),
                                  .cut = std::string(one_batch)});
  EXPECT_EQ(step.rows, 6 * 16);
}

TEST(TurnParts, are_none_of_what_each_turn_reads_as_a_whole) {
  const ImportedStep step =
      read({.cut = "%b = stablehlo.add %x, %x : tensor<96x8xf32>", .rows = 96});
  EXPECT_EQ(step.rows, 6 * 96);
  EXPECT_EQ(step.work.batch.value, data_bytes);
}

// 6 x 16 numbers, as a host draws them: they are sent, what they choose from stays.
TEST(TurnParts, chosen_by_an_argument_have_its_rows) {
  const ImportedStep step = read({.cut = R"(
    %t = stablehlo.dynamic_slice %k, %i, %none, sizes = [1, 16] : (tensor<6x16xi32>, tensor<i32>,
        tensor<i32>) -> tensor<1x16xi32>
    %q = stablehlo.reshape %t : (tensor<1x16xi32>) -> tensor<16x1xi32>
)" + gather("b", "x", "q", 16),
                                  .given = ", %k: tensor<6x16xi32>"});
  EXPECT_EQ(step.rows, 6 * 16);
  EXPECT_EQ(step.work.batch.value, 6 * 16 * 4);
  EXPECT_EQ(step.stays.value, data_bytes + weight_bytes);
}

// Of a frozen table of 96 positions each turn reads the first 16, beside all of 64 rows.
TEST(TurnParts, that_are_the_same_in_each_turn_are_no_rows) {
  const std::string used = gather("g", "x", "q", 16) + R"(
    %m = stablehlo.dot_general %g, %g, contracting_dims = [0] x [0] : (tensor<16x8xf32>,
        tensor<16x8xf32>) -> tensor<8x8xf32>
    %b = stablehlo.dot_general %k, %m, contracting_dims = [1] x [0] : (tensor<64x8xf32>,
        tensor<8x8xf32>) -> tensor<64x8xf32>)";
  for (const std::string_view positions : {"%q = stablehlo.iota dim = 0 : tensor<16x1xi32>\n",
                                           "%a = stablehlo.constant dense<1> : tensor<16x1xi32>\n"
                                           "    %q = stablehlo.add %a, %a : tensor<16x1xi32>\n"}) {
    const ImportedStep step =
        read({.cut = std::string(positions) + used, .rows = 64, .given = ", %k: tensor<64x8xf32>"});
    EXPECT_EQ(step.rows, 6 * 64) << positions;
    EXPECT_EQ(step.stays.value, data_bytes + weight_bytes) << positions;
  }
}

// An order of 96 numbers that is applied before the loop is no batch of 96.
TEST(TurnParts, leave_out_what_is_read_before_the_loop_alone) {
  const ImportedStep step =
      read({.before = "%m = stablehlo.reshape %k : (tensor<96xi32>) -> tensor<96x1xi32>\n" +
                      gather("o", "x", "m", 96) + fmt::format(in_batches, "o"),
            .cut = std::string(one_batch),
            .given = ", %k: tensor<96xi32>"});
  EXPECT_EQ(step.rows, 6 * 16);
}

std::vector<TurnPart> parts_in(std::string text, const std::vector<bool>& asked) {
  const stablehlo::Module module = stablehlo::parse(std::move(text), "f.mlir", 0);
  const std::vector<Type> types(asked.size(), {{8, 4}, DType::f32});
  return stablehlo::parts_of_turns(
      module, module.functions.front(),
      {.asked = asked, .types = types, .loops_of_steps = {}, .weights = WeightShapes({})});
}

TEST(TurnParts, are_none_of_arrays_that_are_combined_element_by_element) {
  for (const TurnPart& one :
       parts_in("func.func @main(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>) -> tensor<8x4xf32> {\n"
                "  %0 = stablehlo.subtract %x, %y : tensor<8x4xf32>\n"
                "  return %0 : tensor<8x4xf32>\n}",
                {true, true})) {
    EXPECT_FALSE(one.part);
    EXPECT_FALSE(one.outside);
  }
}

// Functions that each call the next one twice, 11 deep, with 400 operands: they are not followed.
TEST(TurnParts, are_none_of_calls_that_copy_very_many_operands) {
  std::string names = "%x";
  std::string given = "%x: tensor<96xf32>";
  std::string types = "tensor<96xf32>";
  for (int i = 1; i < 400; ++i) {
    names += ", %x";
    given += fmt::format(", %x{}: tensor<96xf32>", i);
    types += ", tensor<96xf32>";
  }
  const auto call = [&](int to) {
    return fmt::format("func.call @f{}({}) : ({}) -> tensor<96xf32>\n", to, names, types);
  };
  std::string text =
      "func.func @main(%x: tensor<96xf32>, %i: tensor<i32>) -> tensor<16xf32> {\n  %a = " +
      call(0) +
      "  %b = stablehlo.dynamic_slice %a, %i, sizes = [16] : (tensor<96xf32>, tensor<i32>) -> "
      "tensor<16xf32>\n"
      "  %c = stablehlo.dot_general %b, %b, contracting_dims = [0] x [0] : "
      "(tensor<16xf32>, tensor<16xf32>) -> tensor<f32>\n"
      "  return %b : tensor<16xf32>\n}\n";
  for (int i = 0; i < 11; ++i) {
    text += fmt::format("func.func private @f{}({}) -> tensor<96xf32> {{\n  %a = {}  %b = {}", i,
                        given, call(i + 1), call(i + 1));
    text += "  return %b : tensor<96xf32>\n}\n";
  }
  text += fmt::format(
      "func.func private @f11({}) -> tensor<96xf32> {{\n  return %x : tensor<96xf32>\n}}\n", given);
  EXPECT_FALSE(parts_in(std::move(text), {true, false})[0].part);
}

// Eight devices gather two rows each of their 12, by an argument that is no batch.
TEST(TurnParts, inside_of_a_shard_map_are_those_of_all_devices) {
  const auto parts = parts_in(R"(
sdy.mesh @mesh = <["x"=8]>
func.func @main(%x: tensor<96x8xf32>, %k: tensor<2x1xi32>) -> tensor<16x8xf32> {
  %r = sdy.manual_computation(%x, %k) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{}, {}]>]
      out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"}
      (%a: tensor<12x8xf32>, %q: tensor<2x1xi32>) {
    %g = "stablehlo.gather"(%a, %q) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
        collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes =
        array<i64: 1, 8>}> : (tensor<12x8xf32>, tensor<2x1xi32>) -> tensor<2x8xf32>
    %s = stablehlo.tanh %g : tensor<2x8xf32>
    sdy.return %s : tensor<2x8xf32>
  } : (tensor<96x8xf32>, tensor<2x1xi32>) -> tensor<16x8xf32>
  return %r : tensor<16x8xf32>
})",
                              {true, false});
  EXPECT_TRUE(parts[0].part);
  EXPECT_EQ(parts[0].rows, 16);
  EXPECT_EQ(parts[0].elements, 16 * 8);
}

}  // namespace
}  // namespace tpulab::turn_parts_test
