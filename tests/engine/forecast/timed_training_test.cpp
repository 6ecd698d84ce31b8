#include "engine/forecast/timed_training.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace tpulab {
namespace {

struct Bench {
  ProgramCache cache;
  Metrics metrics;
};

TimedOptions options_of(const ForecastRequest& request) {
  return {.request = request, .max_steps = 40, .log_every_n_steps = 1000};
}

Picoseconds steady_step(const ForecastRequest& request) {
  Bench bench;
  TimedTraining training(machine_of(request), bench.cache, bench.metrics, options_of(request));
  Picoseconds newest{};
  while (!training.done()) newest = training.advance().timeline.duration();
  return newest;
}

TEST(TimedTraining, a_steady_step_is_the_forecast_step) {
  for (const char* stack : {"jax", "pytorch-xla", "tensorflow"}) {
    for (const char* model : {"resnet50", "bert-base", "mnist-cnn", "llama2-7b"}) {
      const ForecastRequest request{
          .model = model, .slice = "v4-128", .stack = stack, .remat = Remat::full};
      EXPECT_NEAR(in_seconds(steady_step(request)) / in_seconds(forecast(request).step), 1, 0.01)
          << model << " with " << stack;
    }
  }
}

TEST(TimedTraining, sharded_weights_travel_as_in_the_forecast) {
  const ForecastRequest request{.model = "llama3-70b",
                                .slice = "2xv5e-256",
                                .batch = 128,
                                .mesh = {.fsdp = 64, .tensor = 4},
                                .remat = Remat::full};
  EXPECT_NEAR(in_seconds(steady_step(request)) / in_seconds(forecast(request).step), 1, 0.01);
}

TEST(TimedTraining, a_straggler_is_waited_for) {
  const ForecastRequest request{.model = "resnet50", .slice = "v3-32"};
  Machine machine = machine_of(request);
  machine.stragglers = {{.kind = StragglerKind::core, .index = 4, .factor = 1.5}};
  Bench bench;
  TimedTraining training(machine, bench.cache, bench.metrics, options_of(request));
  StepReport newest;
  while (!training.done()) newest = training.advance();
  const StepTimeline& step = newest.timeline;
  EXPECT_GT(step.shares[index_of(Share::collective_wait)], Picoseconds{});
  EXPECT_NEAR(in_seconds(step.duration()) / in_seconds(forecast_on(request, machine).step), 1,
              0.01);
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
  const ForecastRequest request{.model = "bert-base", .slice = "v3-8", .batch = 64};
  Bench bench;
  TimedOptions options = options_of(request);
  options.item_every_n_steps = 1;
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

TEST(TimedTraining, without_a_limit_it_takes_its_usual_number_of_steps) {
  const ForecastRequest request{.model = "mnist-cnn", .slice = "v3-8"};
  Bench bench;
  TimedOptions options = options_of(request);
  options.max_steps = -1;
  const TimedTraining training(machine_of(request), bench.cache, bench.metrics, options);
  EXPECT_EQ(training.planned_steps(), TimedTraining::usual_steps);
}

}  // namespace
}  // namespace tpulab
