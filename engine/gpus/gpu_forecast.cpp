#include "engine/gpus/gpu_forecast.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "engine/base/text.h"
#include "engine/evidence/statistics.h"

namespace tpulab {

namespace {

using Points = std::vector<const GpuPoint*>;

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

// The batch nearest to what is asked of which the figure says something.
std::int64_t nearest_batch(const GpuPoint& point, std::int64_t asked) {
  if (batch_applies(point, asked)) return asked;
  if (point.batch == 0) return least_unsaid_batch;
  const std::int64_t least = (point.batch + least_part_of_its_batch - 1) / least_part_of_its_batch;
  return std::clamp(asked, least, most_times_its_batch * point.batch);
}

bool is_of_network(const GpuPoint& point, const GpuForecast& forecast) {
  const GpuForecastRequest& request = forecast.request;
  if (request.network || point.model != request.model) return false;
  const std::int64_t own = workload_named(request.model).network.row.row.at(0);
  return point.precision == request.precision &&
         point.sequence == forecast.roofline.tokens_per_row &&
         (point.image == 0 || point.image == (request.image > 0 ? request.image : own)) &&
         point.samples_per_second() > 0;
}

bool applies(const GpuPoint& point, const GpuForecast& forecast) {
  return is_of_network(point, forecast) &&
         same_chip(*gpus_named(point.gpu).gpu, *forecast.group.gpu) &&
         batch_applies(point, forecast.request.batch);
}

template <class Condition>
Points kept(const Points& points, Condition condition) {
  Points result;
  std::ranges::copy_if(points, std::back_inserter(result), condition);
  return result;
}

double median_of(const Points& points) {
  std::vector<double> rates;
  for (const GpuPoint* point : points) rates.push_back(point->samples_per_second_each());
  return quantile(std::move(rates), 0.5);
}

// Of the count that is asked for; a single one that differs from what several others agree on says
// less about it than they do.
bool speak_for_themselves(const Points& exact, const Points& all) {
  constexpr std::size_t several = 4;
  if (exact.size() != 1 || all.size() < several) return !exact.empty();
  return std::abs(exact.front()->samples_per_second_each() / median_of(all) - 1) <=
         published_band();
}

// Training rates before whole runs; then those of the count that is asked for.
Points usable_points(const GpuForecast& forecast) {
  Points points;
  if (forecast.group.boxes > 1) return points;
  for (const GpuPoint& point : shipped_gpu_points()) {
    if (applies(point, forecast)) points.push_back(&point);
  }
  const Points rates = kept(points, [](const GpuPoint* one) { return !one->whole_run(); });
  if (!rates.empty()) points = rates;
  const Points exact =
      kept(points, [&](const GpuPoint* one) { return one->count == forecast.group.count; });
  if (speak_for_themselves(exact, points)) points = exact;
  std::ranges::stable_sort(points, {}, &GpuPoint::samples_per_second_each);
  return points;
}

std::string distance_words(const GpuForecast& forecast, const Points& points) {
  const GpuPoint& point = *forecast.point;
  const std::size_t half = points.size() / 2;
  const int count = forecast.group.count;
  std::string text = fmt::format("measured on {} GPU{}", point.count, point.count == 1 ? "" : "s");
  if (point.count != count) text += fmt::format(", scaled by GPU to {} in one box", count);
  text += point.batch == 0
              ? ", batch not said"
              : fmt::format(", {} rows a GPU ({} asked)", point.batch, forecast.request.batch);
  if (point.whole_run()) text += ", a whole run with its evaluation";
  if (points.size() > 1) {
    const std::string middle = points.size() % 2 == 0 ? fmt::format(", the mean of {} and {}",
                                                                    points[half - 1]->id, point.id)
                                                      : std::string();
    text += fmt::format("; the median of {} figures{}, {} to {} samples/s a GPU", points.size(),
                        middle, text_of_count(points.front()->samples_per_second_each()),
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
  const double each = median_of(points);
  const double spread = spread_of(points, each);
  forecast.samples_per_second = each * forecast.group.count;
  forecast.stack = fmt::format("{} {}", forecast.point->stack, forecast.point->year);
  forecast.distance = distance_words(forecast, points);
  forecast.band = std::max(spread, published_band());
  forecast.band_source = spread > published_band() ? "the spread of the published figures"
                                                   : "as published figures of one thing differ";
}

double rate_of_roofline(const GpuForecast& forecast) {
  const auto rows = static_cast<double>(forecast.request.batch) * forecast.group.count;
  return rows / forecast.roofline.step();
}

void use_roofline(GpuForecast& forecast) {
  forecast.samples_per_second = rate_of_roofline(forecast);
  forecast.stack = "no stack";
  if (forecast.roofline.step() < shortest_step_seconds) {
    forecast.band_source = "rough: so short a step is the host's, which the roofline leaves out";
    return;
  }
  forecast.band = rough_band();
  forecast.band_source = "rough: a roofline, nine of ten published figures are nearer";
}

// The published figure, else the roofline as it is.
GpuForecast found(const GpuForecastRequest& request, const Workload& workload) {
  GpuForecast forecast{.request = request, .group = gpus_named(request.gpus)};
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
  return forecast;
}

// 0: the same chip and memory, 1: another memory; above that chips, by the speed of their memory.
double away_from(const Gpu& asked, const Gpu& other) {
  if (same_chip(asked, other)) return 0;
  if (asked.chip == other.chip) return 1;
  return 2 + std::abs(std::log(other.memory_bytes_per_second / asked.memory_bytes_per_second));
}

// What comes nearest to `asked` that is published: the chip counts before its memory, both before
// the batch.
std::optional<GpuForecastRequest> nearest_published(const GpuForecast& asked) {
  std::optional<GpuForecastRequest> nearest;
  std::pair<double, double> least;
  for (const GpuPoint& point : shipped_gpu_points()) {
    const Gpu& gpu = *gpus_named(point.gpu).gpu;
    if (!is_of_network(point, asked)) continue;
    const double other = away_from(*asked.group.gpu, gpu);
    const std::int64_t batch = nearest_batch(point, asked.request.batch);
    const std::pair away{other, std::abs(std::log(static_cast<double>(batch) /
                                                  static_cast<double>(asked.request.batch)))};
    if (nearest && away >= least) continue;
    least = away;
    nearest = asked.request;
    nearest->batch = batch;
    const std::string_view name = other > 0 ? gpu.name : asked.group.gpu->name;
    const int count = std::min(asked.group.count, gpus_per_box);
    nearest->gpus = count == 1 ? std::string(name) : fmt::format("{}x{}", name, count);
  }
  return nearest;
}

// So that neighbours of a published row stand to it as their rooflines do.
void scale_to_published(GpuForecast& forecast, const Workload& workload) {
  const auto request = nearest_published(forecast);
  if (!request) return;
  const GpuForecast there = found(*request, workload);
  if (!there.published()) return;
  forecast.near = there.point;
  forecast.scale = there.samples_per_second / rate_of_roofline(there);
  forecast.samples_per_second *= forecast.scale;
  forecast.distance = fmt::format("times {:.2f}, as {} is to it on {} with {} rows a GPU",
                                  forecast.scale, there.point->id, request->gpus, request->batch);
}

}  // namespace

double rough_band() { return 0.26; }

double published_band() { return 0.14; }

std::string GpuForecast::words() const {
  return fmt::format("{}, {} precision, {}", group.words(), name_of(request.precision), stack);
}

GpuForecast gpu_forecast(const GpuForecastRequest& request) {
  const Workload workload =
      request.network ? Workload{request.model, *request.network} : workload_named(request.model);
  GpuForecast forecast = found(request, workload);
  if (!forecast.published()) scale_to_published(forecast, workload);
  const auto rows = static_cast<double>(request.batch) * forecast.group.count;
  forecast.step = picoseconds_from_seconds(rows / forecast.samples_per_second);
  forecast.tokens_per_second =
      forecast.samples_per_second * static_cast<double>(forecast.roofline.tokens_per_row);
  return forecast;
}

}  // namespace tpulab
