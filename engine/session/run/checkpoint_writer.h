// Writes runs to files beside the training, one after the other.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

#include "engine/session/run/output_log.h"
#include "engine/session/run/run.h"
#include "engine/session/run/save_checkpoint.h"

namespace tpulab {

class CheckpointWriter {
 public:
  explicit CheckpointWriter(OutputLog& log) : log_(log) {}

  // The newest run, or from now on each run, as often as its settings save or, where they do not,
  // as `wanted` says. Throws Error; what cannot be written is a line in the log. Nothing is waited
  // for while a run goes on.
  void take(const SaveCheckpoint& wanted, const Run* newest);
  // An optimizer step is over; what it evaluates may follow.
  void note_step(const Run& run);
  // Behind that, or where nothing follows for now. Blocks while the file before is being written.
  void write_due(const Run& run);
  // Until what is being written is there.
  void wait();
  // Writes what is due, and says how many could not be written.
  void end_run(const Run& run);
  // Somebody has asked for something: what cannot be written is said once more.
  void tell_anew() { told_ = false; }

 private:
  bool is_due(const Run& run) const;
  void write(const SaveCheckpoint& wanted, const Run& run);

  OutputLog& log_;
  SaveCheckpoint kept_;             // of each run: `every` is 0 if none is
  std::int64_t due_behind_ = 0;     // this step, not written yet; 0: none
  std::int64_t told_of_ = 0;        // the run that has nothing to keep
  std::atomic<bool> told_ = false;  // that files cannot be written
  // Of the thread that writes:
  std::string failure_;
  std::int64_t lost_ = 0;
  std::jthread writing_;
};

}  // namespace tpulab
