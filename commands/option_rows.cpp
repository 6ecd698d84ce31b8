#include "commands/option_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "commands/answer.h"
#include "commands/ask.h"
#include "commands/computed.h"
#include "commands/estimate_words.h"
#include "commands/table.h"
#include "commands/what_fits.h"
#include "engine/base/error.h"
#include "engine/session/settings/gpu_settings.h"

namespace tpulab {

namespace {

// Of the rows that are computed together: short enough to look for Ctrl-C between them.
constexpr std::chrono::milliseconds short_block{50};
constexpr std::chrono::milliseconds long_block{200};
constexpr std::size_t most_in_block = 4096;

// Which other settings would fit is told of one alone.
bool is_too_large(const Settings& settings) {
  return !on_gpus(settings) && is_named(settings) && !fits_hbm(settings);
}

EstimateOrNot estimate_of(const std::vector<Axis>& axes, const Combination& option, bool alone,
                          const std::stop_token& stop) {
  if (!option.refusal.empty()) return NoEstimate{option.refusal};
  try {
    if (!alone && is_too_large(option.settings)) {
      return NoEstimate{what_is_needed(option.settings)};
    }
    return estimate(option.settings, stop);
  } catch (const DoesNotFit& refusal) {
    return NoEstimate{refusal_of_line(refusal, "forecast", assignments_of(axes, option))};
  } catch (const Error& error) {
    return NoEstimate{error.what()};
  }
}

void check_going_on(const std::stop_token& stop) {
  if (stop.stop_requested()) throw Error("the sweep was cancelled");
}

// An axis holds what was asked for: mesh fsdp=16; the estimate all that it came to.
std::string name_beside(const std::vector<Axis>& axes, const std::string& name) {
  const bool is_axis = std::ranges::find(axes, name, &Axis::name) != axes.end();
  return is_axis ? std::string(found_prefix) + name : name;
}

// What was streamed so far.
struct Streamed {
  std::int64_t rows = 0;
  std::int64_t failures = 0;
  std::string first_failure{};

  void count(const Estimated& row) {
    ++rows;
    if (row.estimate() != nullptr) return;
    if (failures++ == 0) {
      first_failure = fmt::format("{}: {}", fmt::join(row.option.values, " "), row.failure());
    }
  }
};

}  // namespace

Points points_of(std::size_t count, const Shard& shard) {
  const auto shards = static_cast<std::size_t>(shard.of);
  const auto before = static_cast<std::size_t>(shard.number) - 1;
  const auto begin_of = [&](std::size_t number) {
    return count / shards * number + std::min(count % shards, number);
  };
  return {begin_of(before), begin_of(before + 1)};
}

std::vector<Estimated> estimate_points(const Settings& base, const std::vector<Axis>& axes,
                                       Points points, WorkerPool& workers,
                                       const std::stop_token& stop) {
  std::vector<Estimated> rows(points.end - points.first);
  const bool alone =
      std::ranges::all_of(axes, [](const Axis& axis) { return axis.values.size() == 1; });
  workers.run(std::ssize(rows), [&](std::int64_t number) {
    check_going_on(stop);
    const auto at = static_cast<std::size_t>(number);
    Combination option = combination(base, axes, points.first + at);
    EstimateOrNot outcome = estimate_of(axes, option, alone, stop);
    rows[at] = {std::move(option), std::move(outcome)};
  });
  check_going_on(stop);
  return rows;
}

std::string csv_heads(const std::vector<Axis>& axes) {
  std::vector<std::string> heads;
  heads.reserve(axes.size());
  for (const Axis& axis : axes) heads.push_back(axis.name);
  for (const EventField& field : fields_of(Settings(), EstimateOrNot())) {
    heads.push_back(name_beside(axes, field.name));
  }
  return csv_line(heads);
}

std::string csv_row(const Estimated& row) {
  std::vector<std::string> cells = row.option.values;
  for (const EventField& field : fields_of(row.option.settings, row.outcome)) {
    cells.push_back(value_text(field));
  }
  return csv_line(cells);
}

OutputLine row_of(const std::vector<Axis>& axes, const Estimated& row, const std::string& event) {
  OutputLine line;
  line.event = event;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    line.fields.push_back({axes[axis].name, value_of(row.option.values[axis])});
  }
  for (EventField& field : fields_of(row.option.settings, row.outcome)) {
    field.name = name_beside(axes, field.name);
    line.fields.push_back(std::move(field));
  }
  return line;
}

Reply stream_options(const Settings& base, const std::vector<Axis>& axes, const RowOptions& options,
                     const std::string& event, CommandContext& context) {
  using Clock = std::chrono::steady_clock;
  WorkerPool workers(static_cast<int>(base.workers));
  const Points points = points_of(count_of(axes), options.shard.value_or(Shard()));
  Streamed streamed;
  if (options.heads) context.print_row(csv_heads(axes), {});
  auto block = static_cast<std::size_t>(workers.workers());
  for (std::size_t next = points.first; next < points.end;) {
    const Points some{next, std::min(points.end, next + block)};
    const Clock::time_point begin = Clock::now();
    const auto block_rows = [&](const std::stop_token& stop) {
      return estimate_points(base, axes, some, workers, stop);
    };
    for (const Estimated& row : computed(context, block_rows)) {
      streamed.count(row);
      context.print_row(csv_row(row), row_of(axes, row, event));
    }
    if (context.while_waiting) context.while_waiting();
    const auto took = Clock::now() - begin;
    if (took < short_block) block = std::min(2 * block, most_in_block);
    if (took > long_block) block = std::max<std::size_t>(block / 2, 1);
    next = some.end;
  }
  if (!options.shard && streamed.failures == streamed.rows) {
    throw Impossible(fmt::format("none of {} combinations can be; the first: {}", streamed.rows,
                                 streamed.first_failure));
  }
  Reply reply;
  reply.fields = {{"rows", streamed.rows}, {"failures", streamed.failures}};
  return reply;
}

}  // namespace tpulab
