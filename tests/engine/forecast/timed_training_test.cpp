#include "engine/forecast/timed_training.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "engine/base/error.h"
#include "engine/runtime/counters.h"
#include "tests/engine/forecast/steady_step.h"

namespace tpulab::timed_training_test {
namespace {

struct Bench {
  ProgramCache cache;
  Metrics metrics;
};

TimedOptions options_of(const ForecastRequest& request) {
  return {.request = request, .plan = {.max_steps = 40}, .habits = {.log_every_n_steps = 1000}};
}

TEST(TimedTraining, a_straggler_is_waited_for) {
  const ForecastRequest request{.model = "resnet50", .slice = "v3-32"};
  Machine machine = machine_of(request);
  const StepTimeline even = test::steady_timeline(request, machine);
  machine.stragglers = {{.kind = StragglerKind::core, .index = 4, .factor = 1.5}};
  const StepTimeline step = test::steady_timeline(request, machine);
  const auto exchanged = [](const StepTimeline& one) {
    return one.shares[index_of(Share::collective_transfer)];
  };
  EXPECT_GT(step.shares[index_of(Share::collective_wait)], Picoseconds{});
  const Picoseconds slower = scaled(even.duration() - exchanged(even), 1.5);
  EXPECT_NEAR(in_seconds(step.duration()) / in_seconds(slower + exchanged(step)), 1, 0.001);
}

TEST(TimedTraining, compiles_once_and_again_for_another_batch) {
  const ForecastRequest request{.model = "bert-base", .slice = "v3-8", .batch = 64};
  Bench bench;
  TimedTraining training(machine_of(request), bench.cache, bench.metrics, options_of(request));
  EXPECT_EQ(training.advance().compiles.size(), 1u);
  EXPECT_TRUE(training.advance().compiles.empty());
  TimedOptions larger = options_of(request);
  larger.request.batch = 128;
  training.change(larger);
  const StepReport report = training.advance();
  ASSERT_EQ(report.compiles.size(), 1u);
  EXPECT_NE(report.compiles[0].cause.find("s32[8,128] -> s32[16,128]"), std::string::npos)
      << report.compiles[0].cause;
  EXPECT_EQ(bench.metrics.counter("UncachedCompile"), 2);
  EXPECT_EQ(bench.metrics.counter("CachedCompile"), 1);
}

TEST(TimedTraining, batches_that_keep_other_rows_compile_for_each_and_say_their_shapes) {
  const ForecastRequest request{.model = "resnet50", .slice = "v3-8", .batch = 256};
  Bench bench;
  TimedOptions options = options_of(request);
  options.habits.shapes = Shapes::random;
  TimedTraining training(machine_of(request), bench.cache, bench.metrics, options);
  const std::int64_t first = kept_rows(Shapes::random, 32, options.habits.seed, 0);
  const std::int64_t second = kept_rows(Shapes::random, 32, options.habits.seed, 1);
  ASSERT_NE(first, second);
  EXPECT_EQ(training.advance().timeline.samples, first * 8);
  const StepReport report = training.advance();
  ASSERT_EQ(report.compiles.size(), 1u);
  EXPECT_EQ(report.compiles[0].cause.find(
                fmt::format("input 0: bf16[{},224,224,3] -> bf16[{},224,224,3]", first, second)),
            0u)
      << report.compiles[0].cause;
}

TEST(TimedTraining, texts_change_their_length_and_not_their_number) {
  const ForecastRequest request{.model = "bert-base", .slice = "v3-8", .batch = 64};
  TimedOptions options = options_of(request);
  options.habits.shapes = Shapes::bucketed;
  Bench bench;
  TimedTraining training(machine_of(request), bench.cache, bench.metrics, options);
  std::vector<std::string> causes;
  std::set<std::int64_t> samples;
  while (!training.done()) {
    const StepReport report = training.advance();
    samples.insert(report.timeline.samples);
    for (const CompileNotice& one : report.compiles) causes.push_back(one.cause);
  }
  EXPECT_EQ(samples, std::set<std::int64_t>{64});
  EXPECT_EQ(causes.size(), 4U);  // of 128, 107, 86 and 64 tokens
  EXPECT_NE(causes.back().find("s32[8,"), std::string::npos) << causes.back();
}

TEST(TimedTraining, a_slice_that_is_taken_back_costs_steps_and_compiles) {
  const ForecastRequest request{.model = "resnet50", .slice = "v3-8", .batch = 256};
  const auto time_of = [&request](Preemption preemption, std::int64_t save_every,
                                  Persistence kept = Persistence::nothing) {
    TimedOptions options = options_of(request);
    options.plan.options.preemption = preemption;
    options.plan.options.save_every = save_every;
    Bench bench;
    bench.cache.keep(kept);
    TimedTraining training(machine_of(request), bench.cache, bench.metrics, options);
    std::int64_t samples = 0;
    while (!training.done()) samples += training.advance().timeline.samples;
    EXPECT_EQ(samples, 40 * 256);
    return in_seconds(training.now());
  };
  const double undisturbed = time_of({}, 0);
  const double from_the_beginning = time_of({.step = 30}, 0);
  const double step = test::steady_seconds(request);
  const double compile = undisturbed - 40 * step;
  EXPECT_NEAR(from_the_beginning, 2 * compile + 70 * step, 3 * step);
  const double from_20 = time_of({.step = 30}, 20);
  EXPECT_NEAR(from_the_beginning - from_20, 20 * step, 3 * step);
  EXPECT_LT(time_of({.step = 30}, 20, Persistence::own), from_20 - 0.5 * compile);
}

// 32 rows of 224 x 224 x 3 numbers on each device.
TEST(TimedTraining, sends_rows_as_a_stack_does_or_as_is_asked) {
  const auto sent = [](const char* stack, std::optional<DType> asked) {
    const ForecastRequest request{
        .model = "resnet50", .slice = "v3-8", .stack = stack, .sent = asked, .batch = 256};
    Bench bench;
    TimedTraining training(machine_of(request), bench.cache, bench.metrics, options_of(request));
    for (int step = 0; step < 3; ++step) training.advance();
    return counters_of(bench.metrics.copy()).total("OutboundData");
  };
  constexpr double half = 3 * 32 * 224 * 224 * 3 * 2;
  EXPECT_EQ(sent("pytorch-xla", {}), sent("pytorch-xla", DType::f32));
  EXPECT_EQ(sent("pytorch-xla", {}) - sent("pytorch-xla", DType::bf16), half);
  EXPECT_EQ(sent("jax", {}), sent("jax", DType::bf16));
  EXPECT_EQ(sent("jax", DType::f32) - sent("jax", {}), half);
  EXPECT_EQ(sent("jax", {}) - sent("jax", DType::u8), half / 2);
}

// ResNet-50: 53 convolutions, as many norms with two arrays, a layer with two. Momentum is there
// from the second step on, which is another program.
TEST(TimedTraining, counts_the_arrays_that_a_step_writes_where_the_old_ones_lie) {
  const auto aliases = [](bool donate) {
    const ForecastRequest request{.model = "resnet50",
                                  .slice = "v3-8",
                                  .stack = "pytorch-xla",
                                  .donate = donate,
                                  .optimizer = OptimizerKind::sgd};
    Bench bench;
    TimedTraining training(machine_of(request), bench.cache, bench.metrics, options_of(request));
    for (int step = 0; step < 3; ++step) training.advance();
    return counters_of(bench.metrics.copy()).total("InputOutputAliasCount");
  };
  EXPECT_EQ(aliases(true), 161 + 2 * 161);
  EXPECT_EQ(aliases(false), 0);
}

TEST(TimedTraining, a_loop_of_other_turns_and_kept_losses_are_programs_of_their_own) {
  const ForecastRequest request{.model = "resnet50", .slice = "v3-8", .batch = 256};
  const auto compiles = [&request](const Habits& habits) {
    Bench bench;
    TimedOptions options = options_of(request);
    options.habits = habits;
    TimedTraining training(machine_of(request), bench.cache, bench.metrics, options);
    std::vector<std::string> causes;
    while (!training.done()) {
      for (const CompileNotice& one : training.advance().compiles) causes.push_back(one.cause);
    }
    return causes;
  };
  EXPECT_EQ(compiles({}).size(), 1u);
  EXPECT_EQ(compiles({.keep_every_n_steps = 7}).size(), 2u);
  EXPECT_EQ(compiles({.keep_every_n_steps = 1}).size(), 1u);
  const std::vector<std::string> turns = compiles({.loop_turns = 4});
  EXPECT_EQ(turns.size(), 4u);
  EXPECT_NE(turns.back().find("turns of a loop"), std::string::npos) << turns.back();
}

// 53 convolutions, each with a batch norm behind it; 161 arrays that SGD with momentum changes.
TEST(TimedTraining, counts_calls_of_torch_as_often_as_they_are_traced) {
  const ForecastRequest request{
      .model = "resnet50", .slice = "v3-8", .stack = "pytorch-xla", .batch = 256};
  Bench bench;
  TimedTraining training(machine_of(request), bench.cache, bench.metrics, options_of(request));
  for (int step = 0; step < 3; ++step) training.advance();
  EXPECT_EQ(bench.metrics.counter("xla::convolution_overrideable"), 3 * 53);
  EXPECT_EQ(bench.metrics.counter("xla::convolution_backward_overrideable"), 3 * 53);
  EXPECT_EQ(bench.metrics.counter("xla::native_batch_norm"), 3 * 53);
  EXPECT_EQ(bench.metrics.counter("xla::native_batch_norm_backward"), 3 * 53);
  EXPECT_EQ(bench.metrics.counter("xla::relu"), 3 * 49);
  EXPECT_EQ(bench.metrics.counter("xla::nll_loss_forward"), 3);
  EXPECT_EQ(bench.metrics.counter("xla::addmm"), 3);
  EXPECT_EQ(bench.metrics.counter("xla::bmm"), 0);
  EXPECT_EQ(bench.metrics.counter("xla::mul"), 3 * 161);
}

TEST(TimedTraining, counts_no_calls_of_torch_where_others_trace_or_shares_alone_are_asked_for) {
  ForecastRequest request{.model = "resnet50", .slice = "v3-8", .stack = "jax", .batch = 256};
  Bench bench;
  TimedTraining(machine_of(request), bench.cache, bench.metrics, options_of(request)).advance();
  request.stack = "pytorch-xla";
  TimedOptions shares = options_of(request);
  shares.detail = Detail::shares;
  TimedTraining(machine_of(request), bench.cache, bench.metrics, shares).advance();
  EXPECT_EQ(bench.metrics.counter("xla::relu"), 0);
}

TEST(TimedTraining, takes_the_same_time_where_nothing_is_counted_and_no_cause_is_sought) {
  const ForecastRequest request{.model = "resnet50", .slice = "v3-8", .batch = 256};
  TimedOptions options = options_of(request);
  options.habits.shapes = Shapes::random;
  Bench usual;
  TimedTraining counted(machine_of(request), usual.cache, usual.metrics, options);
  options.detail = Detail::times;
  Bench bare;
  TimedTraining timed(machine_of(request), bare.cache, bare.metrics, options);
  for (int step = 0; step < 20; ++step) {
    const StepReport one = counted.advance();
    const StepReport other = timed.advance();
    EXPECT_EQ(other.timeline.duration(), one.timeline.duration()) << "step " << step;
    ASSERT_EQ(other.compiles.size(), one.compiles.size());
    for (const CompileNotice& notice : other.compiles) EXPECT_EQ(notice.cause, "");
  }
  EXPECT_EQ(bare.metrics.counter("MarkStep"), 0);
  EXPECT_GT(usual.metrics.counter("MarkStep"), 0);
}

TEST(TimedTraining, another_optimizer_is_another_program) {
  ForecastRequest request{.model = "bert-base", .slice = "v3-8", .batch = 64};
  Bench bench;
  request.optimizer = OptimizerKind::adam;
  TimedTraining first(machine_of(request), bench.cache, bench.metrics, options_of(request));
  first.advance();
  request.optimizer = OptimizerKind::sgd;
  TimedTraining second(machine_of(request), bench.cache, bench.metrics, options_of(request));
  EXPECT_EQ(second.advance().compiles.size(), 1u);
}

TEST(TimedTraining, an_item_inside_the_step_is_a_program_and_a_read_of_its_own) {
  const ForecastRequest request{
      .model = "bert-base", .slice = "v3-8", .stack = "pytorch-xla", .batch = 64};
  Bench bench;
  TimedOptions options = options_of(request);
  options.habits.item_every_n_steps = 1;
  TimedTraining training(machine_of(request), bench.cache, bench.metrics, options);
  EXPECT_EQ(training.advance().compiles.size(), 2u);
  EXPECT_EQ(bench.metrics.counter("aten::_local_scalar_dense"), 1);
}

TEST(TimedTraining, what_does_not_fit_is_refused_and_a_change_to_it_leaves_the_run) {
  const ForecastRequest large{.model = "llama3-405b", .slice = "v3-8"};
  Bench bench;
  EXPECT_THROW(TimedTraining(machine_of(large), bench.cache, bench.metrics, options_of(large)),
               Error);
  const ForecastRequest request{.model = "bert-large", .slice = "v3-8", .batch = 64};
  TimedTraining training(machine_of(request), bench.cache, bench.metrics, options_of(request));
  TimedOptions huge = options_of(request);
  huge.request.batch = 1 << 20;
  EXPECT_THROW(training.change(huge), Error);
  EXPECT_EQ(training.advance().timeline.samples, 64);
}

// 100 rows on each device: three batches of 32 and one of 4.
TimedOptions short_epochs(const ForecastRequest& request, std::int64_t devices = 8) {
  TimedOptions options = options_of(request);
  options.rows = {.training = 100 * devices, .validation = 40 * devices};
  options.plan.max_steps = -1;
  options.plan.max_epochs = 2;
  return options;
}

TEST(TimedTraining, an_epoch_ends_with_a_shorter_batch_that_compiles_once) {
  const ForecastRequest request{.model = "resnet50", .slice = "v3-8", .stack = "jax"};
  Bench bench;
  TimedTraining training(machine_of(request), bench.cache, bench.metrics, short_epochs(request));
  EXPECT_EQ(training.loop().planned_steps(), 8);
  std::vector<std::int64_t> samples;
  std::vector<std::string> causes;
  while (!training.done()) {
    const StepReport report = training.advance();
    if (report.optimizer_step) samples.push_back(report.timeline.samples);
    for (const CompileNotice& notice : report.compiles) {
      if (notice.graph == "train step") causes.push_back(notice.cause);
    }
  }
  EXPECT_EQ(samples, (std::vector<std::int64_t>{256, 256, 256, 32, 256, 256, 256, 32}));
  ASSERT_EQ(causes.size(), 2U);
  EXPECT_TRUE(causes[1].ends_with("last batch")) << causes[1];
}

struct Told {
  std::vector<std::string> did;  // "compile", "run" and a program, step by step
  std::int64_t reads = 0;
  std::int64_t syncs = 0;
  std::vector<std::int64_t> validated_after;  // steps
};

Told run_of(const ForecastRequest& request, const TimedOptions& options,
            std::vector<int> devices = {}) {
  Machine machine = machine_of(request);
  if (!devices.empty()) machine.devices = std::move(devices);
  Bench bench;
  TimedTraining training(machine, bench.cache, bench.metrics, options);
  Told told;
  while (!training.done()) {
    const StepReport report = training.advance();
    if (report.test_accuracy) told.validated_after.push_back(training.loop().step());
    for (const TimedEvent& timed : report.timeline.events) {
      if (timed.event->kind != EventKind::compile) continue;
      told.did.push_back(fmt::format("{} {}", report.timeline.step, timed.event->name));
    }
  }
  told.reads = bench.metrics.counter("aten::_local_scalar_dense");
  told.syncs = bench.metrics.counter("MarkStep");
  return told;
}

using Steps = std::vector<std::int64_t>;
using Words = std::vector<std::string>;

// 40 rows of validation on each device: 32 and 8.
TEST(TimedTraining, lazy_steps_compile_in_the_order_of_lightning) {
  const ForecastRequest request{.model = "resnet50", .slice = "v3-8", .stack = "pytorch-xla"};
  const Told told = run_of(request, short_epochs(request));
  EXPECT_EQ(told.did, (Words{"0 evaluation", "0 evaluation", "1 train step", "2 train step",
                             "4 train step"}));
  EXPECT_EQ(told.validated_after, (Steps{4, 8}));
  EXPECT_EQ(told.reads, 3 + 2);          // lengths of loaders, validations
  EXPECT_EQ(told.syncs, 2 * 8 + 2 * 3);  // loader's and optimizer's, each batch validated
}

TEST(TimedTraining, compiled_steps_have_no_sanity_check_and_one_program_a_shape) {
  const ForecastRequest request{.model = "resnet50", .slice = "v3-8", .stack = "jax"};
  const Told told = run_of(request, short_epochs(request));
  EXPECT_EQ(told.did, (Words{"1 train step", "4 train step", "4 evaluation", "4 evaluation"}));
  EXPECT_EQ(told.validated_after, (Steps{4, 8}));
}

// As the trainer: two comparisons of lengths, and all batches of validation in one graph.
TEST(TimedTraining, one_lazy_device_validates_in_one_graph) {
  const ForecastRequest request{
      .model = "resnet50", .slice = "v3-8", .stack = "pytorch-xla", .batch = 32};
  const Told told = run_of(request, short_epochs(request, 1), {0});
  EXPECT_EQ(told.did, (Words{"0 length of a loader", "0 length of a loader", "1 train step",
                             "2 train step", "4 train step", "4 evaluation"}));
  EXPECT_EQ(told.syncs, 8);
}

// As the trainer: the sanity check's two batches compile, and find all that follow compiled.
TEST(TimedTraining, one_lazy_device_that_syncs_validates_batch_by_batch) {
  const ForecastRequest request{
      .model = "resnet50", .slice = "v3-8", .stack = "pytorch-xla", .batch = 32};
  TimedOptions options = short_epochs(request, 1);
  options.habits.sync_validation = true;
  const Told told = run_of(request, options, {0});
  EXPECT_EQ(told.did, (Words{"0 length of a loader", "0 length of a loader", "0 evaluation",
                             "0 evaluation", "1 train step", "2 train step", "4 train step"}));
}

TEST(TimedTraining, what_one_lazy_device_cannot_hold_at_once_is_not_validated_in_one_graph) {
  const ForecastRequest request{
      .model = "resnet50", .slice = "v3-8", .stack = "pytorch-xla", .batch = 32};
  TimedOptions options = short_epochs(request, 1);
  options.rows.validation = 100'000;
  EXPECT_THROW(run_of(request, options, {0}), Impossible);
  options.habits.sync_validation = true;  // as its sentence says
  EXPECT_EQ(run_of(request, options, {0}).validated_after, (Steps{4, 8}));
}

TEST(TimedTraining, a_step_sums_batches_in_two_programs_where_the_loader_cuts) {
  const ForecastRequest request{.model = "resnet50", .slice = "v3-8", .stack = "pytorch-xla"};
  TimedOptions options = short_epochs(request);
  options.plan.options = {.val_batches = {.count = 0}, .accumulate = 2};
  const Told told = run_of(request, options);
  // Of two batches of 32, of one of 32 and one of 4, and the first again with optimizer state.
  EXPECT_EQ(told.did, (Words{"1 accumulation", "1 train step", "2 train step", "3 train step"}));
}

// Time of the devices: twice the batches, the update once.
TEST(TimedTraining, summed_batches_share_one_update) {
  const ForecastRequest request{.model = "resnet50", .slice = "v3-8", .stack = "jax"};
  const auto device_time = [&](std::int64_t batches) {
    TimedOptions options = options_of(request);
    options.plan.options.accumulate = batches;
    Bench bench;
    TimedTraining training(machine_of(request), bench.cache, bench.metrics, options);
    StepReport newest;
    while (!training.done()) newest = training.advance();
    EXPECT_EQ(newest.timeline.samples, 256 * batches);
    return in_seconds(newest.timeline.duration());
  };
  const double once = device_time(1);
  EXPECT_LT(device_time(2), 2 * once);
  EXPECT_GT(device_time(2), 1.9 * once);
}

}  // namespace
}  // namespace tpulab::timed_training_test
