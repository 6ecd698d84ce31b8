#include "engine/formats/step_arguments.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace tpulab::step_arguments_test {
namespace {

constexpr std::string_view file = "f.mlir";
const Type rows{{8, 64}, DType::f32};
const Type weight{{64, 64}, DType::f32};
const Type cache{{8, 2048, 64}, DType::bf16};
const Type number{Shape{}, DType::f32};

TEST(StepArguments, of_a_step_with_a_loss_come_back_in_their_order) {
  const std::vector<Type> given{weight, weight, rows};
  const std::vector<Type> made{number, weight, weight};
  const StepArguments found = step_arguments(file, given, made, {-1, -1, -1});
  EXPECT_TRUE(found.trains);
  EXPECT_EQ(found.loss, 0);
  EXPECT_EQ(found.successors, (std::vector<int>{1, 2, -1}));
}

TEST(StepArguments, train_without_a_loss_where_most_of_them_are_taken_over) {
  const std::vector<Type> given{weight, rows};
  const std::vector<Type> made{weight};
  EXPECT_TRUE(step_arguments(file, given, made, {0, -1}).trains);
  EXPECT_FALSE(step_arguments(file, given, made, {-1, -1}).trains);  // W x of as many rows
}

// The rate of learning is a number too, and does not come back.
TEST(StepArguments, leave_a_step_its_loss_where_one_of_them_is_a_number) {
  const std::vector<Type> given{weight, rows, number};
  const std::vector<Type> made{weight, number};
  const StepArguments found = step_arguments(file, given, made, {-1, -1, -1});
  EXPECT_EQ(found.loss, 1);
  EXPECT_EQ(found.successors, (std::vector<int>{0, -1, -1}));
}

// A placeholder of an optimizer is made of nothing, a norm of weights alone.
TEST(StepArguments, know_the_loss_by_what_it_is_made_of) {
  const std::vector<Type> given{weight, rows};
  const std::vector<Type> made{{{1}, DType::f32}, number, weight, number, number};
  const auto behind = [](int result) {
    return std::vector<bool>{result > 0, result == 3 || result == 4};
  };
  EXPECT_EQ(step_arguments(file, given, made, {-1, -1}, {.made_of = behind}).loss, 3);
}

// Adafactor has three of them for each array.
TEST(StepArguments, know_the_loss_behind_any_number_of_placeholders) {
  const Type placeholder{{1}, DType::f32};
  const std::vector<Type> given{weight, rows};
  std::vector<Type> made{weight};
  made.resize(200, placeholder);
  made.push_back(number);
  const auto behind = [](int result) { return std::vector<bool>{true, result == 200}; };
  EXPECT_EQ(step_arguments(file, given, made, {-1, -1}, {.made_of = behind}).loss, 200);
}

TEST(StepArguments, know_a_loss_of_one_row) {
  const std::vector<Type> given{weight, rows};
  const std::vector<Type> made{weight, {{1}, DType::f32}};
  EXPECT_EQ(step_arguments(file, given, made, {-1, -1}).loss, 1);
}

// JAX gives the memory of a scalar of its state to the loss.
TEST(StepArguments, leave_a_step_its_loss_where_it_takes_over_a_number) {
  const std::vector<Type> given{number, weight, rows};
  const std::vector<Type> made{number, weight, number};
  const StepArguments found = step_arguments(file, given, made, {0, 1, -1});
  EXPECT_EQ(found.loss, 0);
  EXPECT_EQ(found.successors, (std::vector<int>{-1, 1, -1}));
}

// Sums that are carried on are no weights.
TEST(StepArguments, of_an_evaluation_that_carries_its_sums_are_a_call) {
  const std::vector<Type> given{weight, number, rows};
  const std::vector<Type> made{number};
  EXPECT_FALSE(step_arguments(file, given, made, {-1, 0, -1}).trains);
}

// Cache and token are taken over, and are more than the weights.
TEST(StepArguments, of_a_decoding_step_that_returns_its_token_are_a_call) {
  const Type token{{8}, DType::s32};
  const std::vector<Type> given{token, cache, weight};
  const std::vector<Type> made{token, cache};
  EXPECT_FALSE(step_arguments(file, given, made, {0, 1, -1}).trains);
  EXPECT_FALSE(step_arguments(file, given, made, {-1, 1, -1}).trains);
}

// y = f(W x) of as many rows is no new x, and W no batch.
TEST(StepArguments, of_a_block_are_a_call_though_its_result_has_the_type_of_one) {
  const std::vector<Type> given{rows, weight, weight};
  const std::vector<Type> made{rows};
  const StepArguments found = step_arguments(file, given, made, {-1, -1, -1});
  EXPECT_FALSE(found.trains);
  EXPECT_EQ(found.successors, (std::vector<int>{-1, -1, -1}));
}

TEST(StepArguments, of_a_decoding_step_are_a_call_whose_cache_comes_back) {
  const std::vector<Type> given{rows, weight, cache};
  const std::vector<Type> made{{{8, 32000}, DType::f32}, cache};
  const StepArguments found = step_arguments(file, given, made, {-1, -1, 1});
  EXPECT_FALSE(found.trains);
  EXPECT_EQ(found.successors, (std::vector<int>{-1, -1, 1}));
}

TEST(StepArguments, of_an_evaluation_are_a_call) {
  const std::vector<Type> given{weight, rows};
  const std::vector<Type> made{number};
  EXPECT_FALSE(step_arguments(file, given, made, {-1, -1}).trains);
}

// A step that returns the loss of each row; but a recurrent call has a state of each.
TEST(StepArguments, train_where_losses_of_rows_come_out_and_no_state_of_them) {
  const Type losses{{8}, DType::f32};
  const std::vector<Type> given{weight, rows};
  const std::vector<Type> made{weight, losses};
  const StepArguments found = step_arguments(file, given, made, {0, -1});
  EXPECT_TRUE(found.trains);
  EXPECT_EQ(found.loss, 1);
  const std::vector<Type> state{weight, rows};
  const std::vector<Type> next{rows, losses};
  EXPECT_FALSE(step_arguments(file, state, next, {-1, 0}).trains);
  // As many rows as the weights have.
  const std::vector<Type> as_many{weight, {{64, 64}, DType::bf16}, {{64}, DType::s32}};
  const std::vector<Type> each{weight, {{64}, DType::f32}};
  EXPECT_FALSE(step_arguments(file, as_many, each, {0, -1, -1}).trains);
  const std::vector<Type> with_bias{weight, {{10}, DType::f32}, {{64}, DType::s32}};
  const std::vector<Type> both{weight, {{10}, DType::f32}, {{64}, DType::f32}};
  EXPECT_TRUE(step_arguments(file, with_bias, both, {0, 1, -1}).trains);
  // Logits of one stream beside its state, and of an evaluation beside what it counts.
  const std::vector<Type> stream{weight, {{64}, DType::f32}};
  const std::vector<Type> logits{{{64}, DType::f32}, {{1000}, DType::f32}};
  EXPECT_FALSE(step_arguments(file, stream, logits, {-1, 0}).trains);
}

TEST(StepArguments, are_taken_over_by_results_of_their_type_alone) {
  const std::vector<Type> given{weight};
  const std::vector<Type> made{rows};
  EXPECT_THROW(step_arguments(file, given, made, {0}), Error);
}

}  // namespace
}  // namespace tpulab::step_arguments_test
