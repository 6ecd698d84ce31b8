#include "engine/forecast/single_kernel.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/forecast/memory.h"
#include "tests/engine/forecast/steady_step.h"

namespace tpulab::single_kernel_test {
namespace {

Picoseconds on_one_core(const ForecastRequest& request) {
  Machine machine = machine_of(request);
  machine.devices = {0};
  return test::steady_timeline(request, machine).duration();
}

TEST(SingleKernel, a_product_has_two_operations_for_each_of_its_terms) {
  const StepWork step = kernel_step("gemm-16x32x64", {});
  EXPECT_EQ(step.forward_flops().value, 2 * 16 * 32 * 64);
  EXPECT_EQ(step.parameters(), 0);
  EXPECT_EQ(step.batch.value, 0);
}

TEST(SingleKernel, a_copy_of_the_image_is_called_so) {
  const auto of = [](const char* name) { return kernel_step(name, {}).blocks.front().forward; };
  // [TPU compiler, v3] Whatever its channels, where columns pad as little as images.
  for (const char* const turned :
       {"conv-64x56x56x64x64x3x1", "conv-64x56x56x128x128x3x1", "conv-8x32x32x64x128x3x1",
        "conv-64x56x56x112x128x3x1", "conv-64x56x56x113x128x3x1"}) {
    const auto kernels = of(turned);
    ASSERT_EQ(kernels.size(), 2U) << turned;
    EXPECT_EQ(kernels.front().work->items.size(), 2U) << turned;  // copies what it reads
    EXPECT_EQ(kernels.back().name, "copy to another layout") << turned;
  }
  for (const char* const lies_so :
       {"conv-64x28x28x64x128x3x1", "conv-64x14x14x256x256x3x1", "conv-8x28x28x128x128x3x1",
        "conv-128x28x28x112x128x3x1", "conv-128x28x28x113x128x3x1"}) {
    EXPECT_EQ(of(lies_so).size(), 1U) << lies_so;
    EXPECT_EQ(of(lies_so).front().work->items.size(), 1U) << lies_so;
  }
  // 128 images beside 64 channels lie as they are read; 128 x 56 x 56 x 128 is copied back.
  const auto read_as_it_lies = of("conv-128x56x56x64x128x3x1");
  ASSERT_EQ(read_as_it_lies.size(), 2U);
  EXPECT_EQ(read_as_it_lies.front().work->items.size(), 1U);
  EXPECT_EQ(of("softmax-8192x8192").front().name, "kernel 1");
}

TEST(SingleKernel, every_example_has_a_time) {
  for (const std::string& example : kernel_examples()) {
    ASSERT_TRUE(names_kernel(example));
    EXPECT_GT(on_one_core({.model = example, .slice = "v6e-1"}), Picoseconds{}) << example;
  }
}

TEST(SingleKernel, a_product_on_one_v3_core_is_near_its_measured_clocks) {
  // C-K2: 317,435 clocks of 940 MHz for 2048^3 with f32 operands.
  const Picoseconds step = on_one_core({.model = "gemm-2048x2048x2048", .precision = "32-true"});
  EXPECT_NEAR(in_seconds(step) / (317435 / 940e6), 1, 0.1);
}

TEST(SingleKernel, more_passes_take_longer) {
  ForecastRequest request{.model = "gemm-4096x4096x4096", .slice = "v5e-1", .precision = "32-true"};
  const Picoseconds once = on_one_core(request);
  request.matmul = "highest";
  EXPECT_GT(on_one_core(request), once * 4);
}

TEST(SingleKernel, int8_operands_are_faster_where_the_array_has_them) {
  ForecastRequest request{.model = "gemm-8192x8192x8192", .slice = "v5e-1"};
  const Picoseconds in_bf16 = on_one_core(request);
  request.quant = "int8";
  EXPECT_LT(on_one_core(request), in_bf16);
}

TEST(SingleKernel, integers_need_one_pass_at_any_precision) {
  ForecastRequest request{
      .model = "gemm-8192x8192x8192", .slice = "v5e-1", .precision = "32-true", .quant = "int8"};
  const Picoseconds once = on_one_core(request);
  request.matmul = "highest";
  EXPECT_EQ(on_one_core(request), once);
}

// Operands of products with weights are rounded, nothing else.
TEST(SingleKernel, int8_changes_no_kernel_without_weights) {
  for (const std::string model : {"attention-16x2048x128", "softmax-4096x4096"}) {
    ForecastRequest request{.model = model, .slice = "v5e-1"};
    const Picoseconds usual = on_one_core(request);
    request.quant = "int8";
    EXPECT_EQ(on_one_core(request), usual) << model;
    EXPECT_EQ(resolved_step(request, machine_of(request)).request.quant, "none");
  }
}

// Queries, keys, values and what is made of them: keys are streamed for each block of queries.
TEST(SingleKernel, attention_needs_its_four_arrays_however_often_they_are_read) {
  const ForecastRequest request{.model = "attention-16x32768x128", .slice = "v5e-1"};
  const Machine machine = machine_of(request);
  EXPECT_EQ(memory_of(resolved_step(request, machine), machine.slice).total().value,
            4LL * 16 * 32768 * 128 * 2);
}

TEST(SingleKernel, other_sizes_than_it_has_are_refused_with_its_form) {
  for (const char* wrong : {"gemm-8x8", "gemm-8x8x8x8", "gemm-axbxc", "gemm-", "gemm-0x1x1",
                            "softmax-8", "conv-1x2x3"}) {
    try {
      kernel_step(wrong, {});
      FAIL() << wrong;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("such as"), std::string::npos) << wrong;
    }
  }
}

}  // namespace
}  // namespace tpulab::single_kernel_test
