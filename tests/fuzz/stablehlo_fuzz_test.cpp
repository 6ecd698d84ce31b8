// StableHLO texts as they may come: cut, spliced, with sizes at their limits.
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/formats/stablehlo/stablehlo_step.h"
#include "tests/fuzz/mutation.h"

namespace tpulab::fuzz::stablehlo_fuzz_test {
namespace {

Corpus texts() {
  const std::string folder = TPULAB_SOURCE_DIR "/tests/engine/formats/stablehlo/";
  return {.seeds = {read_file(folder + "mlp_step.mlir"), read_file(folder + "scanned_layers.mlir"),
                    read_file(folder + "convolutions.mlir"),
                    read_file(folder + "generic_embedding.mlir"),
                    read_file(folder + "shard_map.mlir"), read_file(folder + "many_forms.mlir"),
                    read_file(folder + "open_batch.mlir"), read_file(folder + "divided_step.mlir")},
          .words = {"%0",
                    "%arg0",
                    "tensor<",
                    "x",
                    "f32",
                    "?x",
                    "dense<",
                    ">",
                    "stablehlo.",
                    "stablehlo.while(",
                    "call @relu(",
                    "({",
                    "})",
                    "dims = [",
                    "[0] x [1]",
                    "->",
                    "loc(",
                    "#loc",
                    "return ",
                    "{",
                    "}",
                    ": i64",
                    "array<i64: ",
                    "0xFF800000",
                    "-9223372036854775808",
                    "9223372036854775807",
                    "99999999",
                    "sizes = ["}};
}

// Read or refused by its name, whatever it is.
void fuzz(Effort effort) {
  expect_holds(texts(), effort, [](const std::string& text, Random&) {
    try {
      const ImportedStep step = import_stablehlo(text, "step.mlir", 32);
      EXPECT_GE(step.flops.value, 0);
      EXPECT_GE(step.kernels, 0);
      EXPECT_GE(step.work.working.value, 0);
    } catch (const Error& error) {
      EXPECT_EQ(std::string_view(error.what()).substr(0, 9), "step.mlir");
    }
  });
}

TEST(StablehloFuzz, a_damaged_text_is_read_or_refused_by_its_name) { fuzz({.inputs = 10'000}); }
TEST(SlowStablehloFuzz, a_damaged_text_is_read_or_refused_by_its_name) { fuzz({.slow = true}); }

}  // namespace
}  // namespace tpulab::fuzz::stablehlo_fuzz_test
