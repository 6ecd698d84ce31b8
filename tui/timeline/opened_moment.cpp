#include "tui/timeline/opened_moment.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "engine/base/text.h"
#include "tui/draw/widgets.h"
#include "tui/kernels/kernel_fields.h"
#include "tui/timeline/event_lines.h"

namespace tpulab {

namespace {

void append(std::vector<std::string>& lines, std::vector<std::string> more) {
  std::ranges::move(more, std::back_inserter(lines));
}

// The longest compile of the steps, as many as the screen still knows.
const CompileEvent* compile_of(const CompileView& compiles, const TimelineFound& found) {
  const CompileEvent* longest = nullptr;
  for (const CompileEvent& event : compiles.events) {
    const bool inside = event.step >= found.step && event.step < found.step + found.steps;
    if (!inside || (found.steps == 1 && !found.name.ends_with(event.graph))) continue;
    if (longest == nullptr || event.time > longest->time) longest = &event;
  }
  return longest;
}

const FallbackRow* fallback_of(const Snapshot& now, const TimelineFound& found) {
  return find_row(now.fallbacks, true,
                  [&found](const FallbackRow& one) { return found.name.ends_with(one.op); });
}

// Of its path, which is the slowest device's: where others wait for it, their step is shorter or
// longer than its own.
Picoseconds time_of_path(const StepShape& shape) {
  return std::reduce(shape.sums.back().begin(), shape.sums.back().end());
}

// "  host tracing  2.53 ms   88 %", what takes most first.
std::vector<std::string> waited_for(const StepShape& shape) {
  const auto& sums = shape.sums.back();
  Shares shares{};
  const double all = std::max(1.0, static_cast<double>(time_of_path(shape).count()));
  for (std::size_t i = 0; i < sums.size(); ++i) {
    shares[i] = static_cast<double>(sums[i].count()) / all;
  }
  std::vector<std::string> lines;
  for (const Share share : largest_first(shares)) {
    lines.push_back(fmt::format("  {:<20}{:>9}{:>8}", name_of(share),
                                text_of(sums[index_of(share)]),
                                text_of_share(shares[index_of(share)])));
  }
  return lines;
}

// What the lane did in the step, one after the other.
std::vector<std::string> events_of(const StepShape& shape, std::size_t lane) {
  constexpr std::size_t most = 24;
  std::vector<std::string> lines;
  std::size_t more = 0;
  for (const TimelineEvent& event : shape.events) {
    if (event.lane != lane) continue;
    if (lines.size() == most) {
      ++more;
    } else {
      lines.push_back(fmt::format("  {:>9}  {}", text_of(event.end - event.start), event.name));
    }
  }
  if (more > 0) lines.push_back(fmt::format("  and {} more", more));
  return lines;
}

// The step's own account; of several steps there is none.
void add_step(std::vector<std::string>& lines, const TimelineFound& found) {
  if (found.shape == nullptr) return;
  lines.emplace_back();
  const Picoseconds path = time_of_path(*found.shape);
  const bool same = path == found.shape->duration;
  lines.push_back(
      fmt::format("Step {} ({}), {} of TPU time (est.){} waited for:", text_with_commas(found.step),
                  found.kind, text_of(found.shape->duration),
                  same ? "," : fmt::format("; the {} of its slowest device", text_of(path))));
  append(lines, waited_for(*found.shape));
}

void add_host_work(std::vector<std::string>& lines, const RunTimeline& timeline,
                   const TimelineCursor& reason) {
  if (reason.found.shape == nullptr || reason.lane >= timeline.lanes.size()) return;
  std::vector<std::string> did = events_of(*reason.found.shape, reason.lane);
  if (did.empty()) return;
  lines.emplace_back();
  lines.push_back(
      fmt::format("What the {} did for this step:", timeline_label(timeline, reason.lane)));
  append(lines, std::move(did));
}

// The newest training step alone is priced.
void add_kernel(Opened& opened, const TimelineFound& found) {
  if (found.kind == "train") {
    opened.command = explanation_of(found.name);
  } else {
    opened.lines.emplace_back();
    opened.lines.emplace_back(
        "`explain` prices the kernels of the training step; this one is none");
  }
}

void add_program(Opened& opened, const TimelineFound& found) {
  const bool collective = found.share == Share::collective_transfer;
  if (found.kernel) return add_kernel(opened, found);
  if (collective && found.kind == "train") {
    opened.command = "explain all-reduce";
    return;
  }
  opened.lines.emplace_back();
  opened.lines.emplace_back(
      "+ shows single kernels where all devices do the same, o all of a step");
}

// What to ask next.
std::string_view next_of(Share share) {
  switch (share) {
    case Share::host_tracing:
    case Share::dispatch:
      return "`help batch` says why small batches are slow, `advise` what helps here";
    case Share::input:
      return "rows are made ready while the step before runs, if that is longer; `advise` says "
             "more";
    case Share::transfer:
      return "`help slow` says when transfers count, `advise` what helps here";
    default:
      return "";
  }
}

void add_reason(Opened& opened, const Snapshot& now, const TimelineCursor& reason) {
  const TimelineFound& found = reason.found;
  if (inside_program(found.share)) return add_program(opened, found);
  opened.lines.emplace_back();
  if (found.share == Share::compile) {
    const CompileEvent* event = compile_of(now.compiles, found);
    if (event != nullptr) return append(opened.lines, compile_lines(now, *event));
  }
  if (found.share == Share::cpu_fallback || found.share == Share::read_back) {
    const FallbackRow* row = fallback_of(now, found);
    if (row != nullptr) return append(opened.lines, fallback_lines(*row));
  }
  opened.lines.pop_back();
  add_host_work(opened.lines, *now.timeline, reason);
  if (next_of(found.share).empty()) return;
  opened.lines.emplace_back();
  opened.lines.emplace_back(next_of(found.share));
}

}  // namespace

Opened opened_moment(const Snapshot& now, const TimeAxis& axis, const TimelineCursor& cursor) {
  const RunTimeline& timeline = *now.timeline;
  const TimelineCursor reason = timeline_reason(timeline, axis, cursor);
  Opened opened{cursor.found.name,
                {timeline_what(timeline, cursor), timeline_why(timeline, axis, cursor)}};
  if (reason.lane != cursor.lane) {
    opened.lines.push_back(timeline_what(timeline, reason));
    opened.lines.push_back(timeline_why(timeline, axis, reason));
  }
  add_reason(opened, now, reason);
  add_step(opened.lines, reason.found);
  return opened;
}

}  // namespace tpulab
