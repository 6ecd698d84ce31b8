// A process that is lost: what is trained again, and what a new one has to compile.
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/runtime/counters.h"
#include "engine/session/settings/preemption.h"
#include "tests/engine/training/training_session.h"

namespace tpulab::restart_test {
namespace {

using test::Session;

// 12 steps an epoch on eight cores, the last of them shorter.
TrainerOptions options_of(Preemption preemption, std::int64_t save_every = 0) {
  TrainerOptions options;
  options.model = perceptron({96});
  options.batch = 16;
  options.max_epochs = 3;
  options.loop.preemption = preemption;
  options.loop.save_every = save_every;
  return options;
}

struct Told {
  std::vector<float> losses{};       // of each optimizer step, those of the lost process included
  std::vector<double> accuracies{};  // of each evaluation
  std::vector<std::string> compiles{};
  StepTimeline restart{};
  std::vector<Event> events{};  // of the restart
  std::int64_t samples = 0;
};

Told run(const TrainerOptions& options, Persistence kept = Persistence::nothing,
         const ExecuteOptions& execution = {}) {
  Session session({.options = options, .execution = execution});
  session.cache.keep(kept);
  Told told;
  while (!session.trainer.done()) {
    StepReport report = session.trainer.advance();
    for (const CompileNotice& one : report.compiles) told.compiles.push_back(one.cause);
    if (report.loss) told.losses.push_back(*report.loss);
    if (report.test_accuracy) told.accuracies.push_back(*report.test_accuracy);
    told.samples += report.timeline.samples;
    if (report.timeline.kind != StepKind::restart) continue;
    for (const TimedEvent& timed : report.timeline.events) told.events.push_back(*timed.event);
    told.restart = std::move(report.timeline);
  }
  return told;
}

std::int64_t count(const Told& told, const std::string& cause) {
  return std::ranges::count_if(
      told.compiles, [&](const std::string& one) { return one.find(cause) != std::string::npos; });
}

TEST(Restart, goes_on_from_the_newest_epoch_to_the_same_bits) {
  const Told whole = run(options_of({}));
  const Told lost = run(options_of({.step = 20}));
  ASSERT_EQ(whole.losses.size(), 36U);
  ASSERT_EQ(lost.losses.size(), 36U + 8U);
  std::vector<float> again(lost.losses.begin(), lost.losses.begin() + 12);
  again.insert(again.end(), lost.losses.begin() + 20, lost.losses.end());
  EXPECT_EQ(again, whole.losses);
  EXPECT_EQ(lost.accuracies, whole.accuracies);
  EXPECT_EQ(lost.samples, whole.samples);
  EXPECT_EQ(lost.events.front().count, 8);
  EXPECT_LT(lost.restart.samples, 0);
}

// What was saved had no momentum yet.
TEST(Restart, goes_back_to_what_was_saved_before_an_optimizer_had_moments) {
  TrainerOptions options = options_of({.step = 20}, 8);
  options.optimizer = {.kind = OptimizerKind::sgd, .momentum = 0};
  Session session({.options = options});
  while (session.trainer.loop().step() < 18) session.trainer.advance();
  options.optimizer.momentum = 0.9;
  session.trainer.change(options);
  std::vector<float> losses;
  while (!session.trainer.done()) {
    const StepReport report = session.trainer.advance();
    if (report.loss) losses.push_back(*report.loss);
  }
  EXPECT_EQ(losses.size(), 36U - 18 + 4);  // steps 17 to 20 again
  EXPECT_LT(losses.back(), losses.front());
}

TEST(Restart, begins_anew_where_nothing_was_saved) {
  const Told whole = run(options_of({}));
  const Told lost = run(options_of({.step = 5}));
  ASSERT_EQ(lost.losses.size(), whole.losses.size() + 5);
  EXPECT_EQ(std::vector<float>(lost.losses.begin() + 5, lost.losses.end()), whole.losses);
  EXPECT_NE(lost.events.front().cause.find("from the beginning"), std::string::npos);
}

TEST(Restart, loses_fewer_steps_behind_checkpoints_which_are_read) {
  const Told lost = run(options_of({.step = 20}, 6));
  EXPECT_EQ(lost.events.front().count, 2);
  const Told whole = run(options_of({}));
  EXPECT_EQ(lost.losses.size(), whole.losses.size() + 2);
  EXPECT_EQ(lost.losses.back(), whole.losses.back());
}

TEST(Restart, compiles_what_the_lost_process_had_or_loads_it_from_disk) {
  const Told cold = run(options_of({.step = 20}));
  const Told warm = run(options_of({.step = 20}), Persistence::own);
  EXPECT_EQ(count(cold, "by the process that was lost"), 4);  // two train steps, two evaluations
  EXPECT_EQ(count(warm, "found on disk"), 4);
  EXPECT_EQ(count(warm, "by the process that was lost"), 0);
  EXPECT_EQ(cold.losses, warm.losses);
}

TEST(Restart, takes_the_same_steps_without_numbers) {
  const ExecuteOptions timed{.numbers = false};
  for (const std::int64_t step : {5, 20}) {
    const Told with = run(options_of({.step = step}, 6));
    const Told without = run(options_of({.step = step}, 6), Persistence::nothing, timed);
    EXPECT_EQ(with.samples, without.samples) << step;
    EXPECT_EQ(with.compiles, without.compiles) << step;
    EXPECT_EQ(with.events.front().cause, without.events.front().cause) << step;
  }
}

TEST(MadeProgram, is_loaded_in_a_share_of_its_compile_and_counted_as_a_hit) {
  TrainerOptions options = options_of({});
  options.max_epochs = 1;
  const auto spent = [&options](Persistence kept) {
    Session session({.options = options});
    session.cache.keep(kept);
    Picoseconds compile{};
    while (!session.trainer.done()) {
      const StepTimeline step = session.trainer.advance().timeline;
      compile += step.shares[index_of(Share::compile)];
    }
    const Counters counters = counters_of(session.metrics.copy());
    const bool filled = kept == Persistence::all;
    EXPECT_EQ(counters.count("PersistentCacheHit"), filled ? 5 : 0);
    EXPECT_EQ(counters.count("PersistentCacheMiss"), kept == Persistence::own ? 5 : 0);
    EXPECT_EQ(counters.samples("CompileTime"), filled ? 0 : 5);
    return in_seconds(compile);
  };
  const double compiled = spent(Persistence::nothing);
  EXPECT_EQ(spent(Persistence::own), compiled);
  EXPECT_NEAR(spent(Persistence::all) / compiled, 0.1, 0.001);
}

TEST(Preemption, is_a_host_and_a_step) {
  EXPECT_EQ(preemption_named("none"), Preemption{});
  EXPECT_EQ(preemption_named("host@40"), (Preemption{.host = 0, .step = 40}));
  EXPECT_EQ(preemption_named("host:3@100"), (Preemption{.host = 3, .step = 100}));
  for (const char* wrong : {"host", "host@0", "host@-1", "host:@4", "host:x@4", "core:1@4", "host@",
                            "@4", "host:1@4x", "host:99999999999999999999@4"}) {
    EXPECT_THROW(preemption_named(wrong), Error) << wrong;
  }
}

}  // namespace
}  // namespace tpulab::restart_test
