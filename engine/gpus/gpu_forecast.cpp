#include "engine/gpus/gpu_forecast.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/text.h"

namespace tpulab {

namespace {

using Points = std::vector<const GpuPoint*>;

constexpr std::int64_t usual_image = 224;

// A figure says little about batches far from its own, less about larger ones. One that does not
// say its batch was not taken with a tiny one.
constexpr std::int64_t most_times_its_batch = 4;
constexpr std::int64_t least_part_of_its_batch = 16;
constexpr std::int64_t least_unsaid_batch = 16;

bool batch_applies(const GpuPoint& point, std::int64_t asked) {
  if (point.batch == 0) return asked >= least_unsaid_batch || point.passes > 1;
  return asked <= most_times_its_batch * point.batch &&
         asked * least_part_of_its_batch >= point.batch;
}

// Published steps take longer; of shorter ones the host and the starts of kernels are most.
constexpr double shortest_step_seconds = 10e-3;

bool same_chip(const Gpu& a, const Gpu& b) {
  return a.chip == b.chip && a.memory_bytes_per_second == b.memory_bytes_per_second;
}

bool applies(const GpuPoint& point, const GpuForecast& forecast) {
  const GpuForecastRequest& request = forecast.request;
  const std::int64_t image = request.image > 0 ? request.image : usual_image;
  return point.model == request.model && point.precision == request.precision &&
         same_chip(*gpus_named(point.gpu).gpu, *forecast.group.gpu) &&
         point.sequence == forecast.roofline.tokens_per_row &&
         (point.image == 0 || point.image == image) && point.samples_per_second() > 0 &&
         batch_applies(point, request.batch);
}

template <class Condition>
Points kept(const Points& points, Condition condition) {
  Points result;
  std::ranges::copy_if(points, std::back_inserter(result), condition);
  return result;
}

// Training rates before whole runs; then the asked count, if two or more were measured with it.
Points usable_points(const GpuForecast& forecast) {
  Points points;
  if (forecast.request.network || forecast.group.boxes > 1) return points;
  for (const GpuPoint& point : shipped_gpu_points()) {
    if (applies(point, forecast)) points.push_back(&point);
  }
  const Points rates = kept(points, [](const GpuPoint* one) { return !one->whole_run(); });
  if (!rates.empty()) points = rates;
  const Points exact =
      kept(points, [&](const GpuPoint* one) { return one->count == forecast.group.count; });
  if (exact.size() > 1) points = exact;
  std::ranges::stable_sort(points, {}, &GpuPoint::samples_per_second_each);
  return points;
}

std::string distance_words(const GpuForecast& forecast, const Points& points) {
  const GpuPoint& point = *forecast.point;
  const int count = forecast.group.count;
  std::string text = fmt::format("measured on {} GPU{}", point.count, point.count == 1 ? "" : "s");
  if (point.count != count) text += fmt::format(", scaled by GPU to {} in one box", count);
  text += point.batch == 0
              ? ", batch not said"
              : fmt::format(", {} rows a GPU ({} asked)", point.batch, forecast.request.batch);
  if (point.whole_run()) text += ", a whole run with its evaluation";
  if (points.size() > 1) {
    text += fmt::format("; the middle of {} figures, {} to {} samples/s a GPU", points.size(),
                        text_of_count(points.front()->samples_per_second_each()),
                        text_of_count(points.back()->samples_per_second_each()));
  }
  return text;
}

double spread_of(const Points& points, double middle) {
  double most = 0;
  for (const GpuPoint* point : points) {
    most = std::max(most, std::abs(point->samples_per_second_each() / middle - 1));
  }
  return most;
}

void use_published(GpuForecast& forecast, const Points& points) {
  forecast.point = points[points.size() / 2];
  const double each = forecast.point->samples_per_second_each();
  const double spread = spread_of(points, each);
  forecast.samples_per_second = each * forecast.group.count;
  forecast.stack = fmt::format("{} {}", forecast.point->stack, forecast.point->year);
  forecast.distance = distance_words(forecast, points);
  forecast.band = std::max(spread, published_band());
  forecast.band_source = spread > published_band() ? "the spread of the published figures"
                                                   : "as published figures of one thing differ";
}

void use_roofline(GpuForecast& forecast) {
  const auto rows = static_cast<double>(forecast.request.batch) * forecast.group.count;
  forecast.samples_per_second = rows / forecast.roofline.step();
  forecast.stack = "no stack";
  if (forecast.roofline.step() < shortest_step_seconds) {
    forecast.band_source = "rough: so short a step is the host's, which the roofline leaves out";
    return;
  }
  forecast.band = rough_band();
  forecast.band_source = "rough: a roofline, nine of ten published figures are nearer";
}

}  // namespace

double rough_band() { return 0.26; }

double published_band() { return 0.18; }

std::string GpuForecast::words() const {
  return fmt::format("{}, {} precision, {}", group.words(), name_of(request.precision), stack);
}

GpuForecast gpu_forecast(const GpuForecastRequest& request) {
  GpuForecast forecast{.request = request, .group = gpus_named(request.gpus)};
  const Workload workload =
      request.network ? Workload{request.model, *request.network} : workload_named(request.model);
  forecast.roofline = gpu_roofline({.workload = workload,
                                    .batch = request.batch,
                                    .sequence = request.sequence,
                                    .image = request.image,
                                    .precision = request.precision},
                                   forecast.group);
  const Points points = usable_points(forecast);
  if (points.empty()) {
    use_roofline(forecast);
  } else {
    use_published(forecast, points);
  }
  const auto rows = static_cast<double>(request.batch) * forecast.group.count;
  forecast.step = picoseconds_from_seconds(rows / forecast.samples_per_second);
  forecast.tokens_per_second =
      forecast.samples_per_second * static_cast<double>(forecast.roofline.tokens_per_row);
  return forecast;
}

}  // namespace tpulab
