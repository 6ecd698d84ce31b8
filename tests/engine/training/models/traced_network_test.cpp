// The step of a traced network as kernels, beside what XLA's TPU compiler makes of the same one.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "engine/training/models/models.h"
#include "engine/training/networks/networks.h"

namespace tpulab::traced_network_test {
namespace {

StepWork step_of(const char* model, const WorkOptions& options) {
  return step_work(workload_named(model), options);
}

int products_of(const std::vector<NamedKernel>& kernels) {
  return static_cast<int>(std::ranges::count_if(kernels, &NamedKernel::product));
}

TEST(TracedNetwork, resnet50_has_a_product_for_each_convolution_and_gradient) {
  const StepWork step = step_of("resnet50", {.batch = 128, .optimizer = OptimizerKind::sgd});
  const Block& block = step.blocks.at(0);
  // 53 convolutions and the dense layer; two gradients of each but the stem's input.
  EXPECT_EQ(products_of(block.forward), 54);
  EXPECT_EQ(products_of(block.backward), 54 + 53);
}

// [TPU: XLA launches 488 with 32 rows a core of v3, one of them the all-reduce of several]
TEST(TracedNetwork, resnet50_has_as_many_kernels_as_xla_launches_within_fifteen_percent) {
  WorkOptions options{.batch = 32, .optimizer = OptimizerKind::sgd};
  options.mesh.data = 8;
  const StepWork step = step_of("resnet50", options);
  const Block& block = step.blocks.at(0);
  const auto kernels = block.forward.size() + block.backward.size() + block.update.size();
  EXPECT_NEAR(static_cast<double>(kernels), 488, 0.15 * 488);
}

// Forward, the gradient of what comes in (not of the first), and that of the weights: 53
// convolutions, on one device with the update in the same kernel, on eight in front of their sum.
TEST(TracedNetwork, kernels_know_the_weights_that_they_read_or_change) {
  const Workload workload = workload_named("resnet50");
  for (const Mesh& mesh : {one_device, Mesh{.slices = 1, .data = 8, .fsdp = 1, .tensor = 1}}) {
    const StepWork step = step_work(workload, {.batch = 8, .mesh = mesh});
    std::map<std::string, int> products;
    for (const Block& block : step.blocks) {
      for (const auto* kernels : {&block.forward, &block.backward}) {
        for (const NamedKernel& kernel : *kernels) products[kernel.part] += kernel.product ? 1 : 0;
      }
    }
    EXPECT_EQ(products[""], 0);
    EXPECT_EQ(products["stem.conv"], 2);
    EXPECT_EQ(products["stage3.block4.2.conv"], 3);
    EXPECT_EQ(products["dense"], 3);
  }
}

TEST(TracedNetwork, an_image_of_half_the_side_has_a_quarter_of_the_operations) {
  const auto flops = [](std::int64_t side) {
    return static_cast<double>(
        step_of("resnet50", {.batch = 8, .image = side}).forward_flops().value);
  };
  EXPECT_NEAR(flops(112) / flops(224), 0.25, 0.02);  // 3.5 pixels are 4
}

TEST(TracedNetwork, replicas_update_behind_the_sum_and_shares_of_it_are_small) {
  WorkOptions options{.batch = 32, .optimizer = OptimizerKind::sgd};
  EXPECT_TRUE(step_of("resnet18", options).blocks[0].update.empty());
  options.mesh.data = 8;
  EXPECT_EQ(step_of("resnet18", options).blocks[0].update.size(), 62u);
  options.update_shards = 8;
  const Block shared = step_of("resnet18", options).blocks[0];
  ASSERT_EQ(shared.update.size(), 62u);
  // 7x7x3x64 weights of the stem in eight: 1,176 in rows of 128.
  EXPECT_EQ(shared.update[0].work->writes.at(0).shape, (Shape{10, 128}));
}

std::vector<CollectiveWork> collectives_of(const std::vector<NamedKernel>& kernels) {
  std::vector<CollectiveWork> found;
  for (const NamedKernel& kernel : kernels) {
    for (const Work& item : kernel.work->items) {
      if (const auto* one = std::get_if<CollectiveWork>(&item)) found.push_back(*one);
    }
  }
  return found;
}

TEST(TracedNetwork, replicas_sum_their_gradients_in_one_call_among_all_of_them) {
  const Block eight =
      step_of("resnet50", {.batch = 4, .mesh = {.slices = 1, .data = 8, .fsdp = 1, .tensor = 1}})
          .blocks[0];
  const Block joined =
      step_of("resnet50", {.batch = 4, .mesh = {.slices = 2, .data = 32, .fsdp = 1, .tensor = 1}})
          .blocks[0];
  EXPECT_TRUE(collectives_of(eight.forward).empty());
  const auto calls = collectives_of(eight.backward);
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].bytes.value, 25'557'032 * 4);
  EXPECT_EQ(calls[0].among.size, 8);
  const auto both = collectives_of(joined.backward);
  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(both[0].among.size, 32);
  EXPECT_EQ(both[1].among.size, 2);
  EXPECT_EQ(both[1].among.apart, 32);
}

// XLA's TPU compiler gathers weights one array at a time.
TEST(TracedNetwork, sharded_weights_are_gathered_once_and_updated_in_shares) {
  const WorkOptions options{.batch = 4,
                            .optimizer = OptimizerKind::sgd,
                            .update_shards = 16,
                            .mesh = {.slices = 1, .data = 1, .fsdp = 16, .tensor = 1}};
  const StepWork step = step_of("resnet50", options);
  const Block& block = step.blocks[0];
  const auto gathers = collectives_of(block.forward);
  EXPECT_EQ(gathers.size(), 54u);
  std::int64_t bytes = 0;
  for (const CollectiveWork& one : gathers) bytes += one.bytes.value;
  // In bf16; norms and the last bias stay whole, in f32.
  EXPECT_EQ(bytes, (25'557'032 - 53'120 - 1000) * 2);
  const auto back = collectives_of(block.backward);
  EXPECT_EQ(std::ranges::count(back, CollectiveKind::reduce_scatter, &CollectiveWork::kind), 54);
  EXPECT_EQ(std::ranges::count(back, CollectiveKind::all_reduce, &CollectiveWork::kind), 1);
  EXPECT_EQ(step.weights.value, (25'557'032 - 54'120) / 16 * 4 + 54'120 * 4);
}

TEST(TracedNetwork, a_tensor_group_divides_a_perceptron) {
  WorkOptions options{.batch = 32};
  const StepWork whole = step_of("mlp-64-1024-1024-10", options);
  options.mesh.tensor = 4;
  const StepWork quarter = step_of("mlp-64-1024-1024-10", options);
  EXPECT_EQ(quarter.parameters(), whole.parameters());
  EXPECT_NEAR(static_cast<double>(quarter.forward_flops().value) /
                  static_cast<double>(whole.forward_flops().value),
              0.25, 0.01);
  const auto sums = collectives_of(quarter.blocks[0].forward);
  ASSERT_EQ(sums.size(), 1u);
  EXPECT_EQ(sums[0].bytes.value, 32 * 1024 * 2);
}

TEST(TracedNetwork, a_perceptron_by_its_widths_is_the_one_that_trains) {
  const StepWork step = step_of("mlp-64-1024-1024-10", {.batch = 32});
  EXPECT_EQ(step.parameters(), 1'126'410);
}

// libtpu 0.0.42.1 makes 62 of the same on one core of v3, and 68 on eight.
TEST(TracedNetwork, a_layer_of_bert_large_has_about_as_many_kernels_as_xla_makes) {
  for (const auto& [cores, launched] : {std::pair(1, 62), std::pair(8, 68)}) {
    const StepWork step =
        step_of("bert-large", {.batch = 14,
                               .row_blocks = RowBlocks::in_hbm,
                               .fused_attention = 0,
                               .softmax = SoftmaxAgain::in_products_too,
                               .mesh = {.slices = 1, .data = cores, .fsdp = 1, .tensor = 1}});
    ASSERT_EQ(step.blocks.size(), 3u);
    const Block& layer = step.blocks[1];
    EXPECT_EQ(layer.repeats, 24);
    const auto kernels =
        static_cast<double>(layer.forward.size() + layer.backward.size() + layer.update.size());
    EXPECT_NEAR(kernels / launched, 1, 0.1) << cores;
  }
}

TEST(TracedNetwork, weights_that_a_loop_finds_rounded_do_not_wait_on_the_host) {
  WorkOptions options{.batch = 1, .sequence = 128, .remat = Remat::minimal_offload};
  const Bytes written_out = step_of("llama3-8b", options).offloaded;
  EXPECT_GT(written_out.value, 0);
  options.scanned = true;
  EXPECT_EQ(step_of("llama3-8b", options).offloaded, written_out);
}

// Logits of 4,096 tokens are 1 GB in bf16; a sixteenth of them and more gradients at a time.
TEST(TracedNetwork, pieces_of_the_loss_are_never_kept) {
  for (const Remat remat : {Remat::none, Remat::minimal, Remat::full, Remat::minimal_offload}) {
    WorkOptions options{.batch = 1, .sequence = 4096, .remat = remat};
    const StepWork whole = step_of("llama3-8b", options);
    options.loss_pieces = 16;
    const StepWork pieces = step_of("llama3-8b", options);
    EXPECT_LT(pieces.working + Bytes{700 << 20}, whole.working)
        << remat_names[static_cast<std::size_t>(remat)];
    EXPECT_LE(pieces.offloaded, whole.offloaded) << remat_names[static_cast<std::size_t>(remat)];
  }
}

std::int64_t random_kernels(const std::vector<NamedKernel>& kernels) {
  return std::ranges::count_if(kernels, [](const NamedKernel& kernel) {
    return kernel.name.find("rng-bit-generator") != std::string::npos &&
           !kernel.name.starts_with("after");
  });
}

TEST(TracedNetwork, dropout_draws_its_numbers_again_in_the_backward_pass_and_keeps_none) {
  const WorkOptions none{.batch = 4, .fused_attention = 0};
  WorkOptions drawn = none;
  drawn.random_operations = 62;
  const auto layer = [](const WorkOptions& options) {
    return step_of("bert-large", options).blocks.at(1);
  };
  EXPECT_EQ(random_kernels(layer(none).forward), 0);
  EXPECT_EQ(random_kernels(layer(drawn).forward), 3);  // scores, and what each half adds
  EXPECT_EQ(random_kernels(layer(drawn).backward), 3);
  EXPECT_EQ(random_kernels(layer(none).backward), 0);
  // Sixteen heads of 512 x 512 scores, and twice 512 x 1024 activations, of four rows.
  double operations = 0;
  for (const NamedKernel& kernel : layer(drawn).forward) {
    if (kernel.name.find("rng-bit-generator") == std::string::npos) continue;
    for (const Work& item : kernel.work->items) {
      const auto* const loop = std::get_if<VectorWork>(&item);
      if (loop == nullptr || loop->cheap != 62) continue;
      operations += static_cast<double>(loop->shape.elements()) * 62;
    }
  }
  EXPECT_EQ(operations, 62.0 * 4 * (16 * 512 * 512 + 2 * 512 * 1024));
}

TEST(TracedNetwork, a_skipped_half_of_attention_counts_among_published_operations) {
  const auto flops = [](std::int64_t fused) {
    const StepWork step = step_of("llama3-8b", {.batch = 1, .fused_attention = fused});
    return step.forward_flops().value;
  };
  EXPECT_EQ(flops(1), flops(0));
}

// [XLA's TPU compiler: of 64 channels the batch lies in the lanes with 80 rows, the channels with
// 64]
TEST(TracedNetwork, the_batch_lies_in_the_lanes_where_it_pads_less_than_channels) {
  const auto in_lanes = [](std::int64_t batch, const char* part) {
    const StepWork step = step_of("resnet50", {.batch = batch, .compute = DType::bf16});
    for (const NamedKernel& kernel : step.blocks.at(0).forward) {
      if (kernel.part != part) continue;
      for (const Work& item : kernel.work->items) {
        if (const auto* product = std::get_if<MatrixWork>(&item)) return product->batch_in_lanes;
      }
    }
    ADD_FAILURE() << part;
    return false;
  };
  EXPECT_FALSE(in_lanes(64, "stage1.block2.2.conv"));
  EXPECT_TRUE(in_lanes(80, "stage1.block2.2.conv"));
  EXPECT_FALSE(in_lanes(80, "stage2.block2.2.conv"));
}

// 197 tokens of an image are no blocks of 128; 256, 160 and 128 of a text are, are not and are;
// 4,100 are padded.
TEST(TracedNetwork, attention_is_one_kernel_where_blocks_divide_the_tokens) {
  const auto fused = [](const char* model, std::int64_t tokens) {
    const StepWork step =
        step_of(model, {.batch = 1, .sequence = tokens, .fused_attention = lane_count});
    const auto is_fused = [](const NamedKernel& kernel) {
      return kernel.name.find("flash-attention") != std::string::npos;
    };
    return std::ranges::any_of(step.blocks, [&](const Block& block) {
      return std::ranges::any_of(block.forward, is_fused);
    });
  };
  EXPECT_FALSE(fused("vit-b16", 0));
  EXPECT_TRUE(fused("bert-base", 256));
  EXPECT_FALSE(fused("bert-base", 160));
  EXPECT_TRUE(fused("bert-base", 128));
  EXPECT_TRUE(fused("llama2-7b", 4100));
}

// 304,326,632 weights of ViT-L/16, each in two bytes or four.
TEST(TracedNetwork, replicas_of_one_program_add_up_gradients_as_narrow_as_products) {
  const auto sent = [](bool narrow) {
    WorkOptions options{.batch = 8, .narrow_sums = narrow};
    options.mesh = {.slices = 1, .data = 8, .fsdp = 1, .tensor = 1};
    const StepWork step = step_of("vit-l16", options);
    std::int64_t bytes = 0;
    for (const Block& block : step.blocks) {
      for (const auto* pass : {&block.forward, &block.backward, &block.update}) {
        for (const NamedKernel& kernel : *pass) {
          const CollectiveWork* const one = collective_of(kernel.work);
          if (one != nullptr) bytes += one->bytes.value * block.repeats;
        }
      }
    }
    return bytes;
  };
  EXPECT_EQ(sent(true), 2 * 304'326'632LL);
  EXPECT_EQ(sent(false), 4 * 304'326'632LL);
}

// 32 layers, 4 rows of 4,096 tokens on a device.
StepWork small_llama(Remat remat) { return step_of("llama2-7b", {.batch = 4, .remat = remat}); }
constexpr std::int64_t kept_tokens = 32LL * 4 * 4096;

TEST(TracedNetwork, layers_that_are_made_again_need_less_memory_and_more_products) {
  const auto with = small_llama;
  const StepWork none = with(Remat::none);
  const StepWork minimal = with(Remat::minimal);
  const StepWork full = with(Remat::full);
  const StepWork offload = with(Remat::offload);
  EXPECT_GT(none.working, minimal.working);
  EXPECT_GT(minimal.working, full.working);
  EXPECT_GT(full.working, offload.working);
  EXPECT_EQ(full.offloaded.value, 0);
  EXPECT_EQ(offload.offloaded.value, kept_tokens * 4096 * 2);  // in bf16
  // q, k, v, output, gate and up: what follows the last product is not needed again.
  EXPECT_EQ(products_of(full.blocks[1].backward), products_of(none.blocks[1].backward) + 6);
  EXPECT_EQ(products_of(minimal.blocks[1].backward), products_of(none.blocks[1].backward));
}

TEST(TracedNetwork, narrow_rematerialisation_runs_the_two_wide_products_again) {
  const StepWork minimal = small_llama(Remat::minimal);
  const StepWork narrow = small_llama(Remat::narrow);
  EXPECT_EQ(products_of(narrow.blocks[1].backward), products_of(minimal.blocks[1].backward) + 2);
  // Gate and up; of the layer at work they are there in either case, but not at the same time.
  EXPECT_NEAR(static_cast<double>((minimal.working - narrow.working).value) /
                  static_cast<double>(kept_tokens * 2 * 11008 * 2),
              1, 0.02);
}

// A fourth of 11,008 columns is narrower than the 4,096 that gate and up read, and what down makes
// wider than the sixteenth that a device has for it to read.
TEST(TracedNetwork, what_narrow_rematerialisation_runs_again_is_the_same_in_a_tensor_group) {
  for (const char* model : {"llama2-7b", "gpt-j-6b", "mixtral-8x7b", "deepseek-v3"}) {
    const auto again = [&](Remat remat, int tensor) {
      const Mesh mesh{.slices = 1, .data = 1, .fsdp = 1, .tensor = tensor};
      return step_of(model, {.batch = 1, .mesh = mesh, .remat = remat});
    };
    const auto more = [&](int tensor) {
      const StepWork narrow = again(Remat::narrow, tensor);
      const StepWork minimal = again(Remat::minimal, tensor);
      std::int64_t products = 0;
      for (std::size_t i = 0; i < narrow.blocks.size(); ++i) {
        products +=
            products_of(narrow.blocks[i].backward) - products_of(minimal.blocks[i].backward);
      }
      return products;
    };
    EXPECT_GT(more(1), 0) << model;
    EXPECT_EQ(more(4), more(1)) << model;
    EXPECT_EQ(more(16), more(1)) << model;
  }
}

TEST(TracedNetwork, what_products_made_may_wait_in_the_memory_of_the_host) {
  const StepWork minimal = small_llama(Remat::minimal);
  const StepWork elsewhere = small_llama(Remat::minimal_offload);
  EXPECT_EQ(products_of(elsewhere.blocks[1].backward), products_of(minimal.blocks[1].backward));
  // Queries, keys, values and the output, gate and up, in bf16; nobody asks what down made.
  const std::int64_t kept = kept_tokens * (4 * 4096 + 2 * 11008) * 2;
  EXPECT_EQ(elsewhere.offloaded.value, kept);
  // Two of 32 layers are here.
  EXPECT_EQ((minimal.working - elsewhere.working).value, kept / 32 * 30);
}

}  // namespace
}  // namespace tpulab::traced_network_test
