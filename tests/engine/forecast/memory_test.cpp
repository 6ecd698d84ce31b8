#include "engine/forecast/memory.h"

#include <gtest/gtest.h>

#include "engine/evidence/step_point.h"

namespace tpulab::memory_test {
namespace {

ResolvedStep priced(const ForecastRequest& request) {
  return resolved_step(request, machine_of(request));
}

ForecastMemory memory_of(const ForecastRequest& request) {
  return memory_of(priced(request), slice_named(request.slice));
}

TEST(Memory, every_measured_training_step_fits_the_devices_it_ran_on) {
  int points = 0;
  for (const MeasuredPoint& point : shipped_points()) {
    if (!point.model || !why_not_predicted(point).empty()) continue;
    const ForecastRequest request = request_of(point);
    EXPECT_TRUE(memory_in_run(priced(request), machine_of(request)).fits()) << point.id;
    ++points;
  }
  EXPECT_GT(points, 30);
}

TEST(Memory, four_bytes_of_weights_and_gradients_and_eight_of_adam_fill_a_small_device) {
  // 16 bytes for each of 1.3 billion parameters alone are above 16 GiB.
  const ResolvedStep step = priced({.model = "lm-1b", .slice = "v3-8", .mesh = {.data = 8}});
  const ForecastMemory memory = memory_of(step, slice_named("v3-8"));
  EXPECT_GE(memory.activations.value, memory.weights.value);  // gradients
  EXPECT_EQ(memory.optimizer_state.value, 2 * memory.weights.value);
  EXPECT_EQ(memory.weights.value, 4 * step.work.parameters());
}

TEST(Memory, of_a_program_that_names_no_weights_does_not_tell_them_from_state) {
  ForecastMemory memory{.weights = {2LL << 30},
                        .with_state = true,
                        .activations = {1LL << 40},
                        .limit = {16LL << 30}};
  EXPECT_NE(out_of_memory_text(memory, {}).find("Weights and what an optimizer keeps 2.0 GiB, act"),
            std::string::npos);
  memory.with_state = false;
  EXPECT_NE(out_of_memory_text(memory, {}).find("Weights 2.0 GiB, optimizer state 0 B, act"),
            std::string::npos);
}

// 128 images of 224 x 224 x 3 floats, a label of 4 bytes each.
TEST(Memory, of_a_run_holds_the_batches_that_its_loader_keeps_ready) {
  constexpr std::int64_t batch = 128 * (224 * 224 * 3 * 4 + 4);
  const auto ahead = [](const std::string& stack, int asked, std::vector<int> devices) {
    const ForecastRequest request{
        .model = "resnet50", .slice = "v3-8", .stack = stack, .batch = 128 * std::ssize(devices)};
    Machine machine = machine_of(request);
    machine.devices = std::move(devices);
    machine.loader.ahead = asked;
    return memory_in_run(resolved_step(request, machine), machine).batches_ahead.value;
  };
  const std::vector<int> all{0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(ahead("pytorch-xla", 0, all), 8 * batch);  // device_prefetch_size
  EXPECT_EQ(ahead("pytorch-xla", 3, all), 3 * batch);
  EXPECT_EQ(ahead("pytorch-xla", 3, {1}), 0);  // Lightning's loop sends each batch in its step
  EXPECT_EQ(ahead("jax", 5, {1}) / 5, ahead("jax", 0, {1}) / 2);
}

TEST(Memory, replicas_that_share_the_update_keep_the_state_of_their_share) {
  const auto memory = [](const std::string& stack) {
    return memory_of({.model = "bert-base", .slice = "v3-8", .stack = stack, .batch = 64});
  };
  const ForecastMemory shared = memory("tensorflow");
  EXPECT_EQ(shared.optimizer_state.value, (2 * shared.weights.value + 7) / 8);
  EXPECT_EQ(memory("jax").optimizer_state.value, 2 * shared.weights.value);
}

TEST(Memory, new_weights_and_state_that_replace_none_need_as_much_again) {
  const ForecastRequest request{.model = "bert-base", .slice = "v3-8", .batch = 64};
  ForecastRequest apart = request;
  apart.donate = false;
  const ForecastMemory with = memory_of(request);
  const ForecastMemory without = memory_of(apart);
  EXPECT_EQ((without.total() - with.total()).value, 3 * with.weights.value);  // adam's two moments
  EXPECT_EQ(without.temporaries.value, 3 * with.weights.value);
}

// Inputs of layers are kept once for each run of a layer, whoever makes them: with a tensor group
// the first is a sum over the group.
TEST(Memory, of_a_tensor_group_grows_with_the_batch_under_every_policy) {
  for (const char* model : {"llama3-8b", "bert-large", "gpt3-175b"}) {
    for (const std::string_view policy : remat_names) {
      for (const int tensor : {2, 8}) {
        Bytes before;
        for (const std::int64_t rows : {64, 256}) {
          const ForecastMemory memory = memory_of({.model = model,
                                                   .slice = "v5p-128",
                                                   .precision = "bf16-mixed",
                                                   .batch = rows,
                                                   .mesh = {.fsdp = 64 / tensor, .tensor = tensor},
                                                   .remat = remat_named(policy)});
          EXPECT_GT(memory.activations.value, 0) << model << " " << policy;
          EXPECT_GE(memory.total(), before) << model << " " << policy;
          before = memory.total();
        }
      }
    }
  }
}

TEST(Memory, of_a_host_says_that_turns_without_rows_leave_as_much) {
  const auto refusal = [](const Mesh& mesh) {
    const ResolvedStep step = priced({.model = "llama3-8b",
                                      .slice = "v5p-128",
                                      .batch = 256,
                                      .mesh = mesh,
                                      .remat = Remat::minimal_offload});
    return out_of_memory_text(memory_of(step, slice_named("v5p-128")), step.work);
  };
  const std::string stages = refusal({.fsdp = 16, .pipeline = 4, .microbatches = 4});
  EXPECT_NE(stages.find("7 turns of a pipeline: 3 of them have no rows and leave as much"),
            std::string::npos)
      << stages;
  EXPECT_EQ(refusal({.fsdp = 64}), "");
}

}  // namespace
}  // namespace tpulab::memory_test
