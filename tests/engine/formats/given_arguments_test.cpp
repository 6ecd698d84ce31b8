#include "engine/formats/given_arguments.h"

#include <gtest/gtest.h>

#include <vector>

namespace tpulab::given_arguments_test {
namespace {

ImportedStep told(const std::vector<GivenArgument>& arguments, bool trains,
                  std::int64_t partitions = 1) {
  ImportedStep step;
  step.trains = trains;
  tell_arguments(step, arguments, partitions);
  return step;
}

// A random key and the weights of ten classes are none.
TEST(GivenArguments, have_the_rows_of_labels) {
  const std::vector<GivenArgument> arguments{
      {{{512, 784}, DType::f32}}, {{{512}, DType::s32}}, {{{2}, DType::s32}}, {{{10}, DType::f32}}};
  EXPECT_EQ(told(arguments, true).rows, 512);
  EXPECT_EQ(told(arguments, true).work.batch.value, 512 * 784 * 4 + 512 * 4);
  EXPECT_EQ(told(arguments, false).rows, 512);
  EXPECT_EQ(told(arguments, false).work.batch.value, 0);
}

// Weights that do not come back are no batch, however large.
TEST(GivenArguments, that_are_frozen_weights_stay) {
  const ImportedStep step = told({{{{4096, 4096}, DType::bf16}}, {{{8, 1024}, DType::s32}}}, true);
  EXPECT_EQ(step.rows, 8);
  EXPECT_EQ(step.work.batch.value, 8 * 1024 * 4);
  EXPECT_EQ(step.stays.value, 4096 * 4096 * 2);
}

TEST(GivenArguments, without_labels_have_the_first_extent_of_most_bytes) {
  const std::vector<GivenArgument> arguments{
      {{{4}, DType::f32}}, {{{4, 3}, DType::f32}}, {{{10}, DType::f32}}};
  EXPECT_EQ(told(arguments, true).rows, 4);
  EXPECT_EQ(told(arguments, false).rows, 0);  // a call may be given weights
}

TEST(GivenArguments, have_the_rows_that_results_have_where_these_agree) {
  std::vector<GivenArgument> arguments{
      {{{900}, DType::s32}}, {{{512, 64}, DType::f32}}, {{{200, 16}, DType::f32}}};
  arguments[2].told = true;
  EXPECT_EQ(told(arguments, true).rows, 200);
  EXPECT_EQ(told(arguments, false).rows, 200);
  arguments[1].told = true;
  EXPECT_EQ(told(arguments, true).rows, 900);
}

// Layers that a loop goes through; of a call, what is left may be weights as well.
TEST(GivenArguments, that_turns_read_are_no_batch_of_a_step_that_trains) {
  GivenArgument layers{{{4, 64, 64}, DType::f32}};
  layers.by_turns = true;
  const std::vector<GivenArgument> arguments{layers, {{{32, 64}, DType::f32}}};
  EXPECT_EQ(told(arguments, true).rows, 32);
  EXPECT_EQ(told(arguments, true).work.batch.value, 32 * 64 * 4);
  EXPECT_EQ(told(arguments, false).rows, 0);
  EXPECT_EQ(told({layers}, true).rows, 4);
}

// Four microbatches that a loop goes through, beside the scale of a frozen norm.
TEST(GivenArguments, that_turns_read_are_a_batch_beside_a_row_of_numbers) {
  for (const DType dtype : {DType::f32, DType::s32}) {
    GivenArgument batches{{{4, 64, 256}, dtype}};
    batches.by_turns = true;
    const std::vector<GivenArgument> arguments{batches, {{{256}, DType::f32}}};
    EXPECT_EQ(told(arguments, true).rows, 4);
    EXPECT_EQ(told(arguments, true).work.batch.value, 4 * 64 * 256 * 4);
  }
}

// Each of four has 64 rows.
TEST(GivenArguments, in_microbatches_have_the_rows_of_all_of_them) {
  GivenArgument batches{{{4, 64, 256}, DType::f32}};
  batches.microbatches = 0;
  EXPECT_EQ(told({batches, {{{100, 256}, DType::f32}}}, true).rows, 4 * 64);
  EXPECT_EQ(told({batches}, true).work.batch.value, 4 * 64 * 256 * 4);
  batches.microbatch_axes = 2;  // of four steps of 64
  EXPECT_EQ(told({batches}, true).rows, 4 * 64 * 256);
}

// Tokens are in microbatches too, though a frozen table is read as a whole.
TEST(GivenArguments, of_whole_numbers_that_turns_read_are_a_batch) {
  GivenArgument tokens{{{4, 64}, DType::s32}};
  tokens.by_turns = true;
  EXPECT_EQ(told({tokens, {{{1000, 256}, DType::f32}}}, true).rows, 4);
}

TEST(GivenArguments, have_no_rows_where_a_key_alone_does_not_come_back) {
  const ImportedStep step = told(
      {{{{64, 64}, DType::f32}, 1, true}, {{{2}, DType::s32}}, {{Shape{}, DType::f32}}}, true, 8);
  EXPECT_EQ(step.rows, 0);
  EXPECT_EQ(step.alike, 8);
  EXPECT_EQ(step.state.value, 64 * 64 * 4);
}

// Halves of 12 rows, each of which four devices have, and a mask that eight have whole.
TEST(GivenArguments, that_devices_share_are_counted_once) {
  const ImportedStep step = told({{{{6, 64}, DType::f32}, 4}, {{{12}, DType::f32}, 8}}, true, 8);
  EXPECT_EQ(step.rows, 6);
  EXPECT_EQ(step.alike, 4);
  EXPECT_EQ(step.work.batch.value, 6 * 64 * 4 + 12 * 4);
}

// A program of ten steps that draws 32 rows of both; the whole numbers beside them are a mask.
TEST(GivenArguments, have_the_rows_that_a_step_takes_of_them) {
  const std::vector<GivenArgument> arguments{
      {.type = {{1000, 64}, DType::f32}, .part = 32, .kept = true},
      {.type = {{1000}, DType::s32}, .part = 32, .kept = true},
      {.type = {{64, 64}, DType::s32}}};
  ImportedStep step{.trains = true, .steps = 10};
  tell_arguments(step, arguments, 1);
  EXPECT_EQ(step.rows, 10 * 32);
  EXPECT_EQ(step.work.batch.value, 0);
  EXPECT_EQ(step.stays.value, 1000 * 64 * 4 + 1000 * 4 + 64 * 64 * 4);
}

// Eight sequences of 16 tokens, of which a frozen table gives 128 rows.
TEST(GivenArguments, of_one_step_have_the_rows_of_labels_before_those_of_parts) {
  const std::vector<GivenArgument> arguments{
      {.type = {{1000, 64}, DType::f32}, .part = 128, .kept = true}, {{{8, 16}, DType::s32}}};
  EXPECT_EQ(told(arguments, true).rows, 8);
  EXPECT_EQ(told({arguments[0]}, true).rows, 128);
}

// A frozen table of positions, of which a step reads 16, beside 64 images.
TEST(GivenArguments, of_one_step_have_no_rows_of_parts_that_are_no_whole_numbers) {
  const std::vector<GivenArgument> arguments{
      {.type = {{32, 64}, DType::f32}, .part = 16, .kept = true}, {{{64, 784}, DType::f32}}};
  EXPECT_EQ(told(arguments, true).rows, 64);
}

TEST(GivenArguments, that_stand_aside_tell_no_rows) {
  const std::vector<GivenArgument> arguments{{.type = {{96}, DType::s32}, .aside = true},
                                             {{{16, 8}, DType::f32}}};
  EXPECT_EQ(told(arguments, true).rows, 16);
}

TEST(GivenArguments, lose_the_axis_of_devices_where_all_have_it) {
  std::vector<Type> types{{{4, 16, 8}, DType::f32}, {{4}, DType::s32}};
  ASSERT_TRUE(are_by_devices(types, {}, 4));
  take_away_first_axes(types);
  EXPECT_EQ(types, (std::vector<Type>{{{16, 8}, DType::f32}, {Shape{}, DType::s32}}));
  EXPECT_FALSE(are_by_devices(types, {}, 16)) << "a number has no axis";
  const std::vector<Type> divided{{{4, 512, 64}, DType::f32}};
  EXPECT_FALSE(are_by_devices(divided, divided, 4)) << "rows of attention, one on each device";
}

TEST(GivenArguments, that_lie_along_time_tell_the_rows_of_a_call) {
  GivenArgument along_time{{{50, 32, 64}, DType::f32}};
  along_time.rows_axis = 1;
  EXPECT_EQ(told({{{{64, 64}, DType::f32}}, along_time}, false).rows, 32);
}

TEST(GivenArguments, have_copies_on_the_devices_that_divide_neither_axis) {
  EXPECT_EQ(copies_of_both(8, 8, 8), 8);
  EXPECT_EQ(copies_of_both(8, 2, 8), 2);
  EXPECT_EQ(copies_of_both(2, 4, 8), 1);
}

}  // namespace
}  // namespace tpulab::given_arguments_test
