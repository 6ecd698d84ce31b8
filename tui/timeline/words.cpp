#include "tui/timeline/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/text.h"

namespace tpulab {

namespace {

std::string_view why_of(Share share) {
  switch (share) {
    case Share::compile:
      return "the host compiles a program; nothing runs on the devices meanwhile";
    case Share::host_tracing:
      return "the host builds the step's graph and hands it over: a larger batch makes steps fewer";
    case Share::dispatch:
      return "the host's loop hands the compiled step over: a larger batch makes steps fewer";
    case Share::input:
      return "rows of the next batch are made ready";
    case Share::transfer:
      return "bytes cross the link between host and devices";
    case Share::read_back:
      return "the host takes a value from the devices and traces nothing meanwhile";
    case Share::cpu_fallback:
      return "an op that is not lowered runs on the host; the devices wait";
    case Share::idle:
      return "nothing to do here";
    case Share::compute:
      return "matrix and vector units bind";
    case Share::hbm_bound:
      return "the memory's bandwidth binds";
    case Share::collective_transfer:
      return "all devices send their parts to each other";
    case Share::collective_wait:
      return "waits for a slower device";
    case Share::offload:
      return "waits for activations on their way to the host or back";
  }
  return "";
}

}  // namespace

std::vector<std::size_t> timeline_lanes(const RunTimeline& timeline) {
  std::vector<std::size_t> lanes;
  for (std::size_t lane = 0; lane < timeline.lanes.size(); ++lane) {
    if (timeline.lanes[lane].used) lanes.push_back(lane);
  }
  lanes.push_back(timeline.lanes.size());
  return lanes;
}

std::string_view timeline_label(const RunTimeline& timeline, std::size_t lane) {
  return lane < timeline.lanes.size() ? std::string_view(timeline.lanes[lane].label)
                                      : std::string_view("waited for");
}

std::int64_t timeline_step_at(const RunTimeline& timeline, Picoseconds time) {
  std::int64_t step = 0;
  for_stretches(timeline, {time, time}, [&](const TimelineStretch& stretch) {
    if (stretch.begin > time) return;
    const auto gone = (time - stretch.begin) / std::max(stretch.shape->duration, Picoseconds{1});
    step = stretch.first_step + std::min<std::int64_t>(gone, stretch.count - 1);
  });
  return step;
}

TimeAxis timeline_axis(const RunTimeline& timeline, const TimeView& view, int columns) {
  return axis_for(view, timeline.span(), columns, timeline.compiles);
}

TimelineCursor timeline_cursor(const RunTimeline& timeline, const TimeAxis& axis,
                               const TimeView& view, int chosen_lane) {
  const std::vector<std::size_t> lanes = timeline_lanes(timeline);
  const auto chosen = static_cast<std::size_t>(std::max(0, chosen_lane));
  TimelineCursor cursor;
  cursor.lane = lanes[std::min(chosen, lanes.size() - 1)];
  const double column = axis.column_of(cursor_of(view, timeline.span()));
  cursor.column = std::clamp(static_cast<int>(column + 1e-6), 0, axis.columns() - 1);
  cursor.found = found_at(timeline, cursor.lane, axis.cell(cursor.column));
  return cursor;
}

// "cores 0-7, step 112 (train): dot+add+maximum, 5.73 us from 1.204 s"
std::string timeline_what(const RunTimeline& timeline, const TimelineCursor& cursor) {
  const TimelineFound& found = cursor.found;
  const std::string_view label = timeline_label(timeline, cursor.lane);
  if (found.steps > 1) {
    return fmt::format("{}, {} steps from {} ({}): {} {} of {}", label,
                       text_with_commas(found.steps), text_with_commas(found.step), found.kind,
                       found.name, text_of_share(found.part), text_of(found.time.length()));
  }
  return fmt::format("{}, step {}{}: {}, {}", label, text_with_commas(found.step),
                     found.kind.empty() ? "" : fmt::format(" ({})", found.kind), found.name,
                     text_of(found.time.length()));
}

TimelineCursor timeline_reason(const RunTimeline& timeline, const TimeAxis& axis,
                               const TimelineCursor& cursor) {
  const std::size_t path = timeline.lanes.size();
  const Share share = cursor.found.share;
  const bool waits = share == Share::idle || share == Share::collective_wait;
  if (cursor.lane != path && !waits) return cursor;
  const TimeSpan moment = axis.cell(cursor.column);
  TimelineCursor reason{path, cursor.column, found_at(timeline, path, moment)};
  const auto lane = lane_of_path(timeline, reason.found.share);
  if (!lane) return reason;
  TimelineFound busy = found_at(timeline, *lane, moment);
  if (busy.share == Share::idle) return reason;
  return {*lane, cursor.column, std::move(busy)};
}

// Where a lane idles it is because of what the run waits for then.
std::string timeline_why(const RunTimeline& timeline, const TimeAxis& axis,
                         const TimelineCursor& cursor) {
  const TimelineFound& found = cursor.found;
  if (!found.why.empty()) return found.why;
  if (found.share == Share::collective_wait) {
    return fmt::format("waits for {}", timeline_label(timeline, timeline.path_lane));
  }
  if (found.share != Share::idle || cursor.lane == timeline.lanes.size()) {
    return std::string(why_of(found.share));
  }
  const TimelineCursor reason = timeline_reason(timeline, axis, cursor);
  const auto lane = lane_of_path(timeline, reason.found.share);
  if (!lane) return std::string(why_of(Share::idle));
  return fmt::format(
      "idle: the run waits for {}: {}",
      timeline_label(timeline, reason.lane == timeline.lanes.size() ? *lane : reason.lane),
      reason.found.name);
}

}  // namespace tpulab
