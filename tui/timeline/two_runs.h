// The newest run and the one before it on one scale of TPU time, with their differences by phase.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "engine/session/run/ended_runs.h"
#include "tui/timeline/time_axis.h"

namespace tpulab {

// What is compared of a run; all of it lives as long as the snapshot.
struct RunSide {
  const RunView* view = nullptr;
  const RunTimeline* timeline = nullptr;
  const RunRecord* record = nullptr;  // null while it is under way
  Picoseconds compile{};              // of all its compiles
  std::int64_t compiles = 0;
};
using TwoRuns = std::array<RunSide, 2>;  // before, after

// None before a second run with a step; the words say what to do.
std::optional<TwoRuns> two_runs(const Snapshot& now);

// "run 2, warm (9 programs found compiled): batch 128, 12 steps in 40.1 ms, mlp 64-1024-1024-10,
// v3-8": first what is not as in the other one.
std::string side_words(const TwoRuns& runs, std::size_t side);

// One of both is further: it has the view. The other has its scale and begins with the same moment
// of the same step.
struct TwoAxes {
  std::size_t leads = 0;
  std::array<TimeAxis, 2> axes;
};
std::size_t leading_run(const TwoRuns& runs, int columns);
TwoAxes two_axes(const TwoRuns& runs, const TimeView& view, int columns);

// TPU time (estimated): of the whole run but for the steady step and its parts. Start, compiles,
// training and validation add up to the run, but for what the host does behind its last step, and
// where devices went on while the host compiled.
struct PhasePair {
  std::string name;
  std::array<Picoseconds, 2> time;
  bool of_a_step = false;
};
// `parts`: with those of a steady step, which runs have that have ended.
std::vector<PhasePair> phase_pairs(const TwoRuns& runs, bool parts);
// "compile        2.27 s  ->      0 s   -100 %"
std::string phase_words(const PhasePair& pair);

}  // namespace tpulab
