// Stages of layers beside the same network without them.
#include <gtest/gtest.h>

#include "engine/session/answers/estimate.h"
#include "engine/session/answers/speed_ups.h"
#include "engine/session/settings/setting_values.h"

namespace tpulab::pipeline_estimate_test {
namespace {

Settings settings_with(const std::string& mesh) {
  Settings settings;
  const std::vector<Assignment> asked{{"model", "llama2-13b"}, {"slice", "v5p-32"},
                                      {"stack", "jax"},        {"precision", "bf16-mixed"},
                                      {"batch", "4"},          {"remat", "full"},
                                      {"max_steps", "20"},     {"mesh", mesh}};
  change_all(settings, asked);
  return settings;
}

Estimate with_mesh(const std::string& mesh) { return estimate(settings_with(mesh)); }

double useful_operations(const Estimate& told) {
  return told.utilisation * told.peak * in_seconds(told.step);
}

TEST(PipelineEstimate, counts_no_operations_of_turns_that_have_no_rows) {
  const Estimate stages = with_mesh("pipeline=4/microbatches=8/fsdp=4");
  const Estimate shared = with_mesh("fsdp=16");
  EXPECT_NEAR(useful_operations(stages) / useful_operations(shared), 1, 0.01);
  EXPECT_NEAR(stages.bubble, 3.0 / 11, 0.03);  // most of the step are its layers
  EXPECT_EQ(shared.bubble, 0);
}

TEST(PipelineEstimate, says_what_crosses_hbm_in_turns_that_have_no_rows) {
  const StepLoad stages = estimated_load(settings_with("pipeline=4/microbatches=8/fsdp=4"));
  EXPECT_NEAR(
      static_cast<double>(stages.without_rows.value) / static_cast<double>(stages.traffic.value),
      3.0 / 11, 0.08);
  EXPECT_EQ(estimated_load(settings_with("fsdp=16")).without_rows.value, 0);
}

// A stage has a quarter of the layers, and updates them too.
TEST(PipelineEstimate, compiles_a_quarter_of_the_layers_in_a_quarter_of_the_time) {
  const auto compile_of = [](const std::string& mesh) {
    Settings settings = settings_with(mesh);
    settings.stack = "pytorch-xla";  // which writes layers out
    settings.precision = "bf16-true";
    return in_seconds(estimate(settings).compile);
  };
  EXPECT_NEAR(compile_of("pipeline=4/microbatches=8/fsdp=4") / compile_of("fsdp=16"), 0.25, 0.03);
}

}  // namespace
}  // namespace tpulab::pipeline_estimate_test
