// The door of the engine. Owns the engine thread; everything below runs on it.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/session/answers/advise.h"
#include "engine/session/answers/aside.h"
#include "engine/session/answers/priced_program.h"
#include "engine/session/request.h"
#include "engine/session/run/run_record.h"
#include "engine/session/run_history.h"
#include "engine/session/snapshot.h"

namespace tpulab {

class Peers;

class Engine {
 public:
  // Runs that end are kept in `runs_file` (run_history.h); nowhere if it is empty. `peers` compute
  // parts of their cores, and follow() this engine; null: it computes all of them.
  explicit Engine(std::filesystem::path runs_file = {}, Peers* peers = nullptr);
  ~Engine();  // stops a run, in the middle of a step if need be, and keeps it
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Never blocks. False if the engine has 64 requests waiting.
  bool post(Request request);
  // Never blocks for longer than a pointer copy. Never null.
  std::shared_ptr<const Snapshot> latest() const;
  // Called on the engine thread after each publication; must not block. Used to wake the screen.
  void on_publish(std::function<void()> wake);
  // Blocks until every posted request is taken up and no run is training.
  void wait();
  // As wait(), but gives up after `limit`; true if idle.
  bool wait_for(std::chrono::milliseconds limit);
  // PyTorch/XLA's metrics report as text, `version` as that release prints it (report_release.h),
  // which throws Error for one that is not known. Blocks for a copy of the counters.
  std::string metrics_report(std::string_view version = {}) const;
  // The same by name, one row a metric or counter.
  std::vector<OutputLine> metric_rows(std::string_view version = {}) const;
  // Output lines with an id above `id`, oldest first; the newest 4,096 are kept. Blocks for a copy.
  std::vector<OutputLine> output_since(std::int64_t id) const;

  // Runs that have ended (finished, stopped or failed), oldest first, at most 64. Blocks for a
  // copy.
  std::vector<RunRecord> ended_runs() const;
  // Those of earlier sessions and of other programs too.
  RunHistory& history() const;
  // The newest training step of the newest run that has all its rows, priced; empty before one.
  // Blocks for the pricing.
  std::optional<PricedProgram> newest_program() const;
  std::int64_t newest_programs() const;  // how many there have been: another one is the next
  // What the newest run recorded, for advice; empty before one. Blocks for a copy.
  std::optional<RunEvidence> newest_evidence() const;

  // Answers a question beside the run, on a thread of its own; the answer becomes output lines.
  // False if one is being answered.
  bool ask_aside(Question question);
  bool cancel_aside();         // false if nothing is being answered
  bool answering() const;      // until the answer is among the output
  bool answer_failed() const;  // the last one

 private:
  struct Thread;
  std::unique_ptr<Thread> thread_;
};

}  // namespace tpulab
