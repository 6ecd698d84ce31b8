// Values as PyTorch/XLA's metrics reports print them.
#pragma once

#include <optional>
#include <string_view>

#include "engine/runtime/metrics.h"

namespace tpulab {

// The original rounds each part of a time to nearest but goes on with what is behind the floor:
// 1.632778 ms is printed as 002ms632.778us. Ours are printed as they are.
enum class TimeParts : std::uint8_t { rounded, exact };

struct ReportQuantity {
  MetricUnit unit = MetricUnit::value;
  double value = 0;  // seconds, bytes or a plain number; NaN for "nanB"
  // A rounded part would not be as it stands: a first part of 1 before a rest of a half or more.
  bool only_exact = false;
};

// "45s226ms933.445us", "001ms32.778us", "468.00MB", "nanB", "787.00"; none for other words.
std::optional<ReportQuantity> read_quantity(std::string_view text, TimeParts parts);

}  // namespace tpulab
