// PyTorch/XLA's metrics report as text: its names, order, units and percentiles, but every part of
// a time is printed as it is, unless the original's are asked for (1.632778 ms as 002ms632.778us).
#pragma once

#include <string>
#include <string_view>

#include "engine/formats/report_quantity.h"
#include "engine/runtime/metrics.h"

namespace tpulab {

// The last line of a report whose times are exact: their parts look like rounded ones.
inline constexpr std::string_view exact_times = "# times are exact: no part of one is rounded up";

// All metrics, then all counters, both by name; what has no sample or count is left out. Rates are
// taken over the window, from the first stamp to the last, and left out where these are equal.
// Every line ends with a newline.
std::string metrics_report(const MetricsData& data, TimeParts parts = TimeParts::exact);

// One value as the report prints it: 001ms632.778us, 468.00MB, 787.00.
std::string metric_text(MetricUnit unit, double value);

}  // namespace tpulab
