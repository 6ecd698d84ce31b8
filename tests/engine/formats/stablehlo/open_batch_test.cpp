#include "engine/formats/stablehlo/open_batch.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/formats/stablehlo/stablehlo_step.h"

namespace tpulab {
namespace {

// What jax.export writes of a 64-128-10 perceptron with a symbolic batch: forward, gradients of
// both weights and of what lies between them.
TEST(OpenBatch, an_open_batch_is_read_with_the_rows_that_are_asked_for) {
  const std::string text =
      read_file(TPULAB_SOURCE_DIR "/tests/engine/formats/stablehlo/open_batch.mlir");
  for (const std::int64_t rows : {8, 200}) {
    const ImportedStep step = import_stablehlo(text, "f.mlir", rows);
    EXPECT_TRUE(step.open);
    EXPECT_EQ(step.rows, rows);
    EXPECT_EQ(step.flops.value, 2 * rows * (2 * 64 * 128 + 3 * 128 * 10));
    EXPECT_EQ(step.work.parameters(), 64 * 128 + 128 + 128 * 10 + 10);
    EXPECT_EQ(step.work.batch.value, rows * 64 * 4 + rows * 4);
  }
}

TEST(OpenBatch, an_open_size_that_is_not_the_batch_is_refused_by_its_operation) {
  const auto refusal = [](const char* text) -> std::string {
    try {
      import_stablehlo(text, "f.mlir", 8);
    } catch (const Error& error) {
      return error.what();
    }
    return "read";
  };
  EXPECT_EQ(refusal(R"(
func.func @main(%b: tensor<i32> {jax.global_constant = "b"},
    %x: tensor<?x16xf32>) -> tensor<?xf32> {
  %c = stablehlo.constant dense<16> : tensor<i32>
  %n = stablehlo.multiply %b, %c : tensor<i32>
  %s = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %y = stablehlo.dynamic_reshape %x, %s : (tensor<?x16xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
)"),
            "f.mlir line 7: stablehlo.dynamic_reshape: a size of tensor<?xf32> follows from the "
            "open batch and is not the batch itself; export with a fixed batch");
  EXPECT_EQ(refusal(R"(
func.func @main(%b: tensor<i32> {jax.global_constant = "b"},
    %t: tensor<i32> {jax.global_constant = "t"}, %x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  return %x : tensor<?x?xf32>
}
)"),
            "f.mlir: its sizes \"b\" and \"t\" are open; export with one that is, the batch");
}

}  // namespace
}  // namespace tpulab
