// Counters and timers with PyTorch/XLA's names, kept on the emulated host's clock (TPU time).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/units.h"

namespace tpulab {

enum class MetricUnit : std::uint8_t { time, bytes, value };

struct MetricSample {
  Picoseconds stamp{};  // end of the section, on the emulated host's clock
  double value = 0;     // nanoseconds, bytes or a plain number
};

struct MetricData {
  std::string name;
  MetricUnit unit = MetricUnit::time;
  std::int64_t total_samples = 0;
  double accumulator = 0;            // of all samples
  std::vector<MetricSample> window;  // the newest 1,024, oldest first
};

// Of programs on a device, without their queue: the server of 1.13 counts it, no later release.
inline constexpr std::string_view server_execution = "XrtExecute";

// A copy at one moment; both lists in PyTorch/XLA's order (bytewise, upper case first).
struct MetricsData {
  std::vector<MetricData> metrics;
  std::vector<std::pair<std::string, std::int64_t>> counters;
  bool of_server = false;  // printed as the server's section of 1.13
};

// Thread-safe: the engine thread writes, others copy.
class Metrics {
 public:
  static constexpr std::size_t window_samples = 1024;  // XLA_METRICS_SAMPLES

  void time(std::string_view name, Picoseconds duration, Picoseconds stamp);
  // `times` of them, one behind the other from `start`.
  void time_each(std::string_view name, Picoseconds duration, Picoseconds start,
                 std::int64_t times);
  void bytes(std::string_view name, Bytes amount, Picoseconds stamp);
  void value(std::string_view name, double amount, Picoseconds stamp);
  void count(std::string_view name, std::int64_t times = 1);
  std::int64_t counter(std::string_view name) const;  // 0 if there is none
  MetricsData copy() const;

 private:
  // Samples of one value, one behind the other: a step traces thousands of operations.
  struct Run {
    Picoseconds start{};
    Picoseconds each{};
    std::int64_t times = 0;
    double value = 0;
  };
  // MetricData whose window is there as runs, of which the oldest may begin before it.
  struct Series {
    MetricData data;
    std::deque<Run> runs{};
    std::int64_t kept = 0;  // samples in `runs`
  };
  void add(std::string_view name, MetricUnit unit, double value, Picoseconds stamp);
  Series& series_of(std::string_view name, MetricUnit unit);
  static void keep(Series& series, Run run);
  static std::vector<MetricSample> window_of(const Series& series);

  mutable std::mutex mutex_;
  std::map<std::string, Series, std::less<>> series_;
  std::map<std::string, std::int64_t, std::less<>> counters_;
};

}  // namespace tpulab
