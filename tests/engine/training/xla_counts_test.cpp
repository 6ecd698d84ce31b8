// What a real PyTorch/XLA counts in a plain loop over the same experiment: torch 2.9 with torch_xla
// 2.9 on XLA's CPU backend, 64-1024-1024-10, one device, batch 32, 45 batches an epoch, the last of
// 29 rows. Measured once; the figures below are its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/engine/training/training_session.h"

namespace tpulab::xla_counts_test {
namespace {

struct Counts {
  std::map<std::int64_t, int> compiles;  // by step
  std::vector<std::int64_t> inputs;      // of each new train step's program
  std::vector<std::int64_t> aliases;
  std::vector<int> nodes;  // of every new program
  int reads = 0;
  int mark_steps = 0;
  std::int64_t scalars = 0;  // sent from the host, each once
  Bytes sent;                // by the steps: rows, labels and scalars
};

Counts counts_of(TrainerOptions options, int steps) {
  options.habits.log_every_n_steps = 1'000'000;
  options.max_epochs = -1;
  ProgramCache cache;
  WorkerPool workers(1);
  Metrics metrics;
  Trainer trainer(test::machine_of("v3-8", {0}), cache, workers, metrics, options,
                  {.numbers = false});
  Counts counts;
  while (trainer.loop().step() < steps) {
    const StepReport report = trainer.advance();
    if (!report.optimizer_step) continue;
    for (const TimedEvent& timed : report.timeline.events) {
      counts.reads += timed.event->kind == EventKind::read_back;
      counts.mark_steps += timed.event->kind == EventKind::mark_step;
      counts.sent += timed.event->sent;
      if (timed.event->kind != EventKind::compile) continue;
      ++counts.compiles[trainer.loop().step() - 1];
      counts.nodes.push_back(timed.event->program->traced);
      if (timed.event->name != "train step") continue;
      const Program& program = *timed.event->program;
      counts.inputs.push_back(std::ssize(program.inputs));
      counts.aliases.push_back(
          std::ranges::count_if(program.donated, [](int input) { return input >= 0; }));
    }
  }
  counts.scalars = metrics.counter("DeviceDataCacheMiss");
  return counts;
}

using Steps = std::map<std::int64_t, int>;
using Numbers = std::vector<std::int64_t>;

TEST(XlaCounts, adam_makes_its_state_in_the_first_step_and_compiles_again_in_the_second) {
  const Counts counts = counts_of({}, 90);
  EXPECT_EQ(counts.compiles, (Steps{{0, 1}, {1, 1}, {44, 1}}));
  EXPECT_EQ(counts.inputs, (Numbers{14, 26, 26}));
  EXPECT_EQ(counts.aliases, (Numbers{6, 18, 18}));
  EXPECT_EQ(counts.reads, 0);
  EXPECT_EQ(counts.mark_steps, 90);  // 91 there, with the one behind the loop
  EXPECT_EQ(counts.scalars, 184);    // two corrections of the bias a step, and four that stay
}

// There a transpose, a cast and a view are nodes of their own; here they belong to what reads them.
void expect_sizes(const std::vector<int>& nodes, const std::vector<int>& there) {
  ASSERT_EQ(nodes.size(), there.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    EXPECT_LE(nodes[i], there[i]);
    EXPECT_GE(nodes[i], 0.7 * there[i]);
  }
}

TEST(XlaCounts, graphs_are_up_to_a_third_smaller_than_there) {
  expect_sizes(counts_of({}, 44).nodes, {151, 141});
  TrainerOptions options;
  options.class_weights = true;
  expect_sizes(counts_of(options, 44).nodes, {159, 149});
  options.class_weights = false;
  options.habits.item_every_n_steps = 1;
  expect_sizes(counts_of(options, 1).nodes, {18, 151});
  options = {};
  options.optimizer = {.kind = OptimizerKind::sgd, .learning_rate = 0.1, .momentum = 0};
  expect_sizes(counts_of(options, 44).nodes, {57});
  options.optimizer.momentum = 0.9;
  expect_sizes(counts_of(options, 44).nodes, {55, 87});
}

TEST(XlaCounts, adam_compiles_nothing_more_when_its_corrections_have_settled) {
  const Counts counts = counts_of({}, 400);
  EXPECT_EQ(counts.compiles, (Steps{{0, 1}, {1, 1}, {44, 1}}));
}

TEST(XlaCounts, sgd_without_momentum_keeps_no_buffer) {
  TrainerOptions options;
  options.optimizer = {.kind = OptimizerKind::sgd, .learning_rate = 0.1, .momentum = 0};
  const Counts counts = counts_of(options, 90);
  EXPECT_EQ(counts.compiles, (Steps{{0, 1}, {44, 1}}));
  EXPECT_EQ(counts.aliases, (Numbers{6, 6}));
  EXPECT_EQ(counts.scalars, 1);
  // Of 5,264,380 bytes in all 4,505,640 are the weights; labels are s64.
  EXPECT_EQ(counts.sent.value, 758'740);
}

TEST(XlaCounts, momentum_starts_as_the_first_gradient) {
  TrainerOptions options;
  options.optimizer = {.kind = OptimizerKind::sgd, .learning_rate = 0.1, .momentum = 0.9};
  const Counts counts = counts_of(options, 90);
  EXPECT_EQ(counts.compiles, (Steps{{0, 1}, {1, 1}, {44, 1}}));
  EXPECT_EQ(counts.aliases, (Numbers{6, 12, 12}));
  EXPECT_EQ(counts.scalars, 2);
  EXPECT_EQ(counts.sent.value, 758'744);
}

TEST(XlaCounts, drop_last_saves_the_last_compile) {
  TrainerOptions options;
  options.drop_last = true;
  const Counts counts = counts_of(options, 88);
  EXPECT_EQ(counts.compiles, (Steps{{0, 1}, {1, 1}}));
  EXPECT_EQ(counts.scalars, 180);
}

TEST(XlaCounts, item_inside_the_step_compiles_the_forward_alone_for_each_shape) {
  TrainerOptions options;
  options.habits.item_every_n_steps = 1;
  const Counts counts = counts_of(options, 90);
  EXPECT_EQ(counts.compiles, (Steps{{0, 2}, {1, 1}, {44, 2}}));
  EXPECT_EQ(counts.reads, 90);
}

TEST(XlaCounts, a_progress_bar_reads_each_value_twice) {
  TrainerOptions options;
  options.habits.progress_bar = true;
  EXPECT_EQ(counts_of(options, 45).reads, 90);
}

TEST(XlaCounts, a_rising_rate_compiles_where_it_is_0_and_1) {
  TrainerOptions options;
  options.optimizer = {
      .kind = OptimizerKind::sgd, .learning_rate = 1, .momentum = 0, .warmup_steps = 8};
  const Counts counts = counts_of(options, 90);
  EXPECT_EQ(counts.compiles, (Steps{{0, 1}, {1, 1}, {8, 1}, {44, 1}}));
  EXPECT_EQ(counts.scalars, 7);
}

}  // namespace
}  // namespace tpulab::xla_counts_test
