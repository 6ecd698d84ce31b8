// Which calls PyTorch/XLA counts while it traces, held against a real report.
#include "engine/runtime/traced_calls.h"

#include <gtest/gtest.h>

#include "engine/base/file.h"
#include "engine/formats/report_reader.h"
#include "tests/engine/training/training_session.h"

namespace tpulab::traced_calls_test {
namespace {

using Counts = std::map<std::string, std::int64_t>;

// Two epochs of 45 batches on one core, without Lightning's validation.
Counts calls_of(TrainerOptions options) {
  options.habits.log_every_n_steps = 0;
  options.max_epochs = 2;
  options.loop.val_batches.count = 0;
  options.loop.sanity_batches = 0;
  test::Session session({.devices = {0}, .options = options, .execution = {.numbers = false}});
  while (!session.trainer.done()) session.trainer.advance();
  Counts calls;
  for (const auto& [name, count] : session.metrics.copy().counters) {
    if (name.starts_with("xla::")) calls.emplace(name, count);
  }
  // Of Lightning, which asks how long the loader is; the real loop is a plain one.
  EXPECT_EQ(calls["xla::gt"], 2);
  calls.erase("xla::gt");
  return calls;
}

// The real report of the same loop has more: views, copies and what makes tensors.
TEST(TracedCalls, of_adam_with_a_read_in_each_step_are_those_of_a_real_run) {
  const std::string file = TPULAB_SOURCE_DIR "/tests/engine/formats/reports/loop-item.txt";
  const Counters real = read_metrics_report(read_file(file), file).counters;
  TrainerOptions options;
  options.habits.item_every_n_steps = 1;
  const Counts calls = calls_of(options);
  EXPECT_EQ(calls.size(), 16U);
  for (const auto& [name, count] : calls) EXPECT_EQ(count, real.count(name)) << name;
}

TrainerOptions sgd(double momentum) {
  TrainerOptions options;
  options.optimizer = {.kind = OptimizerKind::sgd, .learning_rate = 0.1, .momentum = momentum};
  return options;
}

// Figures of real runs: the update is one add_(alpha=-rate) for each of six arrays, and momentum
// adds mul_ and add_ from the second step on.
TEST(TracedCalls, of_sgd_are_those_of_a_real_run) {
  const Counts plain = calls_of(sgd(0));
  EXPECT_EQ(plain.at("xla::add"), 540);
  EXPECT_EQ(plain.at("xla::mm"), 450);
  EXPECT_EQ(plain.at("xla::addmm"), 270);
  EXPECT_FALSE(plain.contains("xla::mul"));
  EXPECT_FALSE(plain.contains("xla::sub"));
  const Counts moving = calls_of(sgd(0.9));
  EXPECT_EQ(moving.at("xla::add"), 1074);
  EXPECT_EQ(moving.at("xla::mul"), 534);
}

TEST(TracedCalls, of_convolutions_are_one_forward_and_one_backward_each) {
  TrainerOptions options = sgd(0);
  options.model = layer_line("conv 4 3x3 relu | conv 4 3x3 relu | dense 10");
  const Counts calls = calls_of(options);
  EXPECT_EQ(calls.at("xla::convolution_overrideable"), 180);
  EXPECT_EQ(calls.at("xla::convolution_backward_overrideable"), 180);
}

// Gradients that are summed later are results of their program: they were asked for.
TEST(TracedCalls, of_summed_batches_are_those_of_each_batch) {
  TrainerOptions options;
  const Counts alone = calls_of(options);
  options.loop.accumulate = 3;
  EXPECT_EQ(calls_of(options).at("xla::mm"), alone.at("xla::mm"));
}

}  // namespace
}  // namespace tpulab::traced_calls_test
