#include "engine/formats/stablehlo/open_batch.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/formats/stablehlo/stablehlo_step.h"

namespace tpulab::open_batch_test {
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
  EXPECT_EQ(refusal(R"(
func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  return %x : tensor<?x?xf32>
}
)"),
            "f.mlir: more than one size of tensor<?x?xf32> is open; export with one that is, the "
            "batch");
}

// The smallest number by -1 is none that a processor can write down.
TEST(OpenBatch, shapes_made_of_the_largest_numbers_are_computed_without_harm) {
  const ImportedStep step = import_stablehlo(R"(
func.func @main(%x: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %a = stablehlo.constant dense<-9223372036854775808> : tensor<i64>
  %b = stablehlo.constant dense<-1> : tensor<i64>
  %c = stablehlo.divide %a, %b : tensor<i64>
  %d = stablehlo.add %a, %a : tensor<i64>
  %e = stablehlo.multiply %a, %a : tensor<i64>
  %y = stablehlo.add %x, %x : tensor<?x16xf32>
  return %y : tensor<?x16xf32>
}
)",
                                             "f.mlir", 8);
  EXPECT_TRUE(step.open);
  EXPECT_EQ(step.rows, 8);
}

}  // namespace
}  // namespace tpulab::open_batch_test
