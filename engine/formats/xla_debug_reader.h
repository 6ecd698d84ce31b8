// Reads the lines of PT_XLA_DEBUG out of a log: the profiler's of 1.12 to today, and the analyses
// of compiles and executions since 2.2.
#pragma once

#include <string>
#include <string_view>

#include "engine/formats/report_reader.h"

namespace tpulab {

// Whether a text has such lines.
bool is_xla_debug(std::string_view text);
// What they tell, as counters: compiles, executions, syncs, downloads and un-lowered operations,
// but no times. Throws Error with name and line for a count that none can be.
MetricsReport read_xla_debug(std::string_view text, const std::string& name);

}  // namespace tpulab
