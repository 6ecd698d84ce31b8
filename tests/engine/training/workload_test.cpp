#include "engine/training/workload.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <variant>

#include "engine/base/error.h"
#include "engine/training/models/models.h"
#include "engine/training/networks/networks.h"

namespace tpulab::workload_test {
namespace {

StepWork one_row(const char* model, std::int64_t sequence = 0) {
  return step_work(workload_named(model), {.batch = 1, .sequence = sequence});
}

double millions(const char* model) {
  return static_cast<double>(one_row(model).parameters()) / 1e6;
}

double giga_operations(const StepWork& step) {
  return static_cast<double>(step.forward_flops().value) / 1e9;
}

TEST(Workload, parameter_counts_are_the_published_ones) {
  EXPECT_NEAR(millions("resnet18"), 11.69, 0.02);  // torchvision
  EXPECT_NEAR(millions("resnet50"), 25.56, 0.03);
  EXPECT_NEAR(millions("bert-base"), 110, 1);  // 109.5 and the masked-language transform
  EXPECT_NEAR(millions("bert-large"), 335, 2);
  EXPECT_EQ(one_row("bert-base-glue").parameters(), 109'483'778);   // Hugging Face, two classes
  EXPECT_EQ(one_row("bert-large-glue").parameters(), 335'143'938);  // the same
  EXPECT_EQ(one_row("vit-b16").parameters(), 86'567'656);           // timm's patch16_224
  EXPECT_EQ(one_row("vit-b32").parameters(), 88'224'232);
  EXPECT_EQ(one_row("vit-l16").parameters(), 304'326'632);
  EXPECT_EQ(one_row("vit-s16").parameters(), 22'050'664);
  EXPECT_EQ(one_row("mlp-mixer-s16").parameters(), 18'528'264);  // timm's mixer_s16_224
  EXPECT_EQ(one_row("mlp-mixer-b16").parameters(), 59'880'472);
  EXPECT_EQ(one_row("mlp-mixer-l16").parameters(), 208'196'168);
  EXPECT_NEAR(millions("llama2-7b"), 6738, 5);
  EXPECT_NEAR(millions("llama3-8b"), 8030, 5);
  EXPECT_NEAR(millions("llama3-70b"), 70554, 20);
  EXPECT_NEAR(millions("llama3-405b"), 405853, 400);
  EXPECT_NEAR(millions("gpt3-175b"), 174600, 1000);
  EXPECT_EQ(one_row("mixtral-8x7b").parameters(), 46'702'792'704);  // Hugging Face
  EXPECT_EQ(one_row("mixtral-8x22b").parameters(), 140'630'071'296);
  // 671,026,419,200 with a correction for each expert of 58 layers, which nothing learns.
  EXPECT_EQ(one_row("deepseek-v3").parameters(), 671'026'419'200 - 58 * 256);
  EXPECT_EQ(one_row("gemma2-2b").parameters(), 2'614'341'888);
  EXPECT_EQ(one_row("gemma2-9b").parameters(), 9'241'705'984);
  EXPECT_EQ(one_row("gemma2-27b").parameters(), 27'227'128'320);
  EXPECT_EQ(one_row("gemma3-1b").parameters(), 999'885'952);
}

TEST(Workload, decoders_by_size_have_about_that_size) {
  for (const int billions : {16, 32, 64, 128, 256, 512, 1024}) {
    const std::string name = "lm-" + std::to_string(billions) + "b";
    EXPECT_NEAR(millions(name.c_str()) / 1e3 / billions, 1, 0.05) << name;
  }
}

TEST(Workload, operations_are_the_published_ones) {
  // ResNet-50 has 4.1 billion multiplications and additions an image.
  EXPECT_NEAR(giga_operations(one_row("resnet50")), 2 * 4.1, 0.2);
  // A row of BERT-large at 512 tokens is 1.02 TFLOP in three passes.
  EXPECT_NEAR(3 * giga_operations(one_row("bert-large", 512)) / 1e3, 1.02, 0.03);
  // GPT-3: 1.079 TFLOP a token, output layer and attention of the whole square included.
  // ViT-B/16 at 224 pixels: 17.6 billion multiplications and additions.
  EXPECT_NEAR(giga_operations(one_row("vit-b16")), 2 * 17.6, 0.4);
  // Mixer-B/16 on 196 patches: 12 x (115.6 M + 924.8 M) + 115.6 M + 0.8 M.
  EXPECT_NEAR(giga_operations(one_row("mlp-mixer-b16")), 2 * 12.6, 0.05);
  // Mixtral's token meets 12.75 billion of its weights in products: attention 41.9 M, the router
  // 32,768 and two experts of 176.2 M a layer, the head 131.1 M; and 2 x 32 x 4096 sums a key.
  EXPECT_NEAR(giga_operations(one_row("mixtral-8x7b", 4096)) / 4096,
              2 * 12.7486 + 4.0 * 32 * 4096 * 4096 / 1e9, 0.001);
  // DeepSeek-V3's token meets 37 billion of its weights [arXiv 2412.19437], its table of 0.93
  // billion among them, which no product reads; and 2 x 61 x 128 x (192 + 128) sums a key, of
  // values as wide as keys here.
  const double token = giga_operations(one_row("deepseek-v3", 128)) / 128;
  EXPECT_NEAR(token - 2.0 * 61 * 128 * (192 + 192) * 128 / 1e9, 2 * (37.0 - 0.93), 2 * 0.6);
  const StepWork gpt = one_row("gpt3-175b");
  EXPECT_NEAR(3 * giga_operations(gpt) / 1e3 / 2048, 1.079, 0.02);
}

StepWork encoder_step(std::int64_t layers) {
  TracedNetwork network = workload_named("bert-base").network;
  network.model =
      encoder({.layers = layers, .width = 768, .heads = 12, .hidden = 3072, .vocabulary = 30522});
  return work_of(network, {.batch = 2});
}

TEST(Workload, repeated_layers_equal_the_same_layers_written_out) {
  const StepWork folded = encoder_step(12);
  const StepWork single = encoder_step(1);
  const auto flops = [](const StepWork& step) { return step.forward_flops().value; };
  const StepWork pair = encoder_step(2);
  EXPECT_EQ(flops(folded), flops(single) + 11 * (flops(pair) - flops(single)));
  EXPECT_EQ(folded.blocks.size(), single.blocks.size());
  EXPECT_EQ(folded.traced_ops - single.traced_ops, 11 * (pair.traced_ops - single.traced_ops));
}

TEST(Workload, a_tensor_group_divides_a_layer_and_not_the_model) {
  const Workload model = workload_named("llama3-8b");
  const StepWork whole = step_work(model, {.batch = 1});
  const Mesh group{.slices = 1, .data = 1, .fsdp = 1, .tensor = 8};
  const StepWork eighth = step_work(model, {.batch = 1, .mesh = group});
  EXPECT_NEAR(static_cast<double>(eighth.forward_flops().value),
              static_cast<double>(whole.forward_flops().value) / 8,
              static_cast<double>(whole.forward_flops().value) / 8 * 0.01);
  const auto exchanges = [](const StepWork& step) {
    return std::ranges::count_if(step.blocks[1].forward, [](const NamedKernel& kernel) {
      const std::vector<Work>& items = kernel.work->items;
      return !items.empty() && std::holds_alternative<CollectiveWork>(items[0]);
    });
  };
  EXPECT_EQ(exchanges(whole), 0);
  EXPECT_EQ(exchanges(eighth), 2);
  // Normalisation weights are held by every device of the group.
  EXPECT_NEAR(static_cast<double>(eighth.parameters()), static_cast<double>(whole.parameters()),
              static_cast<double>(whole.parameters()) * 0.001);
}

TEST(Workload, a_group_that_does_not_divide_the_heads_is_refused) {
  const Mesh group{.slices = 1, .data = 1, .fsdp = 1, .tensor = 8};
  EXPECT_THROW(step_work(workload_named("bert-base"), {.batch = 1, .mesh = group}), Error);
}

TEST(Workload, an_unknown_model_is_answered_with_the_nearest_name) {
  try {
    workload_named("resnet5O");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean resnet50?"), std::string::npos)
        << error.what();
  }
}

TEST(Workload, a_perceptron_is_named_by_its_widths) {
  EXPECT_EQ(one_row("mlp-64-1024-10").parameters(), 64 * 1024 + 1024 + 1024 * 10 + 10);
  EXPECT_THROW(workload_named("mlp-64"), Error);
  EXPECT_THROW(workload_named("mlp-64-x-10"), Error);
}

TEST(Workload, steps_beyond_what_can_be_counted_are_refused) {
  const Workload large = workload_named("llama3-405b");
  EXPECT_THROW(step_work(large, {.batch = 16'384}), Error);
  EXPECT_THROW(step_work(large, {.batch = 1, .sequence = 1'048'576}), Error);
  EXPECT_THROW(step_work(workload_named("resnet101"), {.batch = std::int64_t{1} << 40}), Error);
  EXPECT_NO_THROW(step_work(large, {.batch = 4}));
  EXPECT_NO_THROW(step_work(workload_named("resnet50"), {.batch = 1'000'000}));
}

}  // namespace
}  // namespace tpulab::workload_test
