#include "engine/forecast/forecast.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/forecast/memory.h"
#include "engine/forecast/mesh.h"
#include "tests/engine/forecast/steady_step.h"

namespace tpulab::forecast_test {
namespace {

std::string refusal_of(const ForecastRequest& request) {
  try {
    resolved_step(request, machine_of(request));
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

bool says(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

ResolvedStep resolved(const ForecastRequest& request) {
  return resolved_step(request, machine_of(request));
}

ForecastMemory memory(const ForecastRequest& request) {
  return memory_of(resolved(request), slice_named(request.slice));
}

TEST(Forecast, memory_of_a_small_perceptron_is_what_lives_at_once) {
  // 64-1024-10 in f32 with two moments of Adam, 32 rows on each core.
  const ResolvedStep small =
      resolved({.model = "mlp-64-1024-10", .slice = "v3-8", .precision = "32-true", .batch = 256});
  const std::int64_t parameters = 64 * 1024 + 1024 + 1024 * 10 + 10;
  EXPECT_EQ(small.work.parameters(), parameters);
  const ForecastMemory result = memory_of(small, slice_named("v3-8"));
  EXPECT_EQ(result.weights.value, 4 * parameters);
  EXPECT_EQ(result.optimizer_state.value, 8 * parameters);
  EXPECT_EQ(out_of_memory_text(result, small.work), "");
  // By the TPU compiler: arguments, outputs and temporaries less what outputs take over.
  const auto total = [](std::int64_t batch) {
    const ForecastMemory wide = memory({.model = "mlp-64-1024-1024-10",
                                        .slice = "v3-8",
                                        .precision = "32-true",
                                        .batch = 8 * batch});
    return static_cast<double>(wide.total().value);
  };
  EXPECT_NEAR(total(180) / (13'661'184 + 13'596'672 - 13'594'624 + 7'139'328), 1, 0.2);
  EXPECT_NEAR(total(1024) / (13'860'864 + 13'596'672 - 13'594'624 + 17'445'888), 1, 0.2);
}

// The TPU compiler's figures for 128 rows on a core of v3 and 256 on a chip of v4. Of 512 rows it
// stores less for each, so that they fit.
TEST(Forecast, memory_of_resnet50_is_near_that_of_the_tpu_compiler) {
  const auto mib = [](const char* slice, std::int64_t batch) {
    const ForecastMemory one = memory({.model = "resnet50", .slice = slice, .batch = batch});
    return static_cast<double>(one.total().value) / (1 << 20);
  };
  EXPECT_NEAR(mib("v3-8", 8 * 128) / 4645, 1, 0.1);
  EXPECT_NEAR(mib("v4-8", 4 * 256) / 8975, 1, 0.1);
  EXPECT_NEAR(mib("v3-8", 8 * 512) / 14419, 1, 0.1);
  EXPECT_LT(mib("v3-8", 8 * 512), 15.48 * 1024);
}

TEST(Forecast, a_decoder_too_large_for_one_device_is_fully_sharded) {
  const ResolvedStep result =
      resolved({.model = "llama3-8b", .slice = "v6e-16", .batch = 48, .remat = Remat::full});
  EXPECT_EQ(result.mesh.fsdp, 16);
  EXPECT_EQ(result.mesh.data, 1);
  EXPECT_EQ(result.rows_of_replica(), 3);
}

TEST(Forecast, fewer_rows_than_devices_are_shared_by_a_tensor_group) {
  const ResolvedStep result = resolved({.model = "llama3-70b", .slice = "v5e-256", .batch = 64});
  EXPECT_EQ(result.mesh.tensor, 4);
  EXPECT_EQ(result.mesh.fsdp, 64);
}

TEST(Forecast, a_batch_that_does_not_divide_names_the_nearest_that_do) {
  const std::string text = refusal_of({.model = "resnet50", .slice = "v3-32", .batch = 1000});
  EXPECT_TRUE(says(text, "batch.global 1000: 1,000 rows do not divide over 32 replicas")) << text;
  EXPECT_TRUE(says(text, "choose batch.global 992 or 1024")) << text;
}

TEST(Forecast, a_mesh_that_does_not_fit_the_slice_is_refused) {
  const std::string text =
      refusal_of({.model = "llama3-8b", .slice = "v6e-16", .batch = 64, .mesh = {1, 3, 4, 1}});
  EXPECT_TRUE(says(text, "must multiply to 16 devices, not 12")) << text;
  const std::string open = refusal_of(
      {.model = "llama2-7b", .slice = "v5p-16", .stack = "jax", .batch = 8, .mesh = {.fsdp = 3}});
  EXPECT_TRUE(says(open, "must multiply to 8 devices, not 6 (with data=2, which was left open)"))
      << open;
  const std::string slices =
      refusal_of({.model = "llama3-8b", .slice = "v6e-16", .batch = 64, .mesh = {.slices = 2}});
  EXPECT_TRUE(says(slices, "v6e-16 is 1 slice, the mesh asks for 2")) << slices;
}

// As many rows of as many experts: only what they exchange differs.
TEST(Forecast, sharing_experts_moves_rows_in_place_of_weights) {
  ForecastRequest request{.model = "mixtral-8x7b",
                          .slice = "v5p-32",
                          .stack = "jax",
                          .batch = 64,
                          .mesh = {.fsdp = 16},
                          .remat = Remat::full};
  const ResolvedStep weights = resolved(request);
  const ForecastMemory gathered = memory(request);
  request.mesh = {.fsdp = 2, .expert = 8};
  const ResolvedStep rows = resolved(request);
  const ForecastMemory sent = memory(request);
  EXPECT_EQ(rows.rows_of_replica(), 4);
  EXPECT_EQ(rows.forward_flops, weights.forward_flops);
  EXPECT_NEAR(static_cast<double>(sent.weights.value) / static_cast<double>(gathered.weights.value),
              1, 0.001);
  // A device no longer holds one layer's experts, gathered from all others.
  EXPECT_LT(sent.activations, gathered.activations);
}

TEST(Forecast, sharing_the_tokens_of_rows_lets_longer_ones_fit) {
  ForecastRequest request{.model = "llama3-8b",
                          .slice = "v5p-32",
                          .stack = "jax",
                          .batch = 16,
                          .sequence = 262'144,
                          .mesh = {.fsdp = 16},
                          .remat = Remat::full};
  EXPECT_FALSE(memory(request).fits());
  request.batch = 2;
  request.mesh = {.fsdp = 2, .context = 8};
  EXPECT_TRUE(memory(request).fits());
  EXPECT_EQ(resolved(request).rows_of_replica(), 1);
}

// 192 chips: no axis of 4,096 has so many parts, 6,144 has.
TEST(Forecast, an_open_mesh_shares_weights_by_as_many_devices_as_divide_them) {
  const ForecastRequest request{
      .model = "llama3-8b", .slice = "v5p-384", .batch = 384, .remat = Remat::full};
  const ResolvedStep small = resolved(request);
  EXPECT_EQ(small.mesh.fsdp, 64);
  EXPECT_EQ(small.mesh.data, 3);
  EXPECT_LT(memory(request).weights.value, 1LL << 30);
  const ResolvedStep wide =
      resolved({.model = "lm-52b", .slice = "v4-384", .batch = 1344, .remat = Remat::full});
  EXPECT_EQ(wide.mesh.fsdp, 192);
}

TEST(Forecast, a_typed_mesh_that_divides_no_weights_is_refused_with_one_that_does) {
  ForecastRequest request{.model = "llama3-8b",
                          .slice = "v5p-384",
                          .batch = 384,
                          .mesh = {.slices = 0, .data = 0, .fsdp = 192, .tensor = 0},
                          .remat = Remat::full};
  EXPECT_NE(refusal_of(request).find("choose mesh slices=1/data=3/fsdp=64/tensor=1"),
            std::string::npos)
      << refusal_of(request);
  request.mesh = {.slices = 1, .data = 3, .fsdp = 64, .tensor = 1};
  EXPECT_EQ(refusal_of(request), "no error");
  // No axis of a ResNet has 512 parts; what is named is taken.
  request = {.model = "resnet50", .slice = "v3-512", .batch = 4096};
  request.mesh = {.slices = 0, .data = 0, .fsdp = 512, .tensor = 0};
  const std::string refused = refusal_of(request);
  const std::size_t named = refused.find("choose mesh ");
  ASSERT_NE(named, std::string::npos) << refused;
  request.mesh = mesh_named(refused.substr(named + std::string("choose mesh ").size()));
  EXPECT_EQ(refusal_of(request), "no error");
}

TEST(Forecast, axes_that_a_model_cannot_use_are_refused) {
  const auto refused = [](const char* model, const Mesh& mesh, std::int64_t sequence = 0) {
    return refusal_of({.model = model,
                       .slice = "v5p-32",
                       .stack = "jax",
                       .batch = 16,
                       .sequence = sequence,
                       .mesh = mesh});
  };
  EXPECT_EQ(refused("llama3-8b", {.fsdp = 2, .expert = 8}),
            "llama3-8b has no experts that expert=8 could divide; leave it out of the mesh, fsdp "
            "shares all weights");
  // All devices: they gather weights too.
  EXPECT_TRUE(says(refused("llama3-8b", {.expert = 16}), "llama3-8b has no experts"));
  EXPECT_EQ(refused("resnet50", {.tensor = 2}),
            "resnet50 has no layers that tensor=2 could divide; leave tensor out of the mesh");
  EXPECT_EQ(refusal_of({.model = "resnet50", .slice = "v3-8", .batch = 4}),
            "resnet50 has no layers that 2 devices could divide where they share a row; choose "
            "batch 1, a row for each device");
  for (const char* model : {"bert-large", "resnet50"}) {
    EXPECT_TRUE(says(refused(model, {.fsdp = 8, .context = 2}),
                     "context=2 divides rows of which every token is predicted"));
  }
  EXPECT_TRUE(
      says(refused("gnmt", {.fsdp = 8, .context = 2}), "a recurrent network needs the state"));
  EXPECT_EQ(refused("llama3-8b", {.fsdp = 8, .context = 2}, 4097),
            "context=2 does not divide the 4097 tokens of a row of llama3-8b; choose a divisor, or "
            "another sequence");
  EXPECT_TRUE(says(refused("mixtral-8x7b", {.fsdp = 1, .expert = 16}),
                   "an expert group of 16 does not divide the 8"));
}

TEST(Forecast, unknown_words_are_named) {
  EXPECT_TRUE(says(refusal_of({.slice = "v3-9"}), "unknown slice 'v3-9'"));
  EXPECT_TRUE(says(refusal_of({.precision = "fp8"}), "unknown precision 'fp8'"));
  EXPECT_TRUE(says(refusal_of({.slice = "v3-8", .quant = "int8"}), "int8 no faster"));
}

TEST(Forecast, a_step_that_does_not_fit_says_so_as_xla_does) {
  const ResolvedStep large =
      resolved({.model = "bert-large", .slice = "v3-8", .batch = 1024, .sequence = 512});
  const std::string told = out_of_memory_text(memory_of(large, slice_named("v3-8")), large.work);
  EXPECT_TRUE(says(told, "RESOURCE_EXHAUSTED: Ran out of memory"));
  EXPECT_TRUE(says(told, "Largest arrays: "));
}

TEST(Forecast, an_array_is_in_each_layer_only_where_each_keeps_it) {
  const auto told = [](Remat remat) {
    const ResolvedStep large = resolved({.model = "llama3-8b",
                                         .slice = "v6e-16",
                                         .stack = "jax",
                                         .precision = "bf16-mixed",
                                         .batch = 128,
                                         .remat = remat,
                                         .loss_pieces = 16});
    return out_of_memory_text(memory_of(large, slice_named("v6e-16")), large.work);
  };
  EXPECT_TRUE(says(told(Remat::none), " copies of 1.8 GiB")) << told(Remat::none);
  EXPECT_TRUE(says(told(Remat::full), "1.8 GiB, one of 32 repeats at a time")) << told(Remat::full);
}

// Of 362 GiB: 448 MiB that each of 80 layers keeps of two products, and what lies between them.
TEST(Forecast, the_largest_arrays_are_those_that_take_most_with_all_their_copies) {
  const ResolvedStep large = resolved({.model = "llama3-70b",
                                       .slice = "v5e-16",
                                       .stack = "jax",
                                       .precision = "bf16-mixed",
                                       .batch = 16});
  const std::string told = out_of_memory_text(memory_of(large, slice_named("v5e-16")), large.work);
  EXPECT_TRUE(says(told,
                   "\nLargest arrays: dot+logistic+subtract+multiply+1 more "
                   "bf16[1,8192,28672] of layer: 140.0 GiB in 320 copies of 448.0 MiB; "))
      << told;
  Bytes kept;
  for (const Block& block : large.work.blocks) {
    for (const LargeArray& array : block.large) {
      if (array.copies.count > 1) kept += array.copies.all();
    }
  }
  EXPECT_LE(kept, large.work.working);
  EXPECT_GT(kept * 10, large.work.working * 9);
}

TEST(Forecast, rematerialisation_costs_time_and_saves_memory) {
  ForecastRequest request{.model = "llama3-8b", .slice = "v5p-128", .batch = 64};
  const double none = test::steady_seconds(request);
  const ForecastMemory kept = memory(request);
  request.remat = Remat::full;
  const double full = test::steady_seconds(request);
  EXPECT_LT(memory(request).activations, kept.activations);
  // One forward pass of the layers more is at most a third.
  EXPECT_GT(full, none * 1.15);
  EXPECT_LT(full, none * 1.4);
}

TEST(Forecast, int8_products_are_faster_where_the_chip_has_them) {
  ForecastRequest request{
      .model = "gpt3-175b", .slice = "v5p-1024", .batch = 512, .remat = Remat::full};
  const double plain = test::steady_seconds(request);
  request.quant = "int8";
  EXPECT_LT(test::steady_seconds(request), plain * 0.75);
}

TEST(Forecast, attention_is_one_kernel_as_the_stack_has_it_or_as_is_asked) {
  const auto seconds = [](const char* stack, const char* attention) {
    return test::steady_seconds({.model = "gpt-j-6b",
                                 .slice = "v5p-16",
                                 .stack = stack,
                                 .batch = 8,
                                 .remat = Remat::full,
                                 .attention = attention});
  };
  EXPECT_EQ(seconds("jax", "fused"), seconds("jax", "auto"));
  EXPECT_EQ(seconds("tensorflow", "scores"), seconds("tensorflow", "auto"));
  EXPECT_LT(seconds("tensorflow", "fused"), 0.9 * seconds("tensorflow", "scores"));
  EXPECT_LT(seconds("jax", "fused"), 0.9 * seconds("jax", "scores"));
  EXPECT_TRUE(says(refusal_of({.slice = "v3-8", .attention = "fused"}), "choose attention auto"));
}

TEST(Forecast, what_was_asked_for_and_changes_nothing_is_forgotten) {
  const ResolvedStep plain = resolved({.model = "resnet50", .slice = "v5e-8", .batch = 256});
  const ResolvedStep asked = resolved({.model = "resnet50",
                                       .slice = "v5e-8",
                                       .batch = 256,
                                       .remat = Remat::full,
                                       .attention = "scores"});
  EXPECT_EQ(asked.request.remat, Remat::none);
  EXPECT_EQ(asked.request.attention, plain.request.attention);
  const ForecastRequest decoder{
      .model = "llama2-7b", .slice = "v5e-256", .stack = "jax", .batch = 256, .remat = Remat::full};
  EXPECT_EQ(resolved(decoder).request.remat, Remat::full);
}

TEST(Forecast, says_where_the_compiler_needs_less_memory_to_fit) {
  const auto squeezed = [](std::int64_t rows) {
    const ForecastRequest request{
        .model = "llama3-8b", .slice = "v6e-16", .batch = 16 * rows, .remat = Remat::full};
    return resolved(request).work.squeezed;
  };
  EXPECT_FALSE(squeezed(1));
  EXPECT_TRUE(squeezed(4));
}

TEST(Forecast, who_asks_for_fused_attention_pads_its_tokens) {
  const auto seconds_of = [](std::int64_t sequence, const char* attention) {
    return test::steady_seconds({.model = "llama2-7b",
                                 .slice = "v5p-16",
                                 .stack = "jax",
                                 .batch = 8,
                                 .sequence = sequence,
                                 .remat = Remat::full,
                                 .attention = attention});
  };
  EXPECT_GT(seconds_of(4000, "auto"), 1.2 * seconds_of(4096, "auto"));  // scores cross HBM
  EXPECT_LT(seconds_of(4000, "fused"), seconds_of(4096, "auto"));
}

TEST(Forecast, sizes_that_a_model_does_not_have_are_refused) {
  EXPECT_TRUE(says(refusal_of({.model = "resnet50", .sequence = 128}), "reads no tokens"));
  EXPECT_TRUE(says(refusal_of({.model = "bert-base", .image = 160}), "no images of another size"));
  EXPECT_TRUE(says(refusal_of({.model = "gemm-8x8x8", .image = 160}), "no images of another size"));
  EXPECT_TRUE(says(refusal_of({.model = "resnet50", .image = 7}), "needs 32 pixels"));
}

}  // namespace
}  // namespace tpulab::forecast_test
