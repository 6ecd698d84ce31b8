// Runs that have ended: their records, and of the newest what a screen sets beside the next one.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/session/run/run_record.h"
#include "engine/session/run/run_timeline.h"

namespace tpulab {

struct EndedRun {
  RunRecord record;
  std::shared_ptr<const RunTimeline> timeline;           // null before a step, and of older runs
  std::shared_ptr<const std::vector<LossPoint>> losses;  // never null
};

class Run;

// Thread-safe. Keeps the records of 64 runs, the losses of 5 (16 kB each), and the timelines of
// the newest two (45 MB each at most).
class EndedRuns {
 public:
  using Newest = std::vector<std::shared_ptr<const EndedRun>>;

  void add(const Run& run, RunRecord record);
  // A run begins: only the newest one's timeline will be asked for.
  void make_room();
  std::vector<RunRecord> records() const;  // oldest first
  Newest newest() const;                   // oldest first

 private:
  void keep_timelines(std::size_t count);

  mutable std::mutex mutex_;
  std::deque<RunRecord> records_;
  Newest newest_;
};

}  // namespace tpulab
