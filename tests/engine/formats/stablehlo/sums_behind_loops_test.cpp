#include "engine/formats/stablehlo/sums_behind_loops.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <string>

#include "engine/formats/stablehlo/parser.h"
#include "engine/formats/stablehlo/stablehlo_step.h"
#include "tests/engine/formats/stablehlo/collective_calls.h"

namespace tpulab::sums_behind_loops_test {
namespace {

using test::name_of_call;

// Four devices go over eight microbatches. %g is a product over rows that they divide, %c what the
// turns before have left.
struct Turn {
  std::string adds = "    %s = stablehlo.add %c, %g : tensor<64x64xf32>";
  std::string starts = "stablehlo.constant dense<0.0> : tensor<64x64xf32>";
  std::string asks =
      "    %more = stablehlo.compare LT, %b, %n, SIGNED : (tensor<i32>, tensor<i32>) "
      "-> tensor<i1>";
  std::string carried = "64x64xf32";
};

std::string text_of(const Turn& turn) {
  return fmt::format(R"(module @m attributes {{mhlo.num_partitions = 4 : i32}} {{
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%w: tensor<64x64xf32>, %x: tensor<8x32x64xf32>
      {{sdy.sharding = #sdy.sharding<@mesh, [{{}}, {{"x"}}, {{}}]>}}) -> tensor<{3}> {{
    %first = stablehlo.constant dense<0> : tensor<i32>
    %zero = {1}
    %0:4 = stablehlo.while(%a = %x, %b = %first, %c = %zero, %d = %w) : tensor<8x32x64xf32>,
        tensor<i32>, tensor<{3}>, tensor<64x64xf32>
    cond {{
      %n = stablehlo.constant dense<8> : tensor<i32>
  {2}
      stablehlo.return %more : tensor<i1>
    }} do {{
      %none = stablehlo.constant dense<0> : tensor<i32>
      %1 = stablehlo.dynamic_slice %a, %b, %none, %none, sizes = [1, 32, 64] :
          (tensor<8x32x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x64xf32>
      %2 = stablehlo.reshape %1 : (tensor<1x32x64xf32>) -> tensor<32x64xf32>
      %3 = stablehlo.dot_general %2, %d, contracting_dims = [1] x [0] : (tensor<32x64xf32>,
          tensor<64x64xf32>) -> tensor<32x64xf32>
      %g = stablehlo.dot_general %2, %3, contracting_dims = [0] x [0] : (tensor<32x64xf32>,
          tensor<32x64xf32>) -> tensor<64x64xf32>
  {0}
      %one = stablehlo.constant dense<1> : tensor<i32>
      %7 = stablehlo.add %b, %one : tensor<i32>
      stablehlo.return %a, %7, %s, %d : tensor<8x32x64xf32>, tensor<i32>, tensor<{3}>,
          tensor<64x64xf32>
    }}
    return %0#2 : tensor<{3}>
  }}
}}
)",
                     turn.adds, turn.starts, turn.asks, turn.carried);
}

// Bytes of all-reduces -> how many turns have one; 1: it stands behind the loop.
using Sums = std::multimap<std::int64_t, std::int64_t>;
Sums sums_of(const Turn& turn) {
  Sums sums;
  const ImportedStep step = import_stablehlo(text_of(turn), "f.mlir");
  test::for_each_call(step, [&](const CollectiveWork& call, const Block& block) {
    if (name_of_call(call) == "all-reduce") sums.emplace(call.bytes.value, block.repeats);
  });
  return sums;
}

constexpr std::int64_t bytes = 64 * 64 * 4;

TEST(SumsBehindLoops, are_made_once_of_what_turns_only_add_up) {
  EXPECT_EQ(sums_of({}), (Sums{{bytes, 1}}));
  // Whatever it starts with, and under another form.
  EXPECT_EQ(sums_of({.starts = "stablehlo.add %w, %w : tensor<64x64xf32>"}), (Sums{{bytes, 1}}));
  EXPECT_EQ(sums_of({.adds = R"(
      %t = stablehlo.transpose %g, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
      %s = stablehlo.add %t, %c : tensor<64x64xf32>)"}),
            (Sums{{bytes, 1}}));
  EXPECT_EQ(sums_of({.adds = R"(
      %k = stablehlo.reshape %g : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
      %nothing = stablehlo.constant dense<0.0> : tensor<f32>
      %t = stablehlo.reduce(%k init: %nothing) applies stablehlo.add across dimensions = [0] :
          (tensor<1x64x64xf32>, tensor<f32>) -> tensor<64x64xf32>
      %s = stablehlo.add %c, %t : tensor<64x64xf32>)"}),
            (Sums{{bytes, 1}}));
}

// Numbers of a narrow one are added up in a wider one.
TEST(SumsBehindLoops, are_exchanged_in_the_type_of_a_turn) {
  EXPECT_EQ(sums_of({.adds = R"(
      %h = stablehlo.dot_general %2, %3, contracting_dims = [0] x [0] : (tensor<32x64xf32>,
          tensor<32x64xf32>) -> tensor<64x64xbf16>
      %t = stablehlo.convert %h : (tensor<64x64xbf16>) -> tensor<64x64xf32>
      %s = stablehlo.add %c, %t : tensor<64x64xf32>)"}),
            (Sums{{bytes / 2, 1}}));
}

TEST(SumsBehindLoops, stay_in_each_turn_that_does_more_with_them) {
  const Sums each{{bytes, 8}};
  EXPECT_EQ(sums_of({.adds = R"(
      %t = stablehlo.tanh %g : tensor<64x64xf32>
      %s = stablehlo.add %c, %t : tensor<64x64xf32>)"}),
            each);
  EXPECT_EQ(sums_of({.adds = R"(
      %t = stablehlo.add %c, %g : tensor<64x64xf32>
      %s = stablehlo.add %c, %t : tensor<64x64xf32>)"}),
            each);
  EXPECT_EQ(sums_of({.adds = R"(
      %t = stablehlo.add %c, %g : tensor<64x64xf32>
      %s = stablehlo.tanh %t : tensor<64x64xf32>)"}),
            each);
  EXPECT_EQ(sums_of({.adds = "    %s = stablehlo.subtract %c, %g : tensor<64x64xf32>"}), each);
}

TEST(SumsBehindLoops, stay_where_the_loop_goes_on_by_them) {
  EXPECT_EQ(sums_of({.asks = R"(
      %nothing = stablehlo.constant dense<0.0> : tensor<f32>
      %all = stablehlo.reduce(%c init: %nothing) applies stablehlo.add across dimensions = [0, 1] :
          (tensor<64x64xf32>, tensor<f32>) -> tensor<f32>
      %less = stablehlo.compare LE, %all, %nothing, FLOAT : (tensor<f32>, tensor<f32>) ->
          tensor<i1>
      %early = stablehlo.compare LT, %b, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %more = stablehlo.and %less, %early : tensor<i1>)"}),
            (Sums{{bytes, 8}}));
}

// The largest of it and what the turns before have left is no other form of that.
TEST(SumsBehindLoops, stay_where_a_reduction_begins_with_what_was_added_up) {
  const Turn turn{.adds = R"(
      %nothing = stablehlo.constant dense<0.0> : tensor<f32>
      %q = stablehlo.reduce(%3 init: %nothing) applies stablehlo.add across dimensions = [0, 1] :
          (tensor<32x64xf32>, tensor<f32>) -> tensor<f32>
      %k = stablehlo.constant dense<1.0> : tensor<1xf32>
      %t = stablehlo.reduce(%k init: %c) applies stablehlo.maximum across dimensions = [0] :
          (tensor<1xf32>, tensor<f32>) -> tensor<f32>
      %s = stablehlo.add %t, %q : tensor<f32>)",
                  .starts = "stablehlo.constant dense<0.0> : tensor<f32>",
                  .carried = "f32"};
  EXPECT_TRUE(sums_of(turn).contains(4));
  EXPECT_EQ(sums_of(turn).find(4)->second, 8);
}

// Each of 8,000 sums reads what comes of as many changes of form.
TEST(SumsBehindLoops, are_looked_for_at_once_where_very_many_read_the_same) {
  std::string carried;
  std::string types;
  std::string forms;
  std::string sums;
  std::string left;
  for (int i = 0; i < 8'000; ++i) {
    const char* const comma = i == 0 ? "" : ", ";
    carried += fmt::format("{}%c{} = %w", comma, i);
    types += fmt::format("{}tensor<2x2xf32>", comma);
    left += fmt::format("{}%s{}", comma, i);
    forms += fmt::format(
        "%g{} = stablehlo.transpose %g{}, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>\n",
        i + 1, i);
    sums += fmt::format("%s{0} = stablehlo.add %c{0}, %g8000 : tensor<2x2xf32>\n", i);
  }
  stablehlo::Module module =
      stablehlo::parse(fmt::format(R"(func.func @main(%w: tensor<2x2xf32>) -> tensor<2x2xf32> {{
  %0:8000 = stablehlo.while({}) : {}
  cond {{
    %more = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %more : tensor<i1>
  }} do {{
    %g0 = stablehlo.tanh %w : tensor<2x2xf32>
    {}{}stablehlo.return {} : {}
  }}
  return %0#0 : tensor<2x2xf32>
}})",
                                   carried, types, forms, sums, left, types),
                       "f.mlir");
  const auto before = std::chrono::steady_clock::now();
  stablehlo::sum_behind_loops(module, module.functions[0].body);
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(8));
  EXPECT_EQ(module.functions[0].body.operations.size(), 2);
}

}  // namespace
}  // namespace tpulab::sums_behind_loops_test
