// Reads metrics reports of PyTorch/XLA, 2019 to today, and our own.
#pragma once

#include <string>
#include <string_view>

#include "engine/runtime/counters.h"

namespace tpulab {

struct MetricsReport {
  Counters counters;             // of the last report in the text
  std::int64_t reports = 0;      // in the text: one a step in a metrics file
  std::string step;              // of the last one, where its head tells: "640"
  std::int64_t other_lines = 0;  // of a log around the reports
  bool cut_off = false;          // the text ends in the middle of a line
  bool at_least = false;         // there may be more syncs than the text tells of
  bool corrected = false;        // parts of times were rounded, as the original prints them
};

// `name` is that of the file. Throws Error with name, line and what was expected, for text without
// a report and for a value that none can be.
MetricsReport read_metrics_report(std::string_view text, const std::string& name);

}  // namespace tpulab
