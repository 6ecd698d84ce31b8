#include "engine/runtime/evaluation_wait.h"

#include <algorithm>
#include <utility>

namespace tpulab {

namespace {

std::vector<Picoseconds> ahead_of_last(const StepTimeline& step) {
  Picoseconds last = step.begin;
  for (const LaneTimeline& lane : step.others) last = std::max(last, lane.begin);
  std::vector<Picoseconds> ahead{last - step.begin};
  for (const LaneTimeline& lane : step.others) ahead.push_back(last - lane.begin);
  return ahead;
}

}  // namespace

std::vector<Picoseconds> EvaluationWait::of(const StepTimeline& step) {
  if (step.others.empty()) return {};
  if (step.kind != StepKind::train) {
    if (ahead_.empty()) ahead_ = ahead_of_last(step);
    return {};
  }
  const std::vector<Picoseconds> before = std::exchange(ahead_, {});
  if (before.empty()) return {};
  std::vector<Picoseconds> waits = ahead_of_last(step);
  for (std::size_t group = 0; group < waits.size(); ++group) {
    const Picoseconds waited = step.lane(group).shares[index_of(Share::collective_wait)];
    waits[group] = std::clamp(waits[group] - before[group], Picoseconds{}, waited);
  }
  return waits;
}

}  // namespace tpulab
