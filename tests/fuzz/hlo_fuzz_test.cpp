// Optimised HLO texts as they may come: cut, spliced, with sizes at their limits.
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/formats/hlo/compiled_step.h"
#include "tests/fuzz/mutation.h"

namespace tpulab::fuzz::hlo_fuzz_test {
namespace {

Corpus texts() {
  const std::string folder = TPULAB_SOURCE_DIR "/tests/engine/formats/hlo/";
  return {.seeds = {read_file(folder + "small_step.hlo"), read_file(folder + "many_forms.hlo")},
          .words = {"%fused_dense",
                    "%x.1",
                    "f32[",
                    "bf16[8,128]{1,0:T(8,128)(2,1)S(1)}",
                    "{0,1}",
                    ":T(8,128)",
                    "S(1)",
                    " = ",
                    "ROOT ",
                    "ENTRY ",
                    "-> f32[] {",
                    "fusion(",
                    "while(",
                    "convolution(",
                    "all-reduce-start(",
                    "collective-permute-done(",
                    "copy-start(",
                    "calls=%",
                    "body=%",
                    "condition=%",
                    "dim_labels=0bf_0io->0bf",
                    "window={size=8 stride=7 lhs_dilate=8}",
                    "replica_groups=[2,4]<=[8]T(0)",
                    "mesh['a'=4] {'a'}",
                    "/*index=5*/",
                    "\"",
                    "\\\"",
                    "}",
                    "\n",
                    "-9223372036854775808",
                    "9223372036854775807",
                    "99999999"}};
}

// Read or refused by its name, whatever it is.
void fuzz(Effort effort) {
  expect_holds(texts(), effort, [](const std::string& text, Random&) {
    try {
      const ImportedStep step = import_hlo(text, "step.hlo");
      EXPECT_GE(step.flops.value, 0);
      EXPECT_GE(step.kernels, 0);
      EXPECT_GE(step.work.working.value, 0);
    } catch (const Error& error) {
      EXPECT_EQ(std::string_view(error.what()).substr(0, 8), "step.hlo");
    }
  });
}

TEST(HloFuzz, a_damaged_text_is_read_or_refused_by_its_name) { fuzz({.inputs = 10'000}); }
TEST(SlowHloFuzz, a_damaged_text_is_read_or_refused_by_its_name) { fuzz({.slow = true}); }

}  // namespace
}  // namespace tpulab::fuzz::hlo_fuzz_test
