// The step of a traced network as kernels, beside what XLA's TPU compiler makes of the same one.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/training/models/models.h"
#include "engine/training/networks/networks.h"

namespace tpulab {
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
  options.replicas = true;
  EXPECT_EQ(step_of("resnet18", options).blocks[0].update.size(), 62u);
  options.update_shards = 8;
  const Block shared = step_of("resnet18", options).blocks[0];
  ASSERT_EQ(shared.update.size(), 62u);
  // 7x7x3x64 weights of the stem in eight: 1,176 in rows of 128.
  EXPECT_EQ(shared.update[0].work.writes.at(0).shape, (Shape{10, 128}));
}

TEST(TracedNetwork, a_perceptron_by_its_widths_is_the_one_that_trains) {
  const StepWork step = step_of("mlp-64-1024-1024-10", {.batch = 32});
  EXPECT_EQ(step.parameters(), 1'126'410);
}

}  // namespace
}  // namespace tpulab
