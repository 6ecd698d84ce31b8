#include "engine/session/answers/gpu_estimate.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/session/settings/gpu_settings.h"

namespace tpulab::gpu_estimate_test {
namespace {

Settings asked(const char* gpus, const char* model) {
  Settings settings;
  change_all(settings, std::vector<Assignment>{{"slice", gpus}, {"model", model}});
  return settings;
}

std::string refusal_of(Settings settings, const char* name, const char* value) {
  try {
    change(settings, name, value);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(GpuEstimate, published_figures_are_told_with_precision_count_link_and_stack) {
  const Estimate estimate = gpu_estimate(asked("v100x8", "resnet50"));
  EXPECT_EQ(estimate.machine, "v100x8");
  EXPECT_EQ(estimate.model, "resnet50");
  EXPECT_EQ(estimate.batch, "32 x 8 = 256 global");
  EXPECT_EQ(estimate.gpus,
            "8 x V100 SXM2 16 GB (NVLink 2, 150 GB/s each way), mixed precision, tensorflow 2018");
  EXPECT_TRUE(estimate.published);
  EXPECT_EQ(estimate.nearest, "G-R1");
  EXPECT_EQ(estimate.samples_per_second, 9646);  // half of 9,460 + 9,832
  EXPECT_NEAR(in_seconds(estimate.step), 256 / 9646.0, 1e-9);
  EXPECT_EQ(estimate.figure.substr(0, 88),
            "published: G-R1: 8 x V100, mixed, tensorflow 2018, NVLink, DGX-1, 9.83k samples/s "
            "[M05];");
}

TEST(GpuEstimate, a_step_of_one_batch_says_that_it_sums_no_others) {
  Settings settings = asked("v100x8", "resnet50");
  const Picoseconds step = gpu_estimate(settings).step;
  settings.accumulate_grad_batches = 4;
  const Estimate estimate = gpu_estimate(settings);
  EXPECT_EQ(estimate.step, step);
  EXPECT_EQ(estimate.batch,
            "32 x 8 = 256 global (a step of one, accumulate_grad_batches 4 is for TPUs)");
}

TEST(GpuEstimate, digits_are_a_rough_perceptron_without_a_band) {
  Settings settings;
  change(settings, "slice", "v100x8");
  const Estimate estimate = gpu_estimate(settings);
  EXPECT_EQ(estimate.model, "mlp 64-1024-1024-10");
  EXPECT_FALSE(estimate.published);
  EXPECT_EQ(estimate.band, 0);
  EXPECT_TRUE(estimate.nearest.empty());
  EXPECT_EQ(estimate.figure.substr(0, 6), "rough:");
}

TEST(GpuSettings, a_slice_may_name_gpus_and_a_setting_that_means_tpus_is_refused_then) {
  Settings settings;
  EXPECT_EQ(change(settings, "slice", "a100x16").substr(0, 33),
            "slice a100x16: the next run uses ");
  EXPECT_TRUE(on_gpus(settings));
  EXPECT_EQ(chosen_devices(settings).size(), 16U);
  EXPECT_EQ(refusal_of(settings, "mesh", "fsdp=16"),
            "mesh fsdp=16 is for TPUs and a100x16 names GPUs; set mesh auto to compare them");
  EXPECT_EQ(refusal_of(settings, "slice", "v10x8").substr(0, 44),
            "unknown GPU 'v10x8'; did you mean v100x8? th");
  Settings v100 = asked("v100", "resnet50");
  EXPECT_EQ(refusal_of(v100, "gpu.precision", "tf32"),
            "V100 has no tf32; choose gpu.precision mixed or fp32");
}

TEST(GpuSettings, a_run_on_gpus_is_refused_in_one_sentence) {
  try {
    refuse_to_run_on_gpus(asked("v100x8", "resnet50"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "nothing runs on v100x8: GPUs are there for forecast, compare, sweep and whatif; "
                 "choose a TPU slice, for example v3-8");
  }
  EXPECT_NO_THROW(refuse_to_run_on_gpus(Settings{}));
}

}  // namespace
}  // namespace tpulab::gpu_estimate_test
