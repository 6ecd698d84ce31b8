// What the engine's thread owns and does: it takes requests up, trains and publishes.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "engine/base/error.h"
#include "engine/base/workers.h"
#include "engine/compiler/cache.h"
#include "engine/formats/metrics_report.h"
#include "engine/formats/report_release.h"
#include "engine/session/answers/metric_rows.h"
#include "engine/session/answers/newest_program.h"
#include "engine/session/answers/newest_run.h"
#include "engine/session/engine.h"
#include "engine/session/inbox.h"
#include "engine/session/latest.h"
#include "engine/session/run/checkpoint_file.h"
#include "engine/session/run/checkpoint_writer.h"
#include "engine/session/run/ended_runs.h"
#include "engine/session/run/output_log.h"
#include "engine/session/run/pace.h"
#include "engine/session/run/run.h"
#include "engine/session/settings/memory_check.h"

namespace tpulab {

inline std::shared_ptr<Snapshot> empty_snapshot() {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->losses = std::make_shared<const std::vector<LossPoint>>();
  return snapshot;
}

// Everything the engine thread owns. Members above `thread` outlive it.
struct Engine::Thread {
  Thread(std::filesystem::path file, Peers* others) : peers(others), history(std::move(file)) {}

  Peers* peers;
  RunHistory history;
  Inbox<Request> inbox;
  Latest<Snapshot> latest{empty_snapshot()};
  OutputLog log;
  CheckpointWriter checkpoints{log};
  // Those of the newest run: it is one process. Others read them, so the mutex guards the pointer.
  std::shared_ptr<Metrics> metrics = std::make_shared<Metrics>();
  ProgramCache cache;
  std::optional<WorkerPool> workers;
  std::int64_t workers_wanted = -1;
  std::unique_ptr<Run> run;
  EndedRuns ended;
  std::int64_t runs = 0;
  std::int64_t steps_left = -1;  // of a `step N`; -1: no limit
  std::uint64_t sequence = 0;
  std::uint64_t taken = 0;
  std::chrono::steady_clock::time_point published{};

  mutable std::mutex mutex;
  std::condition_variable idle_changed;
  std::uint64_t done = 0;  // requests taken up entirely
  bool idle = true;        // nothing is training
  std::function<void()> wake;
  NewestProgram newest;
  NewestRun evidence;

  std::atomic<int> untold = 0;  // answers that lie in the inbox

  std::jthread thread;
  Aside aside;  // posts to the inbox

  void loop(const std::stop_token& stop);
  bool training() const { return run && run->state() == RunState::training; }
  bool going() const { return training() || (run && run->state() == RunState::paused); }
  void handle(Request& request);
  void start(const StartRun& wanted);
  void step(const StepRun& request);
  void change(const ChangeSettings& request);
  void reset();
  void turn(const std::stop_token& stop);
  void tell(const std::exception& error);
  void advance(const std::stop_token& stop);
  void finish(RunState state);
  void end_with_clock();
  void publish();
  void publish_if_due();
  void note_idle();
  void note_end();
  void leave();
  void take_metrics(std::shared_ptr<Metrics> counters);
  std::shared_ptr<const Metrics> metrics_now() const;
  WorkerPool& pool_of(const Settings& settings);
};

}  // namespace tpulab
