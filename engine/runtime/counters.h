// Counters and timers by PyTorch/XLA's names as a report tells them: of a run here, or read from a
// report of a real TPU.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/runtime/metrics.h"

namespace tpulab {

struct Series {
  std::string name;
  MetricUnit unit = MetricUnit::time;
  std::int64_t samples = 0;
  double total = 0;    // of all samples: seconds, bytes or a plain number
  double median = 0;   // of the newest 1,024
  double longest = 0;  // among them, as far as it is told
  // Over the time in which those were taken; none where a single one was.
  std::optional<double> samples_per_second{};
  std::optional<double> total_per_second{};
};

struct Counters {
  std::vector<Series> series;
  std::vector<std::pair<std::string, std::int64_t>> counts;

  // By today's name, found under an older one too. Null if it is not there.
  const Series* find(std::string_view name) const;
  std::int64_t samples(std::string_view name) const;  // 0 if it is not there
  double total(std::string_view name) const;          // 0 if it is not there
  bool has(std::string_view counter) const;
  std::int64_t count(std::string_view counter) const;  // 0 if it is not there
};

Series series_of(const MetricData& data);
Counters counters_of(const MetricsData& data);

}  // namespace tpulab
