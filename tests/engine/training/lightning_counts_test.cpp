// What Lightning's Trainer counts over one epoch of the same experiment on one device, validation
// at its end: torch 2.9, torch_xla 2.9, lightning 2.6 on XLA's CPU backend, 64-1024-1024-10, 45
// batches of 32 rows, 12 of validation. Measured once; the figures below are its own.
#include <gtest/gtest.h>

#include "tests/engine/training/training_session.h"

namespace tpulab::lightning_counts_test {
namespace {

struct Counts {
  int after_sanity = 0;  // compiles so far
  int after_batch_0 = 0;
  int after_batch_1 = 0;
  int after_batch_43 = 0;
  int after_batch_44 = 0;
  int after_epoch = 0;
  std::int64_t mark_steps = 0;
  std::int64_t reads = 0;
  std::int64_t executions = 0;
};

Counts counts_of(TrainerOptions options) {
  options.max_epochs = 1;
  test::Session session({.devices = {0}, .options = options, .execution = {.numbers = false}});
  Counts counts;
  int compiles = 0;
  const auto advance = [&] {
    compiles += static_cast<int>(session.trainer.advance().compiles.size());
    return compiles;
  };
  counts.after_sanity = advance();
  counts.after_batch_0 = advance();
  counts.after_batch_1 = advance();
  while (session.trainer.loop().step() < 44) counts.after_batch_43 = advance();
  counts.after_batch_44 = advance();
  counts.after_epoch = advance();
  EXPECT_TRUE(session.trainer.done());
  counts.mark_steps = session.metrics.counter("MarkStep");
  counts.reads = session.metrics.counter("aten::_local_scalar_dense");
  counts.executions = session.metrics.counter("ExecuteComputation");
  return counts;
}

void expect_lightning(const Counts& counts, std::int64_t reads) {
  EXPECT_EQ(counts.after_sanity, 2);
  EXPECT_EQ(counts.after_batch_0, 3);
  EXPECT_EQ(counts.after_batch_1, 4);
  EXPECT_EQ(counts.after_batch_43, 4);
  EXPECT_EQ(counts.after_batch_44, 5);
  EXPECT_EQ(counts.after_epoch, 6);
  EXPECT_EQ(counts.mark_steps, 45);  // none of validation
  EXPECT_EQ(counts.reads, reads);
  EXPECT_EQ(counts.executions, 52);  // 53 with the state's way back to the host, which is left out
}

TEST(LightningCounts, adam_and_momentum_compile_execute_and_read_as_there) {
  expect_lightning(counts_of({}), 7);
  TrainerOptions options;
  options.optimizer = {.kind = OptimizerKind::sgd, .learning_rate = 0.1, .momentum = 0.9};
  expect_lightning(counts_of(options), 7);
}

TEST(LightningCounts, a_progress_bar_reads_twice_a_step) {
  TrainerOptions options;
  options.habits.progress_bar = true;
  expect_lightning(counts_of(options), 97);
}

// There the first graph of sgd has outputs of its own too, so that the second compiles as well.
TEST(LightningCounts, sgd_without_state_compiles_once_less_than_there) {
  TrainerOptions options;
  options.optimizer = {.kind = OptimizerKind::sgd, .learning_rate = 0.1, .momentum = 0};
  EXPECT_EQ(counts_of(options).after_epoch, 6 - 1);
}

// 274 nodes there: transposes and the sums of the logged value are nodes too.
TEST(LightningCounts, validation_on_one_device_is_one_graph_of_all_its_batches) {
  test::Session session({.devices = {0}, .execution = {.numbers = false}});
  StepReport report = session.trainer.advance();
  while (!report.test_accuracy) report = session.trainer.advance();
  int graphs = 0;
  for (const TimedEvent& timed : report.timeline.events) {
    EXPECT_NE(timed.event->kind, EventKind::mark_step);
    if (timed.event->kind != EventKind::dispatch) continue;
    ++graphs;
    EXPECT_NEAR(static_cast<double>(timed.event->count) / 274, 1, 0.45);
    EXPECT_EQ(std::ssize(timed.event->program->inputs), 6 + 12 * 2);
  }
  EXPECT_EQ(graphs, 1);
}

TEST(LightningCounts, on_several_devices_the_loader_cuts_validation_and_it_compiles_first) {
  test::Session session({.execution = {.numbers = false}});
  const StepReport sanity = session.trainer.advance();
  ASSERT_EQ(sanity.compiles.size(), 2u);  // 32 rows and 13
  for (const CompileNotice& notice : sanity.compiles) EXPECT_EQ(notice.graph, "evaluation");
  EXPECT_FALSE(sanity.test_accuracy);
  StepReport report;
  while (!report.test_accuracy) report = session.trainer.advance();
  EXPECT_TRUE(report.compiles.empty());
}

// With stack `stack_named(name)` on one core.
struct OneCoreRun {
  explicit OneCoreRun(const char* name, const TrainerOptions& options)
      : machine(test::machine_of("v3-8", {0})) {
    machine.stack = &stack_named(name);
    Trainer trainer(machine, cache, workers, metrics, options, {});
    while (!trainer.done()) reports.push_back(trainer.advance());
  }
  Machine machine;
  ProgramCache cache;
  WorkerPool workers{2};
  Metrics metrics;
  std::vector<StepReport> reports;
};

TEST(LightningCounts, one_graph_of_all_batches_counts_the_same_hits_as_a_program_a_batch) {
  TrainerOptions options;
  options.model = perceptron({16});
  options.max_epochs = 1;
  const OneCoreRun lazy("pytorch-xla", options);
  const OneCoreRun jitted("jax", options);
  EXPECT_TRUE(jitted.reports.front().optimizer_step);  // a loop of its own has no sanity check
  EXPECT_EQ(lazy.reports.size(), jitted.reports.size() + 1);
  EXPECT_GT(*lazy.reports.back().test_accuracy, 0.1);
  EXPECT_EQ(lazy.reports.back().test_accuracy, jitted.reports.back().test_accuracy);
}

TEST(LightningCounts, the_second_step_of_momentum_finds_new_inputs_and_no_other_kind_of_graph) {
  TrainerOptions options;
  options.optimizer = {.kind = OptimizerKind::sgd, .momentum = 0.9};
  test::Session session({.devices = {0}, .options = options});
  session.train(3);
  const std::vector<std::string> causes = session.causes("train step");
  ASSERT_EQ(causes.size(), 2u);
  EXPECT_NE(causes[1].find("layer1.weight.moment1"), std::string::npos) << causes[1];
}

}  // namespace
}  // namespace tpulab::lightning_counts_test
