#include <gtest/gtest.h>

#include <string>

#include "engine/formats/stablehlo/stablehlo_step.h"

namespace tpulab::lower_products_test {
namespace {

ImportedStep convolved(const std::string& axes, const std::string& groups,
                       const std::string& filter, const std::string& made) {
  const std::string image = "tensor<4x16x16x32xf32>";
  return import_stablehlo("func.func @main(%x: " + image + ", %w: " + filter + ") -> " + made +
                              " {\n  %0 = stablehlo.convolution(%x, %w) dim_numbers = " + axes +
                              ", window = {pad = [[1, 1], [1, 1]]} {" + groups + "} : (" + image +
                              ", " + filter + ") -> " + made + "\n  return %0 : " + made + "\n}\n",
                          "f.mlir");
}

// Forward it runs on the vector unit, and its filter's gradient is written in groups of the batch.
TEST(LoweredProducts, of_a_depthwise_convolution_count_as_the_operations_of_its_taps) {
  constexpr std::int64_t by_hand = 2 * 9 * 4 * 16 * 16 * 32;
  const ImportedStep forward =
      convolved("[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]",
                "batch_group_count = 1 : i64, feature_group_count = 32 : i64",
                "tensor<3x3x1x32xf32>", "tensor<4x16x16x32xf32>");
  EXPECT_EQ(forward.flops.value, by_hand);
  EXPECT_EQ(forward.work.forward_flops().value, by_hand);
  const ImportedStep to_filter =
      convolved("[f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]",
                "batch_group_count = 32 : i64, feature_group_count = 1 : i64",
                "tensor<4x16x16x32xf32>", "tensor<3x3x1x32xf32>");
  EXPECT_EQ(to_filter.flops.value, by_hand);
}

}  // namespace
}  // namespace tpulab::lower_products_test
