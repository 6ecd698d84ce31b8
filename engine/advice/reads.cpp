#include "engine/advice/reads.h"

#include <algorithm>

namespace tpulab {

namespace {

void add_inside(bool of_bar, Picoseconds time, Reads& reads) {
  ++(of_bar ? reads.of_bar : reads.inside);
  (of_bar ? reads.bar_time : reads.inside_time) += time;
}

void add(const StepTimeline& step, Reads& reads) {
  const auto& events = step.events;
  const auto is_dispatch = [](const TimedEvent& timed) {
    return timed.event->kind == EventKind::dispatch;
  };
  const auto last = std::ranges::find_if(events.rbegin(), events.rend(), is_dispatch).base();
  const std::int64_t inside_before = reads.inside;
  std::int64_t after = 0;
  bool of_bar = false;
  for (auto timed = events.begin(); timed != events.end(); ++timed) {
    if (is_dispatch(*timed)) of_bar = timed->event->name == program_of_bar;
    if (timed->event->kind != EventKind::read_back) continue;
    if (timed->event->name == checkpoint_read) continue;
    const Picoseconds time = timed->end - timed->start;
    if (timed < last) {
      add_inside(of_bar, time, reads);
    } else {
      ++after;
      reads.after_time += time;
    }
  }
  if (reads.inside > inside_before) {
    ++reads.steps_inside;
    reads.newest_inside = step.step;
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
