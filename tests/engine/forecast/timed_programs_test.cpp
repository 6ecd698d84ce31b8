#include "engine/forecast/timed_programs.h"

#include <gtest/gtest.h>

#include <memory>

#include "engine/forecast/forecast.h"
#include "engine/forecast/resolved_step.h"

namespace tpulab::timed_programs_test {
namespace {

// That a compile of the train step counts.
int compiled_nodes(const char* model, const char* stack) {
  const ForecastRequest request{
      .model = model, .slice = "v5p-256", .stack = stack, .batch = 128, .remat = Remat::full};
  const Machine machine = machine_of(request);
  TimedPrograms programs(std::make_shared<const ResolvedStep>(resolved_step(request, machine)));
  return programs.of({.part = ProgramKind::Part::step, .rows = 128}, machine)->compiled_nodes();
}

TEST(TimedPrograms, layers_of_a_loop_compile_once_however_many_there_are) {
  const double written_out = compiled_nodes("llama3-70b", "pytorch-xla");
  EXPECT_GT(written_out, 2.3 * compiled_nodes("llama3-8b", "pytorch-xla"));  // 80 layers, not 32
  const double looped = compiled_nodes("llama3-70b", "jax");
  EXPECT_NEAR(looped, compiled_nodes("llama3-8b", "jax"), 0.01 * looped);
  EXPECT_LT(looped, 0.25 * written_out);
}

// Of 30 turns half count, of three all.
TEST(TimedPrograms, short_loops_compile_as_if_they_were_written_out) {
  const StepWork work{.traced_ops = 1'000, .looped = {{3, 100}, {30, 600}}};
  EXPECT_NEAR(work.share_compiled(15), 0.7, 1e-9);
}

TEST(TimedPrograms, a_loop_of_fifty_layers_compiles_in_the_share_that_was_measured) {
  const StepWork work{.traced_ops = 5'000, .looped = {{50, 5'000}}};
  const double share = work.share_compiled(stack_named("jax").loop_compiles_as);
  EXPECT_NEAR(share, 19.0 / 63.0, 0.005);
}

}  // namespace
}  // namespace tpulab::timed_programs_test
