#include "engine/runtime/last_step.h"

#include <algorithm>

namespace tpulab {

namespace {

Picoseconds end_of(const LaneTimeline& lane) {
  return lane.host.empty() ? lane.end : std::max(lane.end, lane.host.back().end);
}

void wait(LaneTimeline& lane, Share share, Picoseconds until) {
  if (until <= lane.end) return;
  lane.device.push_back({share, lane.end, until});
  lane.shares[index_of(share)] += until - lane.end;
  lane.end = until;
}

void end_at(LaneTimeline& lane, Picoseconds end) {
  for (const Piece& piece : lane.host) {
    wait(lane, Share::idle, piece.start);
    wait(lane, piece.share, piece.end);
  }
  wait(lane, Share::idle, end);
}

}  // namespace

void end_with_hosts(StepTimeline& step) {
  Picoseconds end = end_of(step);
  for (const LaneTimeline& lane : step.others) end = std::max(end, end_of(lane));
  end_at(step, end);
  for (LaneTimeline& lane : step.others) end_at(lane, end);
}

}  // namespace tpulab
