#include "engine/evidence/bands.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/evidence/step_point.h"
#include "tests/engine/forecast/steady_step.h"

namespace tpulab::bands_test {
namespace {

bool says(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

ForecastBand band(const ForecastRequest& request) {
  const Machine machine = machine_of(request);
  return band_of(resolved_step(request, machine), machine.slice);
}

TEST(Bands, a_class_that_nobody_measured_says_so) {
  const ForecastBand own = band({.model = "mlp-64-1024-10", .slice = "v3-8", .batch = 256});
  EXPECT_TRUE(says(own.source, "fewer than four measured steps of perceptrons")) << own.source;
  for (const ErrorBand& band : error_bands) {
    const double other = band.kind == PointKind::step ? band.width : 0;
    EXPECT_GE(own.width, other) << band.name;
  }
}

TEST(Bands, joined_slices_have_a_band_of_their_own) {
  const ForecastBand one = band({.model = "lm-16b", .slice = "v5e-256", .batch = 1536});
  const ForecastBand two = band({.model = "lm-16b", .slice = "2xv5e-256", .batch = 3072});
  EXPECT_TRUE(says(one.source, "language models")) << one.source;
  EXPECT_TRUE(says(two.source, "language models on joined slices")) << two.source;
}

// Nobody measured a step of these: how far off its like is says little.
TEST(Bands, what_devices_share_in_ways_that_nobody_measured_has_the_widest) {
  const auto shared = [](const char* model, const Mesh& mesh) {
    return band({.model = model, .slice = "v5p-32", .stack = "jax", .batch = 64, .mesh = mesh});
  };
  const double widest = shared("mlp-64-1024-10", {}).width;
  EXPECT_LT(shared("llama3-8b", {.fsdp = 16}).width, widest);
  const ForecastBand rows = shared("llama3-8b", {.fsdp = 8, .context = 2});
  EXPECT_EQ(rows.width, widest);
  EXPECT_TRUE(says(rows.source, "fewer than four measured steps of rows that devices share"));
  EXPECT_TRUE(says(shared("mixtral-8x7b", {.fsdp = 16}).source, "of mixtures of experts"));
  EXPECT_TRUE(says(shared("mixtral-8x7b", {.fsdp = 2, .expert = 8}).source,
                   "of experts that devices share"));
}

// 283 samples a second were measured there, and 615 are estimated: no step takes less than nothing.
TEST(Bands, are_wider_only_to_the_side_to_which_the_nearest_point_is_off) {
  ForecastRequest request{.model = "mask-rcnn",
                          .slice = "v3-8",
                          .stack = "tensorflow",
                          .precision = "bf16-mixed",
                          .batch = 32};
  const ForecastBand found = band(request);
  EXPECT_EQ(found.nearest.id, "C-P10");
  EXPECT_LT(found.width, 0.5);
  EXPECT_GE(found.slower, 1 / (1 + found.nearest.error.value()) - 1);
  EXPECT_GT(found.slower, 1);
  // Neither what is not measured at all nor what is not tuned is known better.
  for (const char* stack : {"jax", "tensorflow-ordinary"}) {
    request.stack = stack;
    EXPECT_GE(band(request).slower, found.slower) << stack;
    EXPECT_EQ(band(request).wider, "longer: as a measured step of detectors took") << stack;
  }
  const ForecastBand pod =
      band({.model = "resnet50", .slice = "v4-4096", .stack = "tensorflow", .batch = 32768});
  EXPECT_EQ(pod.wider, "longer: as the nearest took");
  EXPECT_NEAR(pod.slower, 1 / (1 + pod.nearest.error.value()) - 1, 0.01);
}

TEST(Bands, are_no_wider_by_bounds_or_by_software_that_is_not_tuned) {
  const ForecastBand tuned = band({.model = "bert-base", .slice = "v3-32", .stack = "jax"});
  EXPECT_EQ(tuned.slower, 0) << tuned.wider;
  const ForecastBand bound = band({.model = "transformer-lm-6x512",
                                   .slice = "v3-8",
                                   .stack = "jax-ordinary",
                                   .precision = "bf16-mixed",
                                   .batch = 256});
  EXPECT_EQ(bound.slower, ordinary_delay) << bound.wider;
}

// One step was measured so, and three whole runs.
TEST(Bands, of_int8_hold_the_nearest_run_that_was_measured_so) {
  ForecastRequest request{.model = "gpt3-175b",
                          .slice = "12xv6e-256",
                          .stack = "jax",
                          .batch = 6144,
                          .remat = Remat::full,
                          .quant = "int8"};
  const ForecastBand found = band(request);
  EXPECT_EQ(found.nearest.id, "C-P37");
  EXPECT_GE(found.slower, 1 / (1 + found.nearest.error.value()) - 1);
  EXPECT_TRUE(says(found.source, "fewer than four measured steps of products in int8: the widest"))
      << found.source;
  EXPECT_TRUE(says(found.wider, "longer: as ")) << found.wider;
  request.quant = "none";
  EXPECT_TRUE(says(band(request).source, "language models on joined slices"));
}

TEST(Bands, ordinary_software_may_take_longer_but_is_no_faster) {
  const ForecastRequest tuned{.model = "resnet50", .slice = "v3-8", .stack = "tensorflow"};
  ForecastRequest ordinary = tuned;
  ordinary.stack = "tensorflow-ordinary";
  EXPECT_EQ(band(tuned).slower, 0);
  const ForecastBand found = band(ordinary);
  EXPECT_EQ(found.width, band(tuned).width);
  EXPECT_EQ(found.slower, ordinary_delay);
  EXPECT_TRUE(says(found.wider, "runs with ordinary software")) << found.wider;
}

// C-K18: 8192 x 8192 x 8192 took 1,534 us of a v6e.
TEST(Bands, the_nearest_point_of_a_kernel_is_of_its_kind_and_nearest_in_size) {
  ForecastRequest request{
      .model = "gemm-8192x8192x8192", .slice = "v6e-1", .precision = "bf16-true"};
  const NearestPoint found = band(request).nearest;
  EXPECT_EQ(found.id, "C-K18");
  ASSERT_TRUE(found.error.has_value());
  EXPECT_NEAR(*found.error, 0.0, 0.05);
  EXPECT_TRUE(found.found.starts_with("1,534 us measured there")) << found.found;
  request.model = "attention-8x1024x64";
  const std::string near = band(request).nearest.id;
  EXPECT_TRUE(near.starts_with("H-attention-") && near.ends_with("x1024")) << near;
  request.slice = "v4-8";
  EXPECT_FALSE(band(request).nearest.error.has_value());
}

TEST(Bands, the_nearest_point_is_of_the_same_model_and_generation) {
  const ForecastBand own = band({.model = "resnet50", .slice = "v3-64", .stack = "tensorflow"});
  EXPECT_EQ(own.nearest.id, "C-P4");
  EXPECT_EQ(own.width, band_of_class("image networks")->width);
  EXPECT_TRUE(says(own.source, "image networks")) << own.source;
  EXPECT_EQ(band({.model = "mlp-64-10"}).nearest.id, "");
}

const MeasuredPoint& point_named(std::string_view id) {
  return *std::ranges::find(shipped_points(), id, &MeasuredPoint::id);
}

// C-P18: 3,072 rows on v4-512, in milliseconds a step.
TEST(Bands, a_point_that_differs_in_sizes_alone_tells_what_is_estimated_for_it) {
  const MeasuredPoint& point = point_named("C-P18");
  ForecastRequest request = request_of(point);
  const double there = test::steady_seconds(request) * 1e3;
  request.batch *= 2;
  const NearestPoint nearest = band(request).nearest;
  EXPECT_EQ(nearest.id, "C-P18");
  EXPECT_EQ(nearest.found, fmt::format("111 ms/step measured there, {:.3g} estimated", there));
  EXPECT_NEAR(nearest.error.value(), there / 110.9 - 1, 1e-6);
}

TEST(Bands, a_point_of_other_software_or_precision_tells_nothing_of_itself) {
  ForecastRequest request = request_of(point_named("C-P17"));
  request.precision = "32-true";
  EXPECT_EQ(band(request).nearest.id, "C-P17");
  EXPECT_EQ(band(request).nearest.found, "");
  request = request_of(point_named("C-P17"));
  request.stack = "jax";
  EXPECT_EQ(band(request).nearest.found, "");
}

}  // namespace
}  // namespace tpulab::bands_test
