#include "engine/formats/written_turns.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/formats/stablehlo/stablehlo_step.h"

namespace tpulab::written_turns_test {
namespace {

const std::string adds_a_gradient = R"(
    %g{0} = stablehlo.dot_general %h{0}, %h{0}, contracting_dims = [0] x [0] : (tensor<32x64xf32>,
        tensor<32x64xf32>) -> tensor<64x64xf32>
    %s{1} = stablehlo.add %s{0}, %g{0} : tensor<64x64xf32>)";
const std::string goes_on_with_a_state = "%s{1} = stablehlo.add %s{0}, %h{0} : tensor<32x64xf32>\n";

// Four turns, each of which takes one of 4 x 32 rows, without a loop. `turn` makes what the next
// one begins with, %s{1}, of rows times weights, %h{0}; `gradient` is made of what the last one
// leaves.
std::int64_t rows_of(const std::string& sums, const std::string& turn,
                     const std::string& gradient) {
  std::string turns = fmt::format("%s0 = stablehlo.constant dense<0.0> : tensor<{}xf32>\n", sums);
  for (int i = 0; i < 4; ++i) {
    turns += fmt::format(R"(
    %t{0} = stablehlo.slice %x [{0}:{1}, 0:32, 0:64] : (tensor<4x32x64xf32>) -> tensor<1x32x64xf32>
    %r{0} = stablehlo.reshape %t{0} : (tensor<1x32x64xf32>) -> tensor<32x64xf32>
    %h{0} = stablehlo.dot_general %r{0}, %w, contracting_dims = [1] x [0] : (tensor<32x64xf32>,
        tensor<64x64xf32>) -> tensor<32x64xf32>
)",
                         i, i + 1) +
             fmt::format(fmt::runtime(turn), i, i + 1);
  }
  const ImportedStep step = import_stablehlo(
      fmt::format(R"(func.func @main(%w: tensor<64x64xf32>, %x: tensor<4x32x64xf32>) ->
      (tensor<64x64xf32>, tensor<f32>) {{
    {}
    {}
    %nothing = stablehlo.constant dense<0.0> : tensor<f32>
    %u = stablehlo.subtract %w, %g : tensor<64x64xf32>
    %loss = stablehlo.reduce(%g init: %nothing) applies stablehlo.add across dimensions = [0, 1] :
        (tensor<64x64xf32>, tensor<f32>) -> tensor<f32>
    return %u, %loss : tensor<64x64xf32>, tensor<f32>
}}
)",
                  turns, gradient),
      "f.mlir");
  EXPECT_TRUE(step.trains);
  return step.rows;
}

TEST(WrittenTurns, that_add_up_gradients_are_of_microbatches) {
  EXPECT_EQ(rows_of("64x64", adds_a_gradient,
                    "%g = stablehlo.transpose %s4, dims = [1, 0] : (tensor<64x64xf32>) -> "
                    "tensor<64x64xf32>"),
            4 * 32);
}

// As of a recurrent network, also where the gradients of each are added up.
TEST(WrittenTurns, that_go_on_with_a_state_have_its_rows) {
  EXPECT_EQ(rows_of("32x64", goes_on_with_a_state, R"(
    %g = stablehlo.dot_general %s4, %s4, contracting_dims = [0] x [0] : (tensor<32x64xf32>,
        tensor<32x64xf32>) -> tensor<64x64xf32>)"),
            32);
  EXPECT_EQ(rows_of("64x64", adds_a_gradient, R"(
    %along = stablehlo.add %h0, %h1 : tensor<32x64xf32>
    %last = stablehlo.dot_general %along, %along, contracting_dims = [0] x [0] :
        (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<64x64xf32>
    %g = stablehlo.add %last, %s4 : tensor<64x64xf32>)"),
            32);
}

TEST(WrittenTurns, are_of_several_where_they_meet) {
  const WrittenTurn first{.turns = 4, .rows = 32, .index = 0};
  const WrittenTurn second{.turns = 4, .rows = 32, .index = 1};
  EXPECT_EQ(first.with({}).index, 0);
  EXPECT_EQ(WrittenTurn().with(second).index, 1);
  EXPECT_EQ(first.with(second).index, -1);
  EXPECT_EQ(first.with(second).with(first).index, -1);
}

// As of the ends of edges, or of views that are compared.
TEST(WrittenTurns, that_are_two_and_meet_are_neither_microbatches_nor_time) {
  const WeightShapes weights(std::vector<Shape>{{64, 64}});
  WrittenTurns turns;
  const WrittenTurn met{.turns = 2, .rows = 32, .index = -1};
  turns.meet(met, std::vector<Shape>{{64, 64}, {64, 64}}, weights);
  EXPECT_EQ(turns.microbatches(weights), (WrittenTurns::Axes{{2, 32}}));
  turns.meet(met, std::vector<Shape>{{32, 8}, {32, 8}}, weights);
  EXPECT_TRUE(turns.microbatches(weights).empty());
  EXPECT_TRUE(turns.along().empty());
}

TEST(WrittenTurns, tell_nothing_where_what_meets_is_neither) {
  const WeightShapes weights(std::vector<Shape>{{64, 64}});
  WrittenTurns turns;
  const WrittenTurn met{.turns = 4, .rows = 32, .index = -1};
  turns.meet(met, std::vector<Shape>{{64, 64}, {32, 64}}, weights);
  turns.meet(met, std::vector<Shape>{Shape{}, Shape{}}, weights);
  EXPECT_TRUE(turns.microbatches(weights).empty());
  EXPECT_TRUE(turns.along().empty());
}

}  // namespace
}  // namespace tpulab::written_turns_test
