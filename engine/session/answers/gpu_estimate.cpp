#include "engine/session/answers/gpu_estimate.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/session/answers/forecast_estimate.h"
#include "engine/session/settings/gpu_settings.h"

namespace tpulab {

namespace {

void add_terms(const GpuForecast& forecast, Estimate& estimate) {
  const GpuRoofline& roofline = forecast.roofline;
  const auto add = [&](Phases& terms, const char* name, double seconds) {
    if (seconds > 0) terms.push_back({name, picoseconds_from_seconds(seconds / forecast.scale)});
  };
  if (forecast.published()) {
    estimate.terms.push_back({"published step", forecast.step});
  } else {
    add(estimate.terms, "forward", roofline.forward);
    add(estimate.terms, "backward", roofline.backward);
    add(estimate.terms, "update", roofline.update);
    add(estimate.terms, "all-reduce of gradients", roofline.exposed);
    add(estimate.hidden, "all-reduce of gradients", roofline.all_reduce - roofline.exposed);
  }
  std::ranges::stable_sort(estimate.terms, std::greater<>{}, &PhaseTime::time);
}

// What the roofline needs most, also of a step that was measured.
void add_bound(const GpuRoofline& roofline, Estimate& estimate) {
  const std::vector<std::pair<double, const char*>> needs{{roofline.products, "products"},
                                                          {roofline.memory, "GPU memory"},
                                                          {roofline.starts, "kernel starts"},
                                                          {roofline.all_reduce, "link"}};
  estimate.bound = std::ranges::max_element(needs)->second;
  estimate.bound += " (rough)";
}

std::string figure_words(const GpuForecast& forecast) {
  const std::int64_t passes = forecast.roofline.passes;
  const std::string in_passes =
      passes > 1 ? fmt::format(", in {} passes that fit the memory", passes) : std::string();
  if (forecast.published()) {
    return fmt::format("published: {}; {}{}", forecast.point->words(), forecast.distance,
                       in_passes);
  }
  std::string text = "rough: a roofline at assumed efficiencies, no host and no input" + in_passes;
  if (forecast.near != nullptr) text += ", " + forecast.distance;
  return text;
}

// A figure is of one batch and its update.
std::string batch_words(const Settings& settings, std::int64_t gpus) {
  std::string words =
      fmt::format("{} x {} = {} global", settings.batch, gpus, settings.batch * gpus);
  if (settings.accumulate_grad_batches > 1) {
    words += fmt::format(" (a step of one, accumulate_grad_batches {} is for TPUs)",
                         settings.accumulate_grad_batches);
  }
  return words;
}

}  // namespace

Estimate gpu_estimate(const Settings& settings) {
  const GpuForecast forecast = gpu_forecast(gpu_request(settings));
  const GpuPrecision precision = forecast.request.precision;
  const Gpu& gpu = *forecast.group.gpu;
  Estimate estimate;
  estimate.machine = forecast.group.name;
  estimate.model = is_named(settings) ? model_text(settings) : forecast.request.model;
  estimate.global_batch = settings.batch * forecast.group.count;
  estimate.batch = batch_words(settings, forecast.group.count);
  estimate.gpus = forecast.words();
  estimate.gpu_stack = forecast.stack;
  estimate.figure = figure_words(forecast);
  estimate.published = forecast.published();
  estimate.step = forecast.step;
  estimate.samples_per_second = forecast.samples_per_second;
  estimate.tokens_per_second = forecast.tokens_per_second;
  estimate.utilisation = forecast.roofline.products * gpu.matrix_efficiency(precision) *
                         gpu.flops_per_second(precision) / gpu.mixed_flops_per_second /
                         in_seconds(forecast.step);
  estimate.hbm_used = forecast.roofline.memory_used;
  estimate.hbm_limit = {static_cast<std::int64_t>(gpu.memory_gb * 1e9)};
  estimate.band = forecast.band;
  estimate.band_source = forecast.band_source;
  const GpuPoint* const nearest = forecast.published() ? forecast.point : forecast.near;
  estimate.nearest = nearest == nullptr ? "" : nearest->id;
  add_terms(forecast, estimate);
  add_bound(forecast.roofline, estimate);
  return estimate;
}

}  // namespace tpulab
