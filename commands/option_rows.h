// Estimates of many combinations of settings, and the row of each as CSV and as fields.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "commands/command.h"
#include "commands/grid.h"
#include "engine/base/workers.h"
#include "engine/session/answers/estimate.h"

namespace tpulab {

struct Estimated {
  Combination option{};
  EstimateOrNot outcome{};  // the settings may be refused, or not fit

  // Null where there is no estimate.
  const Estimate* estimate() const { return std::get_if<Estimate>(&outcome); }
  const std::string& failure() const { return std::get<NoEstimate>(outcome).reason; }
};

// Shard 2 of 16 has the second sixteenth of the combinations, so that shards stand in order.
struct Shard {
  std::int64_t number = 1;
  std::int64_t of = 1;
};
struct Points {
  std::size_t first = 0;
  std::size_t end = 0;  // behind the last
};
struct RowOptions {
  std::optional<Shard> shard{};  // all combinations without one
  bool heads = true;
};

Points points_of(std::size_t count, const Shard& shard);

// The combinations of these numbers, each what it would be alone. Throws Error when `stop` is
// asked for.
std::vector<Estimated> estimate_points(const Settings& base, const std::vector<Axis>& axes,
                                       Points points, WorkerPool& workers,
                                       const std::stop_token& stop);

// What stands before the name of a field that is named like an axis.
inline constexpr std::string_view found_prefix = "estimated_";

// Raw numbers with units in their names; a field named like an axis is called estimated_NAME.
std::string csv_heads(const std::vector<Axis>& axes);
std::string csv_row(const Estimated& row);
OutputLine row_of(const std::vector<Axis>& axes, const Estimated& row, const std::string& event);

// Prints the rows of a script as they are computed, whatever their number in the same memory; the
// reply counts them. Throws Impossible if none can be; a shard may have no other.
Reply stream_options(const Settings& base, const std::vector<Axis>& axes, const RowOptions& options,
                     const std::string& event, CommandContext& context);

}  // namespace tpulab
