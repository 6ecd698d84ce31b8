#include "engine/training/trainer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/base/error.h"
#include "engine/runtime/counters.h"
#include "tests/engine/training/training_session.h"

namespace tpulab::trainer_test {
namespace {

using test::Session;

TrainerOptions small_options() {
  TrainerOptions options;
  options.model = perceptron({96});
  options.max_epochs = -1;
  return options;
}

TEST(Trainer, lets_the_loss_fall) {
  Session session({.options = small_options()});
  const std::vector<float> losses = session.train(60);
  EXPECT_NEAR(losses.front(), std::log(10.0), 0.2);  // ten classes, untrained
  EXPECT_LT(losses.back(), 0.7f * losses.front());
}

TEST(Trainer, eight_cores_of_32_follow_one_core_of_256) {
  TrainerOptions options = small_options();
  options.precision = MatmulPrecision::highest;
  options.optimizer.kind = OptimizerKind::sgd;
  options.optimizer.learning_rate = 0.1;
  options.drop_last = true;  // full batches
  Session eight({.options = options, .execution = {.separate_replicas = true}});
  options.batch = 256;
  Session one({.devices = {0}, .options = options});
  const std::vector<float> apart = eight.train(20);
  const std::vector<float> together = one.train(20);
  EXPECT_FALSE(eight.trainer.runtime().merged());
  EXPECT_LT(together.back(), 0.9f * together.front());
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_NEAR(apart[i], together[i], 1e-5 * together[i]) << "step " << i;
  }
}

TEST(Trainer, merged_replicas_follow_separate_ones) {
  TrainerOptions options = small_options();
  options.precision = MatmulPrecision::highest;
  options.optimizer.kind = OptimizerKind::sgd;
  Session merged({.options = options});
  Session separate({.options = options, .execution = {.separate_replicas = true}});
  const std::vector<float> fast = merged.train(12);
  EXPECT_TRUE(merged.trainer.runtime().merged());
  const std::vector<float> slow = separate.train(12);
  EXPECT_FALSE(separate.trainer.runtime().merged());
  for (std::size_t i = 0; i < fast.size(); ++i) EXPECT_NEAR(fast[i], slow[i], 1e-5 * slow[i]);
}

TEST(Trainer, drops_in_training_alone_and_the_same_on_each_core) {
  TrainerOptions options = small_options();
  options.model = test::dropping_perceptron();
  options.precision = MatmulPrecision::highest;
  options.optimizer.kind = OptimizerKind::sgd;
  options.optimizer.learning_rate = 0.05;
  Session merged({.options = options});
  Session separate({.options = options, .execution = {.separate_replicas = true}});
  const std::vector<float> fast = merged.train(12);
  EXPECT_TRUE(merged.trainer.runtime().merged());
  const std::vector<float> slow = separate.train(12);
  for (std::size_t i = 0; i < fast.size(); ++i) EXPECT_NEAR(fast[i], slow[i], 1e-5 * slow[i]);
  options.model = perceptron({16});
  Session whole({.options = options});
  const std::vector<float> undropped = whole.train(12);
  EXPECT_NE(undropped.front(), fast.front());
  // Another seed each step, but no other program.
  EXPECT_EQ(merged.causes("train step").size(), whole.causes("train step").size());
}

TEST(Trainer, has_the_same_bits_for_any_number_of_workers) {
  TrainerOptions options;
  options.max_epochs = -1;
  options.model = perceptron({256, 192});
  std::vector<std::vector<float>> losses;
  for (const int workers : {1, 2, 4}) {
    Session session({.options = options, .workers = workers});
    losses.push_back(session.train(8));
  }
  EXPECT_EQ(losses[0], losses[1]);
  EXPECT_EQ(losses[0], losses[2]);
}

TEST(Trainer, has_the_same_losses_on_every_generation_but_other_times) {
  std::vector<std::vector<float>> losses;
  std::vector<Picoseconds> times;
  for (const std::string slice : {"v2-8", "v3-8", "v5e-8"}) {
    Session session({.slice = slice, .options = small_options()});
    losses.push_back(session.train(8));
    times.push_back(session.trainer.runtime().now());
  }
  EXPECT_EQ(losses[0], losses[1]);
  EXPECT_EQ(losses[0], losses[2]);
  EXPECT_NE(times[0], times[1]);
}

TEST(Trainer, can_be_simulated_again_from_its_records_on_another_machine) {
  Session session({.options = small_options()});
  session.train(8);
  const std::vector<StepRecord>& records = session.trainer.runtime().records();
  Machine machine = session.trainer.runtime().machine();
  EXPECT_EQ(simulate(records, machine).total, session.trainer.runtime().now());
  machine.slice = slice_named("v2-8");
  const Timeline older = simulate(records, machine);
  Session real({.slice = "v2-8", .options = small_options()});
  real.train(8);
  EXPECT_EQ(older.total, real.trainer.runtime().now());
}

TEST(Trainer, recompiles_for_the_short_last_batch_and_says_so) {
  Session session({.options = small_options()});
  session.train(12);
  const std::vector<std::string> causes = session.causes("train step");
  ASSERT_EQ(causes.size(), 3u);
  EXPECT_TRUE(causes[1].starts_with("new input 6: f32[64,96] layer1.weight.moment1")) << causes[1];
  // 180 rows each: five batches of 32 and one of 20.
  EXPECT_TRUE(causes[2].starts_with("input 0: f32[32,64] -> f32[20,64], last batch")) << causes[2];
}

TEST(Trainer, with_drop_last_compiles_the_first_step_and_all_others_once) {
  TrainerOptions options = small_options();
  options.drop_last = true;
  Session session({.options = options});
  session.train(12);
  EXPECT_EQ(session.causes("train step").size(), 2u);
}

TEST(Trainer, recompiles_when_the_batch_changes_between_steps) {
  Session session({.options = small_options()});
  session.train(2);
  TrainerOptions options = small_options();
  options.batch = 64;
  session.trainer.change(options);
  session.train(1);
  const std::vector<std::string> causes = session.causes("train step");
  ASSERT_EQ(causes.size(), 3u);
  EXPECT_TRUE(causes[2].starts_with("input 0: f32[32,64] -> f32[64,64]")) << causes[2];
}

TEST(Trainer, names_both_parts_of_a_mixed_change) {
  Session session({.options = small_options()});
  session.train(2);
  TrainerOptions options = small_options();
  options.batch = 64;
  options.precision = MatmulPrecision::high;
  session.trainer.change(options);
  session.train(1);
  const std::string cause = session.causes("train step").at(2);
  EXPECT_TRUE(cause.starts_with("input 0: f32[32,64] -> f32[64,64]; op: dot ")) << cause;
}

TEST(Trainer, recompiles_when_the_learning_rate_reaches_one) {
  TrainerOptions options = small_options();
  options.optimizer = {
      .kind = OptimizerKind::sgd, .learning_rate = 1, .momentum = 0, .warmup_steps = 3};
  Session session({.options = options});
  session.train(5);
  const std::vector<std::string> causes = session.causes("train step");
  // From 0 (a constant) to a third (data) to 1 (a constant again; the nearest program is the one
  // with 0).
  ASSERT_EQ(causes.size(), 3u);
  EXPECT_NE(causes[1].find("scalar learning_rate is no longer the constant 0"), std::string::npos);
  EXPECT_NE(causes[2].find("constant value=0 f32[] -> constant value=1 f32[]"), std::string::npos)
      << causes[2];
}

TEST(Trainer, counts_two_syncs_a_batch_on_eight_cores_and_one_on_one_core) {
  Session eight({.options = small_options()});
  eight.train(3);
  EXPECT_EQ(eight.metrics.counter("MarkStep"), 6 + 2);  // two batches of the sanity check
  Session one({.devices = {1}, .options = small_options()});
  one.train(3);
  EXPECT_EQ(one.metrics.counter("MarkStep"), 3);
}

TEST(Trainer, reads_the_logged_loss_every_n_steps) {
  TrainerOptions options = small_options();
  options.habits.log_every_n_steps = 2;
  Session session({.options = options});
  session.train(5);
  constexpr int lengths = 3;  // of the loaders, read before training
  EXPECT_EQ(session.metrics.counter("aten::_local_scalar_dense"), lengths + 2);
  options.habits.progress_bar = true;
  session.trainer.change(options);
  session.train(1);  // step 6: the logger's and the bar's two
  EXPECT_EQ(session.metrics.counter("aten::_local_scalar_dense"), lengths + 5);
}

TEST(Trainer, item_in_the_step_runs_part_of_the_graph_twice) {
  TrainerOptions options = small_options();
  options.habits.item_every_n_steps = 1;
  Session with_item({.options = options});
  Session without({.options = small_options()});
  EXPECT_EQ(with_item.train(3), without.train(3));  // numbers do not change
  EXPECT_EQ(with_item.metrics.counter("aten::_local_scalar_dense"),
            without.metrics.counter("aten::_local_scalar_dense") + 3);
  EXPECT_EQ(with_item.causes("loss.item()").size(), 1u);
  EXPECT_GT(with_item.trainer.runtime().now(), without.trainer.runtime().now());
}

TEST(Trainer, bincount_falls_back_and_changes_the_loss) {
  TrainerOptions options = small_options();
  Session plain({.options = options});
  options.class_weights = true;
  Session weighted({.options = options});
  EXPECT_NE(plain.train(3), weighted.train(3));
  EXPECT_EQ(weighted.metrics.counter("aten::bincount"), 3);
  EXPECT_EQ(plain.metrics.counter("aten::bincount"), 0);
}

TEST(Trainer, nonzero_falls_back_and_recompiles_with_each_size) {
  TrainerOptions options = small_options();
  options.hard_examples = true;
  Session session({.devices = {0}, .options = options});
  session.train(4);
  EXPECT_EQ(session.metrics.counter("aten::nonzero"), 4);
  EXPECT_GE(session.causes("train step").size(), 2u);
}

// A weight of 1 for each row: 32 rows of 4 bytes a step and core.
TEST(Trainer, a_constant_made_on_the_cpu_is_sent_in_each_step_and_changes_no_loss) {
  for (const std::vector<int>& devices : {std::vector<int>{0}, {0, 1, 2, 3, 4, 5, 6, 7}}) {
    TrainerOptions options = small_options();
    Session plain({.devices = devices, .options = options});
    const std::vector<float> losses = plain.train(5);
    options.habits.cpu_constant = true;
    Session sending({.devices = devices, .options = options});
    EXPECT_EQ(sending.train(5), losses);
    const auto sent = [](const Session& session) {
      return counters_of(session.metrics.copy()).total("OutboundData");
    };
    EXPECT_EQ(sent(sending) - sent(plain), 5 * 32 * 4);
  }
}

TEST(Trainer, an_op_that_falls_back_is_called_in_each_step_and_changes_no_loss) {
  TrainerOptions options = small_options();
  Session plain({.devices = {0, 1}, .options = options});
  const std::vector<float> losses = plain.train(4);
  for (const std::string_view op : host_statistics()) {
    options.habits.fallback_op = op;
    Session falling({.devices = {0, 1}, .options = options});
    EXPECT_EQ(falling.train(4), losses) << op;
    EXPECT_EQ(falling.metrics.counter(std::string(op)), 4) << op;
  }
}

TEST(Trainer, what_is_not_donated_is_the_same_numbers) {
  const TrainerOptions options = small_options();
  Session usual({.devices = {0, 1}, .options = options});
  const std::vector<float> losses = usual.train(4);
  Session apart({.devices = {0, 1}, .options = options, .execution = {.donates = false}});
  EXPECT_EQ(apart.train(4), losses);
  EXPECT_GT(apart.trainer.hbm_used(), usual.trainer.hbm_used());
  const auto aliases = [](const Session& session) {
    return counters_of(session.metrics.copy()).total("InputOutputAliasCount");
  };
  EXPECT_GT(aliases(usual), 0);
  EXPECT_EQ(aliases(apart), 0);
}

// 20 rows on 8 cores are 3 for each, 4 of them repeated; whatever the batch, one step an epoch.
TEST(Trainer, few_rows_are_an_epoch_of_one_short_step) {
  TrainerOptions options = small_options();
  options.rows = 20;
  options.max_epochs = 3;
  Session session({.devices = {0, 1, 2, 3, 4, 5, 6, 7}, .options = options});
  EXPECT_EQ(session.trainer.rows_per_core(), 3);
  EXPECT_EQ(session.trainer.repeated_rows(), 4);
  while (!session.trainer.done()) session.trainer.advance();
  EXPECT_EQ(session.trainer.loop().step(), 3);
  options.rows = 1'000'000;
  EXPECT_EQ(rows_of_epoch(options), 1437);
}

// Of 32 rows 16 to 32 are kept: 17 counts, each a program; a bucket is one of 4.
TEST(Trainer, batches_that_keep_other_rows_compile_for_each_number_and_train) {
  TrainerOptions options = small_options();
  options.habits.shapes = Shapes::random;
  options.drop_last = true;
  Session random({.devices = {0, 1}, .options = options});
  const std::vector<float> losses = random.train(60);
  EXPECT_LT(losses.back(), losses.front());
  EXPECT_GT(random.causes("train step").size(), 10u);
  EXPECT_LE(random.causes("train step").size(), 18u);
  EXPECT_NE(random.causes("train step").at(2).find("f32["), std::string::npos);
  Session again({.devices = {0, 1}, .options = options});
  EXPECT_EQ(again.train(60), losses);
  options.habits.shapes = Shapes::bucketed;
  Session bucketed({.devices = {0, 1}, .options = options});
  bucketed.train(60);
  EXPECT_LE(bucketed.causes("train step").size(), 5u);
}

// relu(losses) changes no bit of losses, nor of their gradient, but each turn is in the graph.
TEST(Trainer, a_loop_of_other_turns_compiles_for_each_number_and_changes_no_loss) {
  TrainerOptions options = small_options();
  options.drop_last = true;
  Session plain({.devices = {0, 1}, .options = options});
  const std::vector<float> losses = plain.train(40);
  EXPECT_EQ(plain.causes("train step").size(), 2u);  // without optimizer state, and with it
  options.habits.loop_turns = 4;
  Session loops({.devices = {0, 1}, .options = options});
  EXPECT_EQ(loops.train(40), losses);
  EXPECT_EQ(loops.causes("train step").size(), 5u);
}

TEST(Trainer, losses_that_a_script_keeps_are_another_graph_and_change_no_loss) {
  TrainerOptions options = small_options();
  options.drop_last = true;
  Session plain({.devices = {0, 1}, .options = options});
  const std::vector<float> losses = plain.train(40);
  options.habits.keep_every_n_steps = 7;
  Session keeps({.devices = {0, 1}, .options = options});
  EXPECT_EQ(keeps.train(40), losses);
  ASSERT_EQ(keeps.causes("train step").size(), 3u);
  EXPECT_NE(keeps.causes("train step").at(2).find("output"), std::string::npos);
  options.habits.keep_every_n_steps = 1;
  Session always({.devices = {0, 1}, .options = options});
  EXPECT_EQ(always.train(40), losses);
  EXPECT_EQ(always.causes("train step").size(), 2u);
}

TEST(Trainer, a_bar_that_is_refreshed_every_tenth_batch_reads_then_and_at_the_end) {
  TrainerOptions options = small_options();
  options.max_epochs = 1;
  options.habits.log_every_n_steps = 0;
  options.habits.progress_bar = true;
  const auto reads = [&options](std::int64_t every) {
    options.habits.progress_bar_every = every;
    Session session({.devices = {0}, .options = options, .execution = {.numbers = false}});
    while (!session.trainer.done()) session.trainer.advance();
    return session.metrics.counter("aten::_local_scalar_dense");
  };
  const std::int64_t others = reads(1) - std::int64_t{2} * 45;  // of Lightning's start and end
  EXPECT_EQ(reads(10) - others, 2 * 5);  // behind batch 10, 20, 30, 40 and 45
  options.loop.accumulate = 3;
  // Also between batches that one step sums, where a read finds its value once.
  EXPECT_EQ(reads(10) - others, 3 + 2 * 2);  // batches 10, 20, 40; steps end at 30 and 45
}

TEST(Trainer, bf16_weights_have_only_bf16_values) {
  TrainerOptions options = small_options();
  options.storage = DType::bf16;
  Session session({.options = options});
  EXPECT_LT(session.train(30).back(), 2.1f);
  for (const Array& weights : session.trainer.weights()) {
    for (const float value : weights.values()) ASSERT_EQ(value, rounded_to_bf16(value));
  }
}

TEST(Trainer, ends_after_max_steps_and_max_epochs) {
  TrainerOptions options = small_options();
  options.max_epochs = 2;
  Session epochs({.options = options});
  EXPECT_EQ(epochs.trainer.loop().planned_steps(), 12);
  while (!epochs.trainer.done()) epochs.trainer.advance();
  EXPECT_EQ(epochs.trainer.loop().step(), 12);
  EXPECT_EQ(epochs.trainer.loop().epoch(), 2);
  options.max_steps = 5;
  Session steps({.options = options});
  EXPECT_EQ(steps.trainer.loop().planned_steps(), 5);
  while (!steps.trainer.done()) steps.trainer.advance();
  EXPECT_EQ(steps.trainer.loop().step(), 5);
}

TEST(Trainer, refuses_to_drop_the_only_batch) {
  TrainerOptions options = small_options();
  options.batch = 4096;
  options.drop_last = true;
  Session session({.options = options});
  EXPECT_THROW(session.trainer.advance(), Error);
}

TEST(Learning, of_the_default_run_reaches_the_baseline_on_unseen_writers) {
  TrainerOptions options;
  options.max_epochs = 12;
  Session session({.options = options});
  const double accuracy = session.train_to_the_end().value_or(0);
  // Logistic regression reaches 0.903 here; the five-seed median of the default run is in
  // bench/accuracy.
  EXPECT_GT(accuracy, 0.89);
}

}  // namespace
}  // namespace tpulab::trainer_test
