// The metrics report as rows: a metric or a counter each, by name.
#pragma once

#include <vector>

#include "engine/runtime/metrics.h"
#include "engine/session/snapshot.h"

namespace tpulab {

// Rows "metric" with unit, samples, total and the median of the newest 1,024 samples; rows
// "counter" with a value. Times are seconds of TPU time.
std::vector<OutputLine> metric_rows(const MetricsData& data);

}  // namespace tpulab
