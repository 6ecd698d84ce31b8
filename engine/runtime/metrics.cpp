#include "engine/runtime/metrics.h"

#include <algorithm>

#include "engine/base/error.h"

namespace tpulab {

namespace {

constexpr double picoseconds_per_nanosecond = 1000;

}  // namespace

void Metrics::time(std::string_view name, Picoseconds duration, Picoseconds stamp) {
  const double nanoseconds = static_cast<double>(duration.count()) / picoseconds_per_nanosecond;
  add(name, MetricUnit::time, nanoseconds, stamp);
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
    MetricData& copied = data.metrics.emplace_back(series.data);
    std::ranges::rotate(copied.window,
                        copied.window.begin() + static_cast<std::ptrdiff_t>(series.oldest));
  }
  data.counters.assign(counters_.begin(), counters_.end());
  return data;
}

void Metrics::clear() {
  const std::lock_guard lock(mutex_);
  series_.clear();
  counters_.clear();
}

void Metrics::add(std::string_view name, MetricUnit unit, double value, Picoseconds stamp) {
  const std::lock_guard lock(mutex_);
  auto found = series_.find(name);
  if (found == series_.end()) {
    found = series_.emplace(name, Series{}).first;
    found->second.data.name = std::string(name);
    found->second.data.unit = unit;
  }
  auto& [data, oldest] = found->second;
  expects(data.unit == unit, "a metric keeps its unit");
  ++data.total_samples;
  data.accumulator += value;
  if (data.window.size() < window_samples) {
    data.window.push_back({stamp, value});
  } else {
    data.window[oldest] = {stamp, value};
    oldest = (oldest + 1) % window_samples;
  }
}

}  // namespace tpulab
