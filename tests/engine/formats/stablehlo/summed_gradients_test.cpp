// HBM of a step whose devices sum gradients, beside the TPU compiler's own analysis (libtpu
// 0.0.42.1, eight chips of v5e): three layers of 4096 x 4096 in f32, 1,024 rows a device, sgd.
#include <gtest/gtest.h>

#include <regex>

#include "engine/base/file.h"
#include "engine/formats/stablehlo/stablehlo_step.h"

namespace tpulab::summed_gradients_test {
namespace {

double mebibytes_of(const std::string& text) {
  const StepWork work = import_stablehlo(text, "f.mlir").work;
  return static_cast<double>(work.working.value) / (1 << 20);
}

std::string donated() {
  return read_file(TPULAB_SOURCE_DIR "/tests/engine/formats/stablehlo/summed_gradients.mlir");
}

std::string kept() {
  return std::regex_replace(donated(), std::regex(", tf.aliasing_output = \\d+ : i32"), "");
}

// Arguments 224 MiB, temporaries 105: not three gradients of 64.
TEST(SummedGradients, serve_others_as_soon_as_their_weights_are_updated) {
  EXPECT_NEAR(mebibytes_of(donated()), 329, 0.05 * 329);
}

// Arguments 224 MiB, results 192, temporaries 9.
TEST(SummedGradients, lie_where_results_will_be_that_take_over_no_argument) {
  EXPECT_NEAR(mebibytes_of(kept()), 425, 0.07 * 425);
}

}  // namespace
}  // namespace tpulab::summed_gradients_test
