#include <gtest/gtest.h>

#include <numeric>

#include "engine/training/dataset.h"
#include "engine/training/models/models.h"
#include "engine/training/workload.h"
#include "tests/engine/ops/check_op.h"
#include "tests/engine/training/training_session.h"

namespace tpulab::recurrent_test {
namespace {

// MLPerf's: four layers of 1024 on each side, one table, an output layer.
TEST(Recurrent, translation_has_the_parameters_that_a_hand_count_gives) {
  const std::int64_t c = 1024;
  const std::int64_t vocabulary = 32320;
  const auto lstm = [&](std::int64_t inputs) { return (inputs + c) * 4 * c + 4 * c; };
  const std::int64_t encoder = 2 * lstm(c) + lstm(2 * c) + 2 * lstm(c);
  // What attention saw is a third input of the first layer; two products, a direction with its
  // length, a shift.
  const std::int64_t attention = 2 * c * c + 2 * c + 1;
  const std::int64_t decoder = lstm(2 * c) + attention + 3 * lstm(2 * c);
  EXPECT_EQ(step_work(workload_named("gnmt"), {.batch = 1}).parameters(),
            encoder + decoder + 2 * vocabulary * c);
}

// What a step of each side multiplies: both weights of each layer, 1,024 keys' width by the query
// and the keys, and the output layer.
TEST(Recurrent, translation_multiplies_each_weight_once_a_token) {
  const std::int64_t c = 1024;
  const std::int64_t weights =
      4 * c * (2 * 2 * c + 3 * c + 2 * 2 * c) + 4 * c * (3 * c + 3 * 3 * c) + 2 * c * c + 32320 * c;
  const StepWork step = step_work(workload_named("gnmt"), {.batch = 2, .sequence = 32});
  EXPECT_EQ(step.forward_flops().value, 2 * 2 * 32 * weights);
}

std::int64_t flops_of(const std::vector<NamedKernel>& kernels) {
  std::int64_t flops = 0;
  for (const NamedKernel& kernel : kernels) {
    for (const Work& item : kernel.work->items) {
      if (const auto* one = std::get_if<MatrixWork>(&item)) flops += one->flops().value;
    }
  }
  return flops;
}

// The backward pass has both gradients of each product but those of the embedding's rows.
TEST(Recurrent, translation_has_twice_the_operations_in_the_backward_pass) {
  const StepWork step = step_work(workload_named("gnmt"), {.batch = 2, .sequence = 32});
  std::int64_t backward = 0;
  for (const Block& block : step.blocks) backward += block.repeats * flops_of(block.backward);
  EXPECT_EQ(backward, 2 * step.forward_flops().value);
}

TEST(Recurrent, steps_are_traced_once_and_run_as_often_as_a_row_has_tokens) {
  const StepWork step = step_work(workload_named("gnmt"), {.batch = 2, .sequence = 48});
  std::int64_t loops = 0;
  for (const Block& block : step.blocks) loops += block.repeats == 48 ? 1 : 0;
  EXPECT_EQ(loops, 5 + 4);  // the encoder's first layer goes both ways
}

// Within steps there are as many operations, and sums of gradients from step to step.
TEST(Recurrent, steps_may_multiply_their_own_inputs) {
  const WorkOptions options{.batch = 2, .sequence = 32};
  const StepWork behind = step_work(workload_named("gnmt"), options);
  const StepWork within = step_work(workload_named("gnmt-2018"), options);
  EXPECT_EQ(within.parameters(), behind.parameters());
  EXPECT_EQ(within.forward_flops().value, behind.forward_flops().value);
  const Workload tiny{"tiny",
                      {.model = recurrent_translator({.layers = 2, .width = 8, .within = true}),
                       .row = numerals().example(Input::pair)}};
  EXPECT_EQ(step_work(tiny, {.batch = 2}).forward_flops().value,
            step_work({"tiny",
                       {.model = recurrent_translator({.layers = 2, .width = 8}),
                        .row = numerals().example(Input::pair)}},
                      {.batch = 2})
                .forward_flops()
                .value);
}

// Sixteen pieces: logits of a sixteenth of the tokens, each weight multiplied as often.
TEST(Recurrent, logits_may_be_made_in_pieces) {
  WorkOptions options{.batch = 256, .sequence = 32, .remat = Remat::full};
  const StepWork whole = step_work(workload_named("gnmt"), options);
  options.loss_pieces = 16;
  const StepWork pieces = step_work(workload_named("gnmt"), options);
  EXPECT_EQ(pieces.forward_flops().value, whole.forward_flops().value);
  EXPECT_EQ(pieces.parameters(), whole.parameters());
  EXPECT_LT(pieces.working, whole.working);
  EXPECT_EQ(std::ranges::count(pieces.blocks, 16, &Block::repeats), 1);
}

TEST(Numerals, translate_numbers_to_roman_ones) {
  const Dataset& data = numerals();
  EXPECT_EQ(data.rows(), 3'999);
  const Example row = data.example(Input::pair);
  EXPECT_EQ(row.row, (Shape{2, 16}));
  // Each number once: the sum of all digits' rows is that of 1 to 3,999.
  std::int64_t sum = 0;
  for (std::int64_t at = 0; at < data.rows(); ++at) {
    std::int64_t number = 0;
    for (const float token : data.values_of(at).first(16)) {
      if (token >= 3) number = number * 10 + static_cast<std::int64_t>(token) - 3;
    }
    sum += number;
    if (number != 1987) continue;
    // " ^.0123456789IVXLCDM": MCMLXXXVII and an end.
    EXPECT_EQ(std::vector<int>(data.labels_of(at).begin(), data.labels_of(at).begin() + 11),
              (std::vector<int>{19, 17, 19, 16, 15, 15, 15, 14, 13, 13, 2}));
  }
  EXPECT_EQ(sum, 3'999 * 4'000 / 2);
}

TEST(Learning, translators_learn_numerals_that_they_have_not_seen) {
  TrainerOptions options;
  options.model = *trained_model("gnmt-tiny", {});
  options.data = &numerals();
  options.max_epochs = 4;
  options.batch = 64;
  options.optimizer.learning_rate = 1e-2;
  test::Session session({.devices = {0}, .options = options});
  const std::optional<double> accuracy = session.train_to_the_end();
  ASSERT_TRUE(accuracy.has_value());
  EXPECT_GT(*accuracy, 0.8);  // blanks behind the end alone are 0.5
}

}  // namespace
}  // namespace tpulab::recurrent_test
