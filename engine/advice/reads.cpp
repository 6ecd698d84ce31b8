#include "engine/advice/reads.h"

#include <algorithm>

namespace tpulab {

namespace {

void add(const StepTimeline& step, Reads& reads) {
  const auto& events = step.events;
  const auto is_dispatch = [](const TimedEvent& timed) {
    return timed.event->kind == EventKind::dispatch;
  };
  const auto last = std::ranges::find_if(events.rbegin(), events.rend(), is_dispatch).base();
  std::int64_t after = 0;
  for (auto timed = events.begin(); timed != events.end(); ++timed) {
    if (timed->event->kind != EventKind::read_back) continue;
    if (timed->event->name == checkpoint_read) continue;
    const Picoseconds time = timed->end - timed->start;
    if (timed < last) {
      ++reads.inside;
      reads.inside_time += time;
      reads.newest_inside = step.step;
    } else {
      ++after;
      reads.after_time += time;
    }
  }
  reads.after += after;
  reads.least_after = reads.steps == 0 ? after : std::min(reads.least_after, after);
  ++reads.steps;
}

}  // namespace

Reads reads_of(const RecordedRun& run) {
  Reads reads;
  for (const StepTimeline* step : run.steady) add(*step, reads);
  return reads;
}

}  // namespace tpulab
