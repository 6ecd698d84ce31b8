#include "engine/formats/turn_kinds.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/formats/stablehlo/stablehlo_step.h"

namespace tpulab::turn_kinds_test {
namespace {

const std::string adds_a_gradient = R"(
    %g{0} = stablehlo.dot_general %h{0}, %h{0}, contracting_dims = [0] x [0] : (tensor<32x64xf32>,
        tensor<32x64xf32>) -> tensor<64x64xf32>
    %s{1} = stablehlo.add %s{0}, %g{0} : tensor<64x64xf32>)";
const std::string goes_on_with_a_state = "%s{1} = stablehlo.add %s{0}, %h{0} : tensor<32x64xf32>\n";

std::string replaced(std::string text, std::string_view from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
  return text;
}

// Four turns, each of which takes one of 4 x 32 rows, without a loop. `turn` makes what the next
// one begins with, %s{1}, of rows times weights, %h{0}; `gradient` is made of what the last one
// leaves.
struct Program {
  std::string sums;
  std::string turn;
  std::string gradient;
  std::string before = "";
  std::string over = "%x";
  int rows = 32;
};

std::int64_t rows_of(const Program& program) {
  std::string turns =
      program.before +
      fmt::format("%s0 = stablehlo.constant dense<0.0> : tensor<{}xf32>\n", program.sums);
  for (int i = 0; i < 4; ++i) {
    turns += fmt::format(R"(
    %t{0} = stablehlo.slice {2} [{0}:{1}, 0:32, 0:64] : (tensor<4x32x64xf32>) -> tensor<1x32x64xf32>
    %r{0} = stablehlo.reshape %t{0} : (tensor<1x32x64xf32>) -> tensor<32x64xf32>
    %h{0} = stablehlo.dot_general %r{0}, %w, contracting_dims = [1] x [0] : (tensor<32x64xf32>,
        tensor<64x64xf32>) -> tensor<32x64xf32>
)",
                         i, i + 1, program.over) +
             fmt::format(fmt::runtime(program.turn), i, i + 1);
  }
  const std::string text =
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
                  turns, program.gradient);
  const std::string rows = std::to_string(program.rows);
  const ImportedStep step = import_stablehlo(
      replaced(replaced(text, "32x64", rows + "x64"), ":32", ":" + rows), "f.mlir");
  EXPECT_TRUE(step.trains);
  return step.rows;
}

const std::string of_the_sum =
    "%g = stablehlo.transpose %s4, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>";
const std::string of_the_state = R"(
    %g = stablehlo.dot_general %s4, %s4, contracting_dims = [0] x [0] : (tensor<32x64xf32>,
        tensor<32x64xf32>) -> tensor<64x64xf32>)";

TEST(WrittenTurns, that_add_up_gradients_are_of_microbatches) {
  EXPECT_EQ(rows_of({"64x64", adds_a_gradient, of_the_sum}), 4 * 32);
}

// As of a recurrent network, also where the gradients of each are added up.
TEST(WrittenTurns, that_go_on_with_a_state_have_its_rows) {
  EXPECT_EQ(rows_of({"32x64", goes_on_with_a_state, of_the_state}), 32);
  EXPECT_EQ(rows_of({"64x64", adds_a_gradient, R"(
    %along = stablehlo.add %h0, %h1 : tensor<32x64xf32>
    %last = stablehlo.dot_general %along, %along, contracting_dims = [0] x [0] :
        (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<64x64xf32>
    %g = stablehlo.add %last, %s4 : tensor<64x64xf32>)"}),
            32);
}

TEST(WrittenTurns, may_go_on_with_a_state_that_looks_like_the_weights) {
  EXPECT_EQ(
      rows_of(
          {.sums = "32x64", .turn = goes_on_with_a_state, .gradient = of_the_state, .rows = 64}),
      64);
}

TEST(WrittenTurns, may_take_what_was_made_of_the_rows) {
  EXPECT_EQ(rows_of({"32x64", goes_on_with_a_state, of_the_state, R"(
    %p = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<4x32x64xf32>,
        tensor<64x64xf32>) -> tensor<4x32x64xf32>
)",
                     "%p"}),
            32);
}

// As what is predicted of each comes out.
TEST(WrittenTurns, whose_rows_lie_below_each_other_may_be_of_microbatches) {
  EXPECT_EQ(rows_of({"64x64", adds_a_gradient, R"(
    %all = stablehlo.concatenate %h0, %h1, %h2, %h3, dim = 0 : (tensor<32x64xf32>,
        tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<128x64xf32>
)" + of_the_sum}),
            4 * 32);
}

// A turn that trains goes on with weights, none of which has rows.
TEST(WrittenTurns, that_are_steps_are_of_the_rows_of_all) {
  EXPECT_EQ(rows_of({"64x64", R"(
    %k{0} = stablehlo.dot_general %r{0}, %s{0}, contracting_dims = [1] x [0] : (tensor<32x64xf32>,
        tensor<64x64xf32>) -> tensor<32x64xf32>
    %g{0} = stablehlo.dot_general %k{0}, %h{0}, contracting_dims = [0] x [0] : (tensor<32x64xf32>,
        tensor<32x64xf32>) -> tensor<64x64xf32>
    %s{1} = stablehlo.subtract %s{0}, %g{0} : tensor<64x64xf32>)",
                     of_the_sum}),
            4 * 32);
}

// Turns of 32 rows that are written out, of which a value is `first` and another one `second`.
struct Turns {
  TurnKinds kinds{WeightShapes(std::vector<Shape>{{64, 64}})};
  std::int64_t count = 4;

  TakenRows of(std::int64_t index) const {
    return kinds.sliced({}, {count, 32, 64}, {1, 32, 64}, index);
  }
  TakenRows meet(const TakenRows& first, const TakenRows& second, const Shape& made, int axis,
                 bool beside = false) {
    return kinds.together(
        std::vector<TakenRows>{first, second},
        {made, [axis](std::size_t, int was) { return was < 0 ? was : axis; }, beside});
  }
  TurnKind kind() const { return kinds.along({count, 32, 64}, 0, {}).kind; }
};

TEST(TurnKinds, are_microbatches_where_sums_like_the_weights_meet) {
  Turns turns;
  const TakenRows sum = turns.meet(turns.of(0), turns.of(1), {64, 64}, summed_rows);
  ASSERT_EQ(sum.size(), 1u);
  EXPECT_EQ(sum[0].index, -1);
  EXPECT_EQ(turns.kind(), TurnKind::microbatches);
}

TEST(TurnKinds, are_time_where_rows_of_several_turns_meet) {
  Turns turns;
  turns.meet(turns.of(0), turns.of(1), {64, 64}, summed_rows);
  const TakenRows state = turns.meet(turns.of(0), turns.of(1), {32, 64}, 0);
  ASSERT_EQ(state.size(), 1u);
  EXPECT_EQ(state[0].index, -1);
  EXPECT_EQ(turns.kind(), TurnKind::time);
}

TEST(TurnKinds, are_neither_where_rows_lie_beside_each_other) {
  Turns turns;
  EXPECT_TRUE(turns.meet(turns.of(0), turns.of(1), {64, 64}, 0, true).empty());
  EXPECT_TRUE(turns.meet(turns.of(0), {}, {128, 64}, laid_apart, true).empty());
  EXPECT_EQ(turns.kind(), TurnKind::neither);
}

TEST(TurnKinds, are_neither_where_a_turn_meets_itself_or_a_number_is_left) {
  Turns turns;
  EXPECT_EQ(turns.meet(turns.of(1), turns.of(1), {64, 64}, summed_rows)[0].index, 1);
  EXPECT_TRUE(turns.meet(turns.of(0), turns.of(1), {1, 1}, summed_rows).empty());
  EXPECT_EQ(turns.kind(), TurnKind::neither);
}

// As the weights of a step before: the rows of one turn stay its own.
TEST(TurnKinds, are_not_time_where_rows_meet_a_sum_of_other_turns) {
  Turns turns;
  const TakenRows weights = turns.meet(turns.of(0), {}, {64, 64}, summed_rows);
  const TakenRows made = turns.meet(turns.of(1), weights, {32, 64}, 0);
  ASSERT_EQ(made.size(), 1u);
  EXPECT_EQ(made[0].index, 1);
  EXPECT_EQ(turns.kind(), TurnKind::neither);
}

// As of views that are compared.
TEST(TurnKinds, of_two_have_their_rows_too) {
  Turns turns{.count = 2};
  turns.meet(turns.of(0), turns.of(1), {64, 64}, summed_rows);
  EXPECT_EQ(turns.kind(), TurnKind::microbatches);
  turns.meet(turns.of(0), turns.of(1), {32, 8}, 0);
  EXPECT_EQ(turns.kind(), TurnKind::time);
}

// A loop that takes one of 4 x 32 rows a turn and hands on what has them.
void go_along_time(TurnKinds& kinds, const Shape& from, int axis) {
  kinds.enter_loop({});
  const Shape part = Shape(from.extents().subspan(1)).of_rows(1);
  std::vector<TakenRows> left{kinds.sliced({}, from, part, std::nullopt)};
  for (RowsOfTurn& one : left[0]) one.axis = one.behind == axis ? 0 : summed_rows;
  kinds.leave_loop(left, std::vector<Shape>{{from[axis], 64}});
  EXPECT_TRUE(left[0].empty());
}

TEST(TurnKinds, are_time_where_a_loop_goes_on_with_rows) {
  Turns turns;
  go_along_time(turns.kinds, {4, 32, 64}, 1);
  EXPECT_EQ(turns.kind(), TurnKind::time);
  // All but the last one.
  EXPECT_EQ(turns.kinds.along({5, 32, 64}, 0, {}).rows_axis, 1);
  EXPECT_EQ(turns.kinds.along({6, 32, 64}, 0, {}).kind, TurnKind::neither);
}

// As layers inside of each microbatch, of which there are as many.
TEST(TurnKinds, are_microbatches_though_deeper_loops_take_as_many) {
  Turns turns;
  turns.meet(turns.of(0), turns.of(1), {64, 64}, summed_rows);
  go_along_time(turns.kinds, {4, 32, 64}, 1);
  EXPECT_EQ(turns.kind(), TurnKind::microbatches);
}

TEST(TurnKinds, are_time_in_chunks_with_rows_two_axes_behind) {
  Turns turns;
  go_along_time(turns.kinds, {4, 16, 32, 64}, 2);
  EXPECT_EQ(turns.kinds.along({4, 16, 32, 64}, 0, {}).rows_axis, 2);
}

// As where each chunk is computed again.
TEST(TurnKinds, inside_of_chunks_are_those_of_all_chunks) {
  TurnKinds kinds{WeightShapes(std::vector<Shape>{{64, 64}})};
  kinds.enter_loop({});
  const TakenRows chunk = kinds.sliced({}, {8, 16, 32, 64}, {1, 16, 32, 64}, std::nullopt);
  const std::vector<TakenRows> one{chunk};
  const TakenRows reshaped =
      kinds.together(one, {{16, 32, 64}, [](std::size_t, int was) { return was - 1; }, false, {}});
  kinds.enter_loop({});
  std::vector<TakenRows> left{kinds.sliced(reshaped, {16, 32, 64}, {1, 32, 64}, std::nullopt)};
  kinds.leave_loop(left, std::vector<Shape>{{1, 32, 64}});
  EXPECT_EQ(kinds.along({8 * 16, 32, 64}, 0, {}).rows_axis, 1);
}

TEST(TurnKinds, of_an_unrolled_loop_are_those_that_each_turn_takes_at_once) {
  Turns turns;
  turns.kinds.enter_loop({});
  const TakenRows two = turns.kinds.sliced({}, {8, 2, 32, 64}, {1, 2, 32, 64}, std::nullopt);
  const TakenRows one = turns.kinds.sliced(two, {1, 2, 32, 64}, {1, 1, 32, 64}, 0);
  const auto found = std::ranges::find(one, 16, &RowsOfTurn::turns);
  ASSERT_NE(found, one.end());
  EXPECT_EQ(found->rows, 32);
  EXPECT_EQ(found->axis, 2);
}

}  // namespace
}  // namespace tpulab::turn_kinds_test
