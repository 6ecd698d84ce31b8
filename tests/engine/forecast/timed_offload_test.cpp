// What waits in the host's memory, beside passes of devices of any speed.
#include <gtest/gtest.h>

#include "engine/forecast/timed_training.h"

namespace tpulab::timed_offload_test {
namespace {

const ForecastRequest request{.model = "gemma2-9b",
                              .slice = "v6e-16",
                              .stack = "jax",
                              .batch = 16,
                              .sequence = 1024,
                              .mesh = {.fsdp = 4, .tensor = 4},
                              .remat = Remat::minimal_offload};

StepTimeline step_on(const Machine& machine) {
  ProgramCache cache;
  Metrics metrics;
  TimedTraining training(
      machine, cache, metrics,
      {.request = request, .plan = {.max_steps = 12}, .habits = {.log_every_n_steps = 1000}});
  StepTimeline step;
  while (!training.done()) step = training.advance().timeline;
  return step.without_events();
}

// The link is as fast as ever, and the passes that it is beside are longer.
TEST(TimedOffload, is_waited_for_less_beside_a_slow_core) {
  Machine machine = machine_of(request);
  const auto waited = [&](double factor) {
    machine.stragglers = {{.kind = StragglerKind::core, .index = 2, .factor = factor}};
    return step_on(machine).shares[index_of(Share::offload)];
  };
  const Picoseconds usual = waited(1);
  EXPECT_GT(usual, waited(1.3));
  EXPECT_EQ(waited(10), Picoseconds{});
}

}  // namespace
}  // namespace tpulab::timed_offload_test
