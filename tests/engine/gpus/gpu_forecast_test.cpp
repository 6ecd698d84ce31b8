#include "engine/gpus/gpu_forecast.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/base/error.h"
#include "engine/training/networks/networks.h"

namespace tpulab::gpu_forecast_test {
namespace {

std::string complaint_of(const GpuForecastRequest& request) {
  try {
    gpu_forecast(request);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// Rows and passes as the point says them.
GpuRoofline roofline_of(const GpuPoint& point, const Workload& workload) {
  return gpu_roofline({.workload = workload,
                       .batch = point.batch * point.passes,
                       .rows = point.batch,
                       .sequence = point.sequence,
                       .image = point.image,
                       .precision = point.precision},
                      gpus_named(point.gpu + "x" + std::to_string(point.count)));
}

std::vector<double> errors_of_roofline() {
  std::vector<double> errors;
  for (const GpuPoint& point : shipped_gpu_points()) {
    if (point.batch == 0 || point.samples_per_second() <= 0) continue;
    try {
      const Workload workload = workload_named(point.model);
      const auto rows = static_cast<double>(point.batch * point.passes * point.count);
      const double rate = rows / roofline_of(point, workload).step();
      errors.push_back(std::abs(rate / point.samples_per_second() - 1));
    } catch (const Error&) {
      continue;  // a network that is not described
    }
  }
  return errors;
}

// Payload 100 MB on 8 GPUs: 2 x 7/8 x 100 MB at 0.8 x 150 GB/s are 1.458 ms, and 14 hops of 5 us.
// Between two boxes 2 x 1/2 x 100 MB at 0.8 x 50 GB/s are 2.5 ms, and two hops.
TEST(GpuRoofline, a_ring_moves_the_payload_almost_twice_and_boxes_add_the_network) {
  EXPECT_NEAR(gpu_all_reduce_seconds(100e6, gpus_named("v100x8")), 1.458e-3 + 70e-6, 1e-6);
  EXPECT_NEAR(gpu_all_reduce_seconds(100e6, gpus_named("v100x16")), 4.038e-3, 1e-6);
  EXPECT_EQ(gpu_all_reduce_seconds(100e6, gpus_named("v100")), 0);
}

// One dense layer, 1,024 rows of 4,096 to 4,096: 2 x 1,024 x 4,096 x 4,096 = 34.4 GFLOP at half of
// 125 TFLOP/s are 0.550 ms for each of forward and weight gradient (the first layer needs no
// gradient of its input); elementwise work of it is its bias and loss, small against that.
TEST(GpuRoofline, a_product_takes_its_operations_over_half_the_peak) {
  const Workload one{"mlp-4096-4096", TracedNetwork{.model = perceptron({}),
                                                    .row = {.row = {4096}, .classes = 4096}}};
  const GpuRoofline times = gpu_roofline({.workload = one, .batch = 1024}, gpus_named("v100"));
  EXPECT_NEAR(times.products, 2 * 0.550e-3, 0.002e-3);
  EXPECT_GE(times.forward, 0.550e-3);
  EXPECT_LE(times.forward, 0.75e-3);
  EXPECT_EQ(times.exposed, 0);
  EXPECT_EQ(times.passes, 1);
}

TEST(GpuRoofline, a_batch_that_does_not_fit_goes_in_passes) {
  const Workload bert = workload_named("bert-large");
  const GpuRoofline small = gpu_roofline({.workload = bert, .batch = 64}, gpus_named("v100x8"));
  const GpuRoofline large =
      gpu_roofline({.workload = bert, .batch = 64}, gpus_named("a100-80gbx8"));
  EXPECT_GT(small.passes, 1);
  EXPECT_EQ(large.passes, 1);
  EXPECT_LE(static_cast<double>(small.memory_used.value), 0.9 * 16e9);
}

TEST(GpuRoofline, nine_of_ten_published_figures_lie_within_the_rough_band) {
  std::vector<double> errors = errors_of_roofline();
  ASSERT_GE(errors.size(), 20U);
  std::ranges::sort(errors);
  const auto at = static_cast<std::size_t>(std::ceil(0.9 * static_cast<double>(errors.size())));
  EXPECT_LE(errors[at - 1], rough_band());
  EXPECT_GE(errors[at - 1], rough_band() - 0.04);
  EXPECT_LE(errors[errors.size() / 2], 0.15);
}

TEST(GpuForecast, published_figures_of_one_thing_differ_by_the_published_band) {
  std::map<std::string, std::vector<double>> groups;
  for (const GpuPoint& point : shipped_gpu_points()) {
    if (point.whole_run()) continue;
    const std::string chip(gpus_named(point.gpu).gpu->chip);
    groups[point.model + chip + std::to_string(point.count) + std::to_string(point.sequence) +
           std::string(name_of(point.precision))]
        .push_back(point.value);
  }
  double most = 0;
  for (auto& [name, values] : groups) {
    std::ranges::sort(values);
    const double middle = (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
    for (const double value : values) most = std::max(most, std::abs(value / middle - 1));
  }
  EXPECT_EQ(published_band(), std::ceil(most * 100) / 100);
}

TEST(GpuForecast, the_median_of_the_published_figures_is_used_where_there_are_some) {
  const GpuForecast box = gpu_forecast({.batch = 128});
  ASSERT_TRUE(box.published());
  EXPECT_EQ(box.point->id, "G-R1");  // of 8,322, 9,460, 9,832 and 10,134
  EXPECT_DOUBLE_EQ(box.samples_per_second, 9646);
  EXPECT_NEAR(in_seconds(box.step), 1024 / 9646.0, 1e-9);
  EXPECT_EQ(box.band, published_band());
  EXPECT_EQ(box.distance,
            "measured on 8 GPUs, batch not said; the median of 4 figures, the mean of G-R3 and "
            "G-R1, 1.04k to 1.27k samples/s a GPU");
  EXPECT_EQ(box.words(),
            "8 x V100 SXM2 16 GB (NVLink 2, 150 GB/s each way), mixed precision, tensorflow 2018");
}

// As DLE prints them for 8 GPUs; its figures of one are 2,470, 206.5 and 367.
TEST(GpuForecast, a_figure_of_the_count_that_is_asked_for_comes_first) {
  const GpuForecast mixed = gpu_forecast({.gpus = "a100-80gbx8", .batch = 256});
  EXPECT_EQ(mixed.point->id, "G-D6");
  EXPECT_DOUBLE_EQ(mixed.samples_per_second, 16621);
  const GpuForecast bert =
      gpu_forecast({.model = "bert-large", .gpus = "v100x8", .batch = 60, .sequence = 128});
  EXPECT_EQ(bert.point->id, "G-D22");
  EXPECT_DOUBLE_EQ(bert.samples_per_second, 1561.77);
  EXPECT_EQ(gpu_forecast({.batch = 112, .precision = GpuPrecision::fp32}).point->id, "G-D4");
}

TEST(GpuForecast, a_figure_of_another_count_is_scaled_inside_one_box_only) {
  const GpuForecast two = gpu_forecast({.gpus = "v100x2", .batch = 256});
  ASSERT_TRUE(two.published());
  EXPECT_EQ(two.point->id, "G-D1");  // of 782, 1,040, 1,182.5, 1,200, 1,229, 1,267
  EXPECT_DOUBLE_EQ(two.samples_per_second, 2 * 1191.25);
  EXPECT_NE(two.distance.find("measured on 1 GPU, scaled by GPU to 2 in one box"),
            std::string::npos);
  EXPECT_NEAR(two.band, 1 - 782 / 1191.25, 1e-9);
  EXPECT_FALSE(gpu_forecast({.gpus = "v100x16", .batch = 256}).published());
}

TEST(GpuForecast, without_a_figure_the_roofline_answers_and_says_that_it_is_rough) {
  const GpuForecast h100 = gpu_forecast({.model = "vit-b16", .gpus = "h100x8", .batch = 128});
  EXPECT_FALSE(h100.published());
  EXPECT_EQ(h100.band, rough_band());
  EXPECT_EQ(h100.band_source, "rough: a roofline, nine of ten published figures are nearer");
  EXPECT_NEAR(h100.samples_per_second, 1024 / h100.roofline.step(), 1);
  const GpuForecast tiny = gpu_forecast({.model = "mlp-64-1024-10"});
  EXPECT_EQ(tiny.band, 0);
  EXPECT_FALSE(tiny.band_source.empty());
  // Another sequence, precision or image is another measurement.
  EXPECT_TRUE(gpu_forecast({.model = "bert-large", .sequence = 128}).published());
  EXPECT_FALSE(gpu_forecast({.model = "bert-large", .sequence = 256}).published());
  EXPECT_FALSE(gpu_forecast({.image = 160}).published());
  // Measured with 256 rows a GPU or hundreds at least: no word about 8.
  EXPECT_FALSE(gpu_forecast({.batch = 8}).published());
  // Measured at four rows a GPU: no word about 128; one GPU was measured too.
  EXPECT_EQ(
      gpu_forecast({.model = "bert-base", .batch = 128, .precision = GpuPrecision::fp32}).point->id,
      "G-H1");
}

// Rates of the figure and of the roofline there, of the roofline here: nothing else may count.
TEST(GpuForecast, neighbours_of_a_figure_stand_to_it_as_their_rooflines_do) {
  const auto rate_of_roofline = [](const GpuForecast& one) {
    return static_cast<double>(one.request.batch * one.group.count) / one.roofline.step();
  };
  const auto stand_alike = [&](const GpuForecastRequest& rough, const GpuForecastRequest& known) {
    const GpuForecast there = gpu_forecast(known);
    const GpuForecast here = gpu_forecast(rough);
    EXPECT_TRUE(there.published() && !here.published()) << here.distance;
    EXPECT_EQ(here.near, there.point);
    EXPECT_NEAR(here.samples_per_second / there.samples_per_second,
                rate_of_roofline(here) / rate_of_roofline(there), 1e-9);
  };
  stand_alike({.gpus = "v100x16", .batch = 128}, {.gpus = "v100x8", .batch = 128});
  stand_alike({.gpus = "a100", .batch = 256}, {.gpus = "a100-80gb", .batch = 256});
  stand_alike({.gpus = "v100", .batch = 8}, {.gpus = "v100", .batch = 16});
  EXPECT_EQ(gpu_forecast({.gpus = "a100", .batch = 256}).distance.substr(0, 6), "times ");
  stand_alike({.gpus = "h100", .batch = 256}, {.gpus = "a100-80gb", .batch = 256});
  EXPECT_EQ(gpu_forecast({.model = "vit-b16", .gpus = "h100", .batch = 256}).near, nullptr);
}

TEST(GpuForecast, a_faster_chip_is_no_slower_at_any_batch) {
  for (const std::int64_t batch : {1, 4, 16, 64, 256}) {
    const auto rate = [batch](const char* gpus) {
      return gpu_forecast({.gpus = gpus, .batch = batch}).samples_per_second;
    };
    EXPECT_LT(rate("v100"), rate("a100-80gb")) << batch;
    EXPECT_LT(rate("a100-80gb"), rate("h100")) << batch;
    EXPECT_LT(rate("a100-80gbx8"), rate("h100x8")) << batch;
  }
}

TEST(GpuForecast, a_row_has_the_pixels_of_its_model_unless_others_are_asked_for) {
  EXPECT_EQ(gpu_forecast({.model = "ssd"}).point->id, "G-S1");
  EXPECT_FALSE(gpu_forecast({.model = "ssd", .image = 512}).published());
  EXPECT_EQ(
      gpu_forecast(
          {.model = "resnet-rs-50", .gpus = "v100", .batch = 128, .precision = GpuPrecision::fp32})
          .point->id,
      "G-RS50");
}

TEST(GpuForecast, what_cannot_be_is_refused_in_one_sentence) {
  EXPECT_EQ(complaint_of({.precision = GpuPrecision::tf32}),
            "V100 has no tf32; choose mixed or fp32");
  EXPECT_EQ(complaint_of({.model = "llama3-70b"}).substr(0, 23), "llama3-70b needs about ");
  EXPECT_EQ(complaint_of({.model = "resnet51"}).substr(0, 24), "unknown model 'resnet51'");
  EXPECT_EQ(complaint_of({.batch = 0}), "a GPU needs at least one row; choose a larger batch");
}

TEST(GpuRoofline, takes_as_few_passes_as_fit) {
  const Workload diffusion = workload_named("stable-diffusion-2");
  const auto rate = [&](std::int64_t batch) {
    const GpuRoofline times =
        gpu_roofline({.workload = diffusion, .batch = batch}, gpus_named("h100"));
    return std::pair(times.passes, static_cast<double>(batch) / times.step());
  };
  EXPECT_EQ(rate(24).first, 1);
  EXPECT_EQ(rate(64).first, 3);  // in two halves they would not fit, in four 16 rows would be left
  EXPECT_GT(rate(64).second, 0.95 * rate(24).second);
}

TEST(GpuRoofline, keeps_no_scores_of_large_language_models) {
  const auto used = [](std::int64_t tokens) {
    return gpu_roofline({.workload = workload_named("gemma3-1b"), .batch = 1, .sequence = tokens},
                        gpus_named("h100"))
        .memory_used.value;
  };
  EXPECT_LT(used(16384) - used(8192), 2.1 * static_cast<double>(used(8192) - used(4096)));
}

}  // namespace
}  // namespace tpulab::gpu_forecast_test
