// Programs that train nothing: forward passes, decoding steps.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/formats/stablehlo/stablehlo_step.h"

namespace tpulab::calls_test {
namespace {

// One call on all of its devices, whose weights are never sent.
TEST(ImportedCall, a_forward_pass_that_devices_share_is_one_call) {
  const ImportedStep step = import_stablehlo(
      "module @jit_f attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {\n"
      "  func.func @main(%x: tensor<8x64xf32> {mhlo.sharding = \"{replicated}\"},\n"
      "      %w: tensor<64x256xf32> {mhlo.sharding = \"{devices=[1,4]<=[4]}\"}) "
      "-> tensor<8x256xf32> {\n"
      "    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x64xf32>, "
      "tensor<64x256xf32>) -> tensor<8x256xf32>\n"
      "    return %0 : tensor<8x256xf32>\n  }\n}\n",
      "f.mlir");
  EXPECT_FALSE(step.trains);
  EXPECT_EQ(step.alike, 4);
  EXPECT_EQ(step.work.batch.value, 0);
  EXPECT_EQ(step.stays.value, (8 * 64 + 64 * 64) * 4);
}

// The second product's rows are added up, and the third waits for that.
TEST(ImportedCall, nothing_runs_beside_what_the_devices_of_a_call_exchange) {
  const ImportedStep step = import_stablehlo(
      "module @jit_f attributes {mhlo.num_partitions = 4 : i32} {\n"
      "  func.func @main(%x: tensor<8x256xf32> {mhlo.sharding = \"{devices=[1,4]<=[4]}\"},\n"
      "      %w: tensor<256x64xf32> {mhlo.sharding = \"{devices=[4,1]<=[4]}\"}) "
      "-> tensor<8x64xf32> {\n"
      "    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : "
      "(tensor<8x256xf32>, tensor<256x64xf32>) -> tensor<8x64xf32>\n"
      "    return %0 : tensor<8x64xf32>\n  }\n}\n",
      "f.mlir");
  const std::vector<NamedKernel>& kernels = step.work.blocks.at(0).forward;
  const auto sum = std::ranges::find(kernels, "all-reduce", &NamedKernel::name);
  ASSERT_NE(sum, kernels.end());
  EXPECT_EQ(sum->begun, 0);
}

}  // namespace
}  // namespace tpulab::calls_test
