// The whole of a run in TPU time, for the screen to look at closely. Steps that went alike share
// one description, so that 100,000 of them are a few thousand stretches. Immutable and shared:
// whoever draws cuts a window out of it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/time_span.h"
#include "engine/session/snapshot.h"

namespace tpulab {

enum class TimelineRow : std::uint8_t { host, input, devices, collectives };

struct TimelineLane {
  TimelineRow row{};
  std::string label;  // "host", "cores 0-7", "core 5"
  bool used = false;  // some step did something there
};

// What a lane did, by name. Times are from the step's begin, as all of a StepShape.
struct TimelineEvent {
  std::size_t lane = 0;
  Picoseconds start{};
  Picoseconds end{};
  Share share{};
  std::string name;  // "compile train step", "dot+add+maximum"
  std::string why;   // a compile's cause, what bounds a kernel; may be empty
  bool kernel = false;
};

// How a step went, whenever it did. The host runs ahead and the loader further: what they do for a
// step may lie before its begin.
struct StepShape {
  std::string kind;  // "train"
  Picoseconds duration{};
  std::vector<std::vector<StripPiece>> lanes;  // as RunTimeline::lanes; gaps are idle
  // What the end of the step waited for at each moment, without gaps: the device that the others
  // wait for, and where it had no program, what its host did.
  std::vector<StripPiece> path;
  std::vector<TimelineEvent> events;  // by lane and time; kernels where all devices do the same
  // Of the lanes, then of the path: for who sees many steps in one cell.
  std::vector<std::array<Picoseconds, share_count>> sums;
};

struct TimelineStretch {
  Picoseconds begin{};
  std::int64_t first_step = 0;
  std::int64_t count = 0;  // each of the shape's duration, one after the other
  std::shared_ptr<const StepShape> shape;

  Picoseconds end() const { return begin + shape->duration * count; }
};

// What all steps of a kind took and waited for, also those that are gone.
struct KindTotal {
  std::string kind;
  std::int64_t steps = 0;
  std::array<Picoseconds, share_count> waited{};  // they add up to the steps' time
};

struct RunTimeline {
  using Block = std::vector<TimelineStretch>;  // never empty
  std::vector<TimelineLane> lanes;
  std::size_t path_lane = 0;  // that of the devices which the others wait for
  std::vector<std::shared_ptr<const Block>> blocks;
  std::vector<KindTotal> totals;   // by their first step
  std::vector<TimeSpan> compiles;  // while the host compiles, ascending
  Picoseconds before{};            // how far a step's work may lie before its begin,
  Picoseconds after{};             // and after its end
  bool whole = true;               // false: its oldest steps are gone

  TimeSpan span() const;
  std::size_t first_lane(TimelineRow row) const;  // each row has one at least
};

// Calls `visit` for each stretch of which anything may lie in the window.
template <class Visit>
void for_stretches(const RunTimeline& timeline, TimeSpan window, const Visit& visit) {
  const Picoseconds from = window.start - timeline.after;
  const Picoseconds to = window.end + timeline.before;
  for (const auto& block : timeline.blocks) {
    if (block->back().end() < from) continue;
    if (block->front().begin > to) break;
    for (const TimelineStretch& stretch : *block) {
      if (stretch.end() >= from && stretch.begin <= to) visit(stretch);
    }
  }
}

}  // namespace tpulab
