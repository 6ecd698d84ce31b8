#include "engine/formats/metrics_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace tpulab {

namespace {

constexpr std::array<std::size_t, 9> percentiles{1, 5, 10, 20, 50, 80, 90, 95, 99};
constexpr std::array<std::size_t, 6> server_percentiles{25, 50, 80, 90, 95, 99};

struct TimePart {
  std::string_view suffix;
  std::int64_t nanoseconds;
  int digits;
};
// Below them come microseconds with three decimals, always.
constexpr std::array<TimePart, 5> time_parts{{
    {"d", 86'400'000'000'000, 2},
    {"h", 3'600'000'000'000, 2},
    {"m", 60'000'000'000, 2},
    {"s", 1'000'000'000, 2},
    {"ms", 1'000'000, 3},
}};

// As the original prints it: each part rounded to nearest, while the rest goes on behind its floor.
std::string rounded_time_text(double nanoseconds) {
  std::string text;
  for (const TimePart& part : time_parts) {
    const auto length = static_cast<double>(part.nanoseconds);
    const double count = nanoseconds / length;
    if (count < 1 && text.empty()) continue;
    text += fmt::format("{:0{}.0f}{}", count, part.digits, part.suffix);
    nanoseconds -= std::floor(count) * length;
  }
  return text + fmt::format("{:07.3f}us", nanoseconds / 1000);
}

// The first part that is not zero, and all below it.
std::string time_text(double nanoseconds) {
  std::int64_t rest = std::llround(nanoseconds);
  std::string text;
  for (const TimePart& part : time_parts) {
    const std::int64_t count = rest / part.nanoseconds;
    rest %= part.nanoseconds;
    if (count > 0 || !text.empty()) {
      text += fmt::format("{:0{}}{}", count, part.digits, part.suffix);
    }
  }
  return text + fmt::format("{:03}.{:03}us", rest / 1000, rest % 1000);
}

std::string bytes_text(double bytes) {
  static constexpr std::array units{"B", "KB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < units.size()) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{:.2f}{}", bytes, units[unit]);
}

std::string value_text(TimeParts parts, MetricUnit unit, double value) {
  const bool rounded = unit == MetricUnit::time && parts == TimeParts::rounded;
  return rounded ? rounded_time_text(value) : metric_text(unit, value);
}

void append_rates(std::string& text, const MetricData& metric, TimeParts parts) {
  const double seconds = in_seconds(metric.window.back().stamp - metric.window.front().stamp);
  if (seconds <= 0) return;
  double sum = 0;
  for (const MetricSample& sample : metric.window) sum += sample.value;
  text += fmt::format("  ValueRate: {} / second\n", value_text(parts, metric.unit, sum / seconds));
  text +=
      fmt::format("  Rate: {:g} / second\n", static_cast<double>(metric.window.size()) / seconds);
}

// The value at index floor(p * n) of the sorted window: nothing is interpolated.
void append_percentiles(std::string& text, const MetricData& metric, TimeParts parts,
                        std::span<const std::size_t> percentiles) {
  std::vector<double> sorted;
  for (const MetricSample& sample : metric.window) sorted.push_back(sample.value);
  std::ranges::sort(sorted);
  text += "  Percentiles: ";
  for (const std::size_t percent : percentiles) {
    if (percent != percentiles.front()) text += "; ";
    const double value = sorted[percent * sorted.size() / 100];
    text += fmt::format("{}%={}", percent, value_text(parts, metric.unit, value));
  }
  text += '\n';
}

double mean_of(const MetricData& metric) {
  double sum = 0;
  for (const MetricSample& sample : metric.window) sum += sample.value;
  return sum / static_cast<double>(metric.window.size());
}

// In the place of what comes in a second: over the samples of the window.
void append_spread(std::string& text, const MetricData& metric, TimeParts parts) {
  const double mean = mean_of(metric);
  double squares = 0;
  for (const MetricSample& sample : metric.window) squares += std::pow(sample.value - mean, 2);
  const double deviation = std::sqrt(squares / static_cast<double>(metric.window.size()));
  text += fmt::format("  Mean: {}\n  StdDev: {}\n", value_text(parts, metric.unit, mean),
                      value_text(parts, metric.unit, deviation));
  const double seconds = in_seconds(metric.window.back().stamp - metric.window.front().stamp);
  if (seconds <= 0) return;
  text +=
      fmt::format("  Rate: {:g} / second\n", static_cast<double>(metric.window.size()) / seconds);
}

}  // namespace

std::string metric_text(MetricUnit unit, double value) {
  switch (unit) {
    case MetricUnit::time:
      return time_text(value);
    case MetricUnit::bytes:
      return bytes_text(value);
    case MetricUnit::value:
      break;
  }
  return fmt::format("{:.2f}", value);
}

std::string metrics_report(const MetricsData& data, TimeParts parts) {
  std::string text;
  for (const MetricData& metric : data.metrics) {
    if (metric.window.empty() || (metric.name == server_execution && !data.of_server)) continue;
    text += fmt::format("Metric: {}\n  TotalSamples: {}\n  Accumulator: {}\n", metric.name,
                        metric.total_samples, value_text(parts, metric.unit, metric.accumulator));
    if (data.of_server) {
      append_spread(text, metric, parts);
      append_percentiles(text, metric, parts, server_percentiles);
    } else {
      append_rates(text, metric, parts);
      append_percentiles(text, metric, parts, percentiles);
    }
  }
  for (const auto& [name, count] : data.counters) {
    if (count > 0) text += fmt::format("Counter: {}\n  Value: {}\n", name, count);
  }
  if (!text.empty() && parts == TimeParts::exact) text += fmt::format("{}\n", exact_times);
  return text;
}

}  // namespace tpulab
