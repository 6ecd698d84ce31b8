#include "engine/session/answers/run_evidence.h"

#include "engine/session/run/cold_run.h"

namespace tpulab {

namespace {

void move(LaneTimeline& lane, Picoseconds by) {
  lane.begin += by;
  lane.end += by;
  for (std::vector<Piece>* const pieces : {&lane.host, &lane.device}) {
    for (Piece& piece : *pieces) {
      piece.start += by;
      piece.end += by;
    }
  }
}

void move_step(StepTimeline& step, Picoseconds by) {
  move(step, by);
  for (LaneTimeline& lane : step.others) move(lane, by);
  for (TimedEvent& timed : step.events) {
    timed.start += by;
    timed.end += by;
    timed.began += by;
    timed.finished += by;
  }
}

}  // namespace

std::vector<StepTimeline> timeline_of(const RunEvidence& run, Detail detail) {
  Timeline kept = simulate(run.records, run.machine, detail);
  const Picoseconds before = run.curves.tpu_time - kept.total;
  for (StepTimeline& step : kept.steps) move_step(step, before);
  return std::move(kept.steps);
}

std::int64_t found_programs(const RunEvidence& run) {
  const Persistence kept = persistence_named(run.settings.cache_persistent);
  return cold_records(run.records, run.machine, kept).found;
}

std::int64_t first_step_of(const RunEvidence& run, const std::vector<StepTimeline>& timeline) {
  if (timeline.empty() || timeline.front().kind == StepKind::setup) return 0;
  // A run of times alone begins without one.
  const bool whole = timeline.front().begin <= Picoseconds{};
  return whole ? 0 : run.records.front().step + 1;
}

}  // namespace tpulab
