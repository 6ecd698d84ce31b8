#include "engine/machine/gpus.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace tpulab::gpus_test {
namespace {

std::string complaint_of(std::string_view name) {
  try {
    gpus_named(name);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Gpus, a_name_is_a_gpu_and_a_count_and_alone_it_is_one) {
  const GpuGroup one = gpus_named("v100");
  EXPECT_EQ(one.count, 1);
  EXPECT_EQ(one.boxes, 1);
  EXPECT_EQ(one.gpu->chip, "V100");
  const GpuGroup box = gpus_named("v100-32gbx8");
  EXPECT_EQ(box.count, 8);
  EXPECT_EQ(box.boxes, 1);
  EXPECT_EQ(static_cast<double>(box.gpu->memory_gb), 32);
  EXPECT_EQ(gpus_named("h100x1").count, 1);
}

TEST(Gpus, more_than_eight_fill_boxes_that_a_network_joins) {
  const GpuGroup two = gpus_named("a100x16");
  EXPECT_EQ(two.boxes, 2);
  EXPECT_EQ(two.words(),
            "16 x A100 SXM 40 GB (NVLink 3, 300 GB/s each way, 2 boxes of 8 over a network of 200 "
            "GB/s a box (assumed))");
  EXPECT_EQ(gpus_named("v100x8").words(), "8 x V100 SXM2 16 GB (NVLink 2, 150 GB/s each way)");
  EXPECT_EQ(gpus_named("v100").words(), "1 x V100 SXM2 16 GB (no link)");
}

TEST(Gpus, a_count_that_cannot_be_is_refused_with_one_that_can) {
  EXPECT_EQ(complaint_of("v100x0"), "v100x0 is no GPU at all; one is v100, a full box v100x8");
  EXPECT_EQ(complaint_of("v100x9999"),
            "v100x9999 is too many; at most 1,024 GPUs can be asked for, v100x1024");
  EXPECT_EQ(complaint_of("v100x99999999999999999999"),
            "v100x99999999999999999999 is too many; at most 1,024 GPUs can be asked for, "
            "v100x1024");
  EXPECT_EQ(complaint_of("a100x12"),
            "a100x12 does not fill its boxes of 8; the nearest are a100x8 and a100x16");
  EXPECT_EQ(complaint_of("v100xfew").substr(0, 24), "unknown GPU 'v100xfew'; ");
}

TEST(Gpus, an_unknown_gpu_is_refused_with_the_nearest_name) {
  EXPECT_EQ(complaint_of("v10x8"),
            "unknown GPU 'v10x8'; did you mean v100x8? there are v100, v100-32gb, a100, a100-80gb, "
            "h100, with a count as in v100x8");
  EXPECT_EQ(complaint_of("8xV100"), "unknown GPU '8xV100'; the count stands behind: v100x8");
  EXPECT_EQ(complaint_of("V100x8").substr(0, 42), "unknown GPU 'V100x8'; did you mean v100x8?");
}

TEST(Gpus, names_of_slices_do_not_read_as_gpus) {
  for (const char* name :
       {"v100", "v10x8", "v100x0", "8xv100", "V100x8", "a100-80gbx16", "h100x1"}) {
    EXPECT_TRUE(reads_as_gpus(name)) << name;
  }
  for (const char* name :
       {"v3-8", "v5e-256", "2xv5e-256", "v2-8x", "v3", "v44", "v2x8", "", "tpu7x-64"}) {
    EXPECT_FALSE(reads_as_gpus(name)) << name;
  }
  for (const std::string& name : gpu_names()) {
    EXPECT_TRUE(reads_as_gpus(name)) << name;
    EXPECT_EQ(gpus_named(name).name, name);
  }
}

TEST(Gpus, every_constant_says_where_it_comes_from) {
  for (const std::string& name : gpu_names()) {
    const Gpu& gpu = *gpus_named(name).gpu;
    for (const Constant& constant :
         {gpu.mixed_flops_per_second, gpu.tf32_flops_per_second, gpu.fp32_flops_per_second,
          gpu.memory_gb, gpu.memory_bytes_per_second, gpu.link_bytes_per_second,
          gpu.network_bytes_per_second, gpu.matrix_efficiency_mixed, gpu.matrix_efficiency_fp32,
          gpu.memory_efficiency, gpu.link_efficiency, gpu.kernel_seconds, gpu.hop_seconds}) {
      EXPECT_FALSE(constant.source.empty()) << gpu.name;
    }
    EXPECT_GT(gpu.flops_per_second(GpuPrecision::mixed), gpu.flops_per_second(GpuPrecision::fp32));
  }
}

TEST(Gpus, a_precision_has_its_name_and_an_unknown_one_is_refused) {
  EXPECT_EQ(gpu_precision_named("tf32"), GpuPrecision::tf32);
  EXPECT_EQ(name_of(GpuPrecision::mixed), "mixed");
  EXPECT_THROW(gpu_precision_named("fp8"), Error);
}

}  // namespace
}  // namespace tpulab::gpus_test
