#include "engine/session/answers/metric_rows.h"

#include "engine/runtime/counters.h"

namespace tpulab {

namespace {

std::string unit_text(MetricUnit unit) {
  switch (unit) {
    case MetricUnit::time:
      return "seconds";
    case MetricUnit::bytes:
      return "bytes";
    case MetricUnit::value:
      break;
  }
  return "value";
}

void add_row(std::vector<OutputLine>& rows, const char* event, std::vector<EventField> fields) {
  OutputLine& row = rows.emplace_back();
  row.event = event;
  row.fields = std::move(fields);
}

}  // namespace

std::vector<OutputLine> metric_rows(const MetricsData& data) {
  std::vector<OutputLine> rows;
  for (const MetricData& metric : data.metrics) {
    const bool hidden = metric.name == server_execution && !data.of_server;
    if (metric.window.empty() || hidden) continue;
    const Series series = series_of(metric);
    add_row(rows, "metric",
            {{"name", metric.name},
             {"unit", unit_text(metric.unit)},
             {"samples", series.samples},
             {"total", series.total},
             {"median", series.median}});
  }
  for (const auto& [name, count] : data.counters) {
    if (count > 0) add_row(rows, "counter", {{"name", name}, {"value", count}});
  }
  return rows;
}

}  // namespace tpulab
