#include "engine/runtime/counters.h"

#include <algorithm>
#include <array>

namespace tpulab {

namespace {

struct OldName {
  std::string_view now;
  std::string_view before;
};
// Renamed in 2.3; the counters of compiles once after 1.5.
constexpr std::array<OldName, 5> old_names{{
    {"TransferFromDeviceTime", "TransferFromServerTime"},
    {"TransferToDeviceTime", "TransferToServerTime"},
    {"TransferToDeviceTransformTime", "TransferToServerTransformTime"},
    {"UncachedCompile", "UncachedSyncTensors"},
    {"CachedCompile", "CachedSyncTensors"},
}};

std::string_view older(std::string_view name) {
  const auto row = std::ranges::find(old_names, name, &OldName::now);
  return row == old_names.end() ? std::string_view{} : row->before;
}

constexpr double seconds_per_nanosecond = 1e-9;

}  // namespace

Series series_of(const MetricData& data) {
  const double unit = data.unit == MetricUnit::time ? seconds_per_nanosecond : 1;
  Series series{.name = data.name,
                .unit = data.unit,
                .samples = data.total_samples,
                .total = data.accumulator * unit};
  if (data.window.empty()) return series;
  std::vector<double> sorted;
  double sum = 0;
  for (const MetricSample& sample : data.window) {
    sorted.push_back(sample.value * unit);
    sum += sorted.back();
  }
  std::ranges::sort(sorted);
  series.median = sorted[sorted.size() / 2];
  series.longest = sorted.back();
  const double span = in_seconds(data.window.back().stamp - data.window.front().stamp);
  if (span <= 0) return series;
  series.samples_per_second = static_cast<double>(sorted.size()) / span;
  series.total_per_second = sum / span;
  return series;
}

const Series* Counters::find(std::string_view name) const {
  auto found = std::ranges::find(series, name, &Series::name);
  if (found == series.end()) found = std::ranges::find(series, older(name), &Series::name);
  return found == series.end() ? nullptr : &*found;
}

std::int64_t Counters::samples(std::string_view name) const {
  const Series* found = find(name);
  return found == nullptr ? 0 : found->samples;
}

double Counters::total(std::string_view name) const {
  const Series* found = find(name);
  return found == nullptr ? 0 : found->total;
}

bool Counters::has(std::string_view counter) const {
  return std::ranges::any_of(
      counts, [&](const auto& one) { return one.first == counter || one.first == older(counter); });
}

std::int64_t Counters::count(std::string_view counter) const {
  for (const auto& [name, value] : counts) {
    if (name == counter || name == older(counter)) return value;
  }
  return 0;
}

Counters counters_of(const MetricsData& data) {
  Counters counters;
  for (const MetricData& metric : data.metrics) counters.series.push_back(series_of(metric));
  counters.counts = data.counters;
  return counters;
}

}  // namespace tpulab
