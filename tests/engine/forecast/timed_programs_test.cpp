#include "engine/forecast/timed_programs.h"

#include <gtest/gtest.h>

#include <memory>

#include "engine/forecast/forecast.h"
#include "engine/forecast/resolved_step.h"

namespace tpulab::timed_programs_test {
namespace {

// That trains on so many batches at once.
std::shared_ptr<const Program> step_of(ForecastRequest request, std::int64_t batches = 1) {
  request.sums_batches = batches > 1;
  const Machine machine = machine_of(request);
  TimedPrograms programs(std::make_shared<const ResolvedStep>(resolved_step(request, machine)));
  return programs.of(
      {.part = ProgramKind::Part::step, .rows = programs.batch(), .before = batches - 1}, machine);
}

// That a compile of the train step counts.
int compiled_nodes(const char* model, const char* stack) {
  return step_of({.model = model,
                  .slice = "v5p-256",
                  .stack = stack,
                  .batch = 128,
                  .remat = Remat::full})
      ->compiled_nodes();
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

// JAX goes through them in a loop, PyTorch traces each.
TEST(TimedPrograms, batches_that_are_summed_compile_once_where_a_step_is_traced_once) {
  const auto nodes = [](const char* stack, std::int64_t batches) {
    return step_of({.model = "bert-base", .slice = "v3-8", .stack = stack}, batches)
        ->compiled_nodes();
  };
  EXPECT_EQ(nodes("jax", 8), nodes("jax", 1));
  EXPECT_GT(nodes("pytorch-xla", 8), 3 * nodes("pytorch-xla", 1));
}

// How often kernels of a name run in a step that sums so many batches, of as many rows each.
std::int64_t runs_of(const ForecastRequest& request, std::int64_t batches, std::string_view name) {
  const auto step = step_of(request, batches);
  std::int64_t runs = 0;
  for (const Kernel& kernel : step->kernels) {
    if (kernel.name.find(name) != std::string::npos) runs += kernel.runs;
  }
  return runs;
}

ForecastRequest llama_on_a_tensor_group() {
  return {.model = "llama2-7b",
          .slice = "v5p-32",
          .stack = "jax",
          .batch = 16,
          .mesh = {.tensor = 16},
          .remat = Remat::full};
}

// Those of weights' gradients once, those of activations and their gradients for each batch.
TEST(TimedPrograms, batches_that_are_summed_each_exchange_what_they_compute) {
  EXPECT_EQ(runs_of(llama_on_a_tensor_group(), 4, "all-reduce"),
            4 * runs_of(llama_on_a_tensor_group(), 1, "all-reduce"));
  const ForecastRequest experts{.model = "mixtral-8x7b",
                                .slice = "v5p-128",
                                .stack = "jax",
                                .batch = 64,
                                .mesh = {.fsdp = 8, .expert = 8},
                                .remat = Remat::full};
  EXPECT_EQ(runs_of(experts, 2, "all-to-all"), 2 * runs_of(experts, 1, "all-to-all"));
  const ForecastRequest data{.model = "resnet50", .slice = "v3-8", .stack = "jax"};
  EXPECT_EQ(runs_of(data, 4, "all-reduce"), runs_of(data, 1, "all-reduce"));
}

// Also on one device, where a lone batch's is part of what makes its gradient.
TEST(TimedPrograms, batches_that_are_summed_read_the_sums_of_those_before) {
  const ForecastRequest request{
      .model = "bert-large", .slice = "v5e-1", .stack = "jax", .batch = 4};
  EXPECT_EQ(runs_of(request, 4, "sums of gradients"), 3);
  EXPECT_EQ(runs_of(request, 1, "sums of gradients"), 0);
}

// Of kernels that run as often for two batches as for four: at least one for each weight.
TEST(TimedPrograms, batches_that_are_summed_share_one_update) {
  const auto updates = [](const ForecastRequest& request) {
    const std::int64_t of_two = runs_of(request, 2, "") - 1;
    const std::int64_t of_four = runs_of(request, 4, "") - 3;
    return of_two - (of_four - of_two);
  };
  const ForecastRequest layers{.model = "bert-large", .slice = "v5e-1", .stack = "jax", .batch = 4};
  EXPECT_GT(updates(layers), 24 * 12);
  const ForecastRequest no_layers{
      .model = "mlp-64-8192-8192-10", .slice = "v5e-1", .stack = "jax", .batch = 1};
  EXPECT_GE(updates(no_layers), 6);
  EXPECT_GE(updates(llama_on_a_tensor_group()), 32 * 7 + 3);
}

}  // namespace
}  // namespace tpulab::timed_programs_test
