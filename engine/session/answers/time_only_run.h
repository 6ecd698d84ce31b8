// A run as it would be, traced and simulated but not computed: what every estimate replays.
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <stop_token>

#include "engine/base/workers.h"
#include "engine/compiler/cache.h"
#include "engine/runtime/counters.h"
#include "engine/session/run/meter.h"
#include "engine/session/run/replay.h"
#include "engine/session/run/stepper.h"

namespace tpulab {

// From a cold start to its limit, in TPU time.
struct WholeRun {
  std::int64_t steps = 0;
  std::int64_t epochs = 0;  // 0 where the data has no length
  Picoseconds time{};
  Evaluations evaluations{};      // of that
  double samples_per_second = 0;  // everything included
};

class TimeOnlyRun {
 public:
  // Whether each step that is told is there in the records and counters, or only enough to time it.
  enum class Keeps : std::uint8_t { times, steps };

  // Throws Error as a run with these settings does.
  explicit TimeOnlyRun(const Settings& settings, Keeps keeps = Keeps::times);

  // To its limit; a run without one until its steps are settled. Throws Error when `stop` is asked
  // for.
  void run(const std::stop_token& stop);
  const Stepper& steps() const { return steps_; }
  Counters counters() const { return counters_of(metrics_.copy()); }
  // Of the run; of steps after it where none of its own was steady.
  const Meter& meter() const { return meter_; }
  // No step of the run was steady: told are those that would follow it.
  bool settled_behind() const { return settled_; }
  // None of a run without end, or of more than 100 days.
  const std::optional<WholeRun>& whole() const { return whole_; }
  // Compiles of the whole run, of its first steps where it has no end.
  const CompileView& compiles() const { return compiles_; }
  // Of the newest with a whole batch the one nearest to the mean; its events are there, which the
  // meter does not keep.
  const StepTimeline& steady_step() const;
  std::shared_ptr<const Program> program() const;  // of that step
  // Enough of them to simulate steady steps again.
  ToldRecords told_records() const;

 private:
  // Where a period begins.
  struct Mark {
    std::int64_t step = 0;
    double seconds = 0;  // of the run
    double loaders = 0;  // at work until then, in the background
    std::int64_t compiles = 0;
    std::vector<Picoseconds> clocks;
    Meter::Totals totals;
  };
  // The newest period, and how long it took.
  struct Alike {
    Mark mark;
    double newest = 0;
  };

  void walk(const std::stop_token& stop);
  void settle(const std::stop_token& stop);
  void take(StepReport report);
  void repeat(const std::vector<Picoseconds>& clocks_before);
  bool begins_period(std::int64_t steps) const;
  std::int64_t alike_left() const;
  std::int64_t alike_ahead(std::int64_t most);
  void leave_out(std::int64_t periods, std::int64_t steps, Alike& alike);

  Settings settings_;
  Keeps keeps_;
  ProgramCache cache_;
  Metrics metrics_;
  WorkerPool workers_{1};
  Stepper steps_;
  Meter meter_;
  std::optional<WholeRun> whole_;
  CompileView compiles_;
  std::deque<StepTimeline> steady_;  // the newest of a whole batch
  Picoseconds loaders_{};
  bool settled_ = false;
  Alike steps_alike_;
  std::int64_t alike_until_ = 0;  // a step; see alike_ahead()
  Alike epochs_alike_;
  double seconds_left_out_ = 0;
  double loaders_left_out_ = 0;
};

}  // namespace tpulab
