#include "engine/runtime/metrics.h"

#include <algorithm>

#include "engine/base/error.h"

namespace tpulab {

namespace {

constexpr double picoseconds_per_nanosecond = 1000;

double in_nanoseconds(Picoseconds duration) {
  return static_cast<double>(duration.count()) / picoseconds_per_nanosecond;
}

}  // namespace

void Metrics::time(std::string_view name, Picoseconds duration, Picoseconds stamp) {
  add(name, MetricUnit::time, in_nanoseconds(duration), stamp);
}

void Metrics::time_each(std::string_view name, Picoseconds duration, Picoseconds start,
                        std::int64_t times) {
  if (times <= 0) return;
  const std::lock_guard lock(mutex_);
  Series& series = series_of(name, MetricUnit::time);
  const double nanoseconds = in_nanoseconds(duration);
  series.data.total_samples += times;
  series.data.accumulator += nanoseconds * static_cast<double>(times);
  keep(series, {start, duration, times, nanoseconds});
}

void Metrics::bytes(std::string_view name, Bytes amount, Picoseconds stamp) {
  add(name, MetricUnit::bytes, static_cast<double>(amount.value), stamp);
}

void Metrics::value(std::string_view name, double amount, Picoseconds stamp) {
  add(name, MetricUnit::value, amount, stamp);
}

void Metrics::count(std::string_view name, std::int64_t times) {
  const std::lock_guard lock(mutex_);
  const auto found = counters_.find(name);
  if (found != counters_.end()) {
    found->second += times;
  } else {
    counters_.emplace(name, times);
  }
}

std::int64_t Metrics::counter(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  const auto found = counters_.find(name);
  return found == counters_.end() ? 0 : found->second;
}

MetricsData Metrics::copy() const {
  const std::lock_guard lock(mutex_);
  MetricsData data;
  data.metrics.reserve(series_.size());
  for (const auto& [name, series] : series_) {
    data.metrics.emplace_back(series.data).window = window_of(series);
  }
  data.counters.assign(counters_.begin(), counters_.end());
  return data;
}

void Metrics::add(std::string_view name, MetricUnit unit, double value, Picoseconds stamp) {
  const std::lock_guard lock(mutex_);
  Series& series = series_of(name, unit);
  ++series.data.total_samples;
  series.data.accumulator += value;
  keep(series, {stamp, {}, 1, value});
}

Metrics::Series& Metrics::series_of(std::string_view name, MetricUnit unit) {
  auto found = series_.find(name);
  if (found == series_.end()) {
    found = series_.emplace(name, Series{}).first;
    found->second.data.name = std::string(name);
    found->second.data.unit = unit;
  }
  expects(found->second.data.unit == unit, "a metric keeps its unit");
  return found->second;
}

void Metrics::keep(Series& series, Run run) {
  series.kept += run.times;
  series.runs.push_back(run);
  while (series.kept - series.runs.front().times >= static_cast<std::int64_t>(window_samples)) {
    series.kept -= series.runs.front().times;
    series.runs.pop_front();
  }
}

std::vector<MetricSample> Metrics::window_of(const Series& series) {
  std::vector<MetricSample> window;
  std::int64_t before =
      std::max<std::int64_t>(series.kept - static_cast<std::int64_t>(window_samples), 0);
  window.reserve(static_cast<std::size_t>(series.kept - before));
  for (const Run& run : series.runs) {
    for (std::int64_t i = before + 1; i <= run.times; ++i) {
      window.push_back({run.start + run.each * i, run.value});
    }
    before = 0;
  }
  return window;
}

}  // namespace tpulab
