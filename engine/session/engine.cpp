#include "engine/session/engine.h"

#include <algorithm>
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

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto between_snapshots = std::chrono::milliseconds(33);
constexpr std::size_t shown_lines = 256;
constexpr auto full_inbox_pause = std::chrono::milliseconds(5);

std::shared_ptr<Snapshot> empty_snapshot() {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->losses = std::make_shared<const std::vector<LossPoint>>();
  return snapshot;
}

template <class... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};
template <class... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

}  // namespace

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
  Clock::time_point published{};

  mutable std::mutex mutex;
  std::condition_variable idle_changed;
  std::uint64_t done = 0;  // requests taken up entirely
  bool idle = true;        // nothing is training
  std::function<void()> wake;
  NewestProgram newest;
  NewestRun evidence;

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
  void let_go(const std::exception& error);
  void advance(const std::stop_token& stop);
  void finish(RunState state);
  void publish();
  void publish_if_due();
  void note_idle();
  void note_end();
  void leave();
  void take_metrics(std::shared_ptr<Metrics> counters);
  std::shared_ptr<const Metrics> metrics_now() const;
  WorkerPool& pool_of(const Settings& settings);
};

void Engine::Thread::loop(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    try {
      turn(stop);
    } catch (const std::exception& error) {
      let_go(error);
    }
  }
  leave();
}

void Engine::Thread::turn(const std::stop_token& stop) {
  if (!training()) {
    note_idle();
    inbox.wait(stop);
  }
  while (std::optional<Request> request = inbox.take()) {
    ++taken;
    handle(*request);
    publish();
  }
  if (training()) advance(stop);
}

// Of a run that cannot be told about: the session goes on without it.
void Engine::Thread::let_go(const std::exception& error) {
  log.add(OutputLine::Kind::error, error.what(), "failure", {{"message", error.what()}});
  run.reset();
  publish();
}

// What the end of the program stops is kept as what somebody stopped.
void Engine::Thread::leave() {
  if (going()) {
    run->set_state(RunState::stopped);
    note_end();
  }
  history.keep_waiting();
}

void Engine::Thread::handle(Request& request) {
  try {
    std::visit(Overloaded{
                   [this](const StartRun& start_run) {
                     start(start_run);
                     run->expect(start_run.prediction);
                     run->repeats(start_run.again);
                   },
                   [this](const StopRun&) {
                     if (going()) finish(RunState::stopped);
                   },
                   [this](const PauseRun&) {
                     if (training()) run->set_state(RunState::paused);
                   },
                   [this](const ResumeRun&) {
                     steps_left = -1;
                     if (run && run->state() == RunState::paused)
                       run->set_state(RunState::training);
                   },
                   [this](const StepRun& step_run) { step(step_run); },
                   [this](const ChangeSettings& changed) { change(changed); },
                   [this](const Reset&) { reset(); },
                   [this](const SaveCheckpoint& save) { checkpoints.take(save, run.get()); },
                   [this](const Tell& tell) {
                     for (const OutputLine& line : tell.lines) {
                       log.add(line.kind, line.text, line.event, line.fields);
                     }
                   },
               },
               request);
  } catch (const std::exception& error) {
    const bool impossible = dynamic_cast<const Impossible*>(&error) != nullptr;
    log.add(OutputLine::Kind::error, error.what(), impossible ? "impossible" : "failure",
            {{"message", error.what()}});
  }
}

WorkerPool& Engine::Thread::pool_of(const Settings& settings) {
  if (!workers || workers_wanted != settings.workers) {
    workers.reset();
    // A step that others compute too is not left in its middle.
    const auto stop = peers == nullptr ? thread.get_stop_token() : std::stop_token();
    workers.emplace(static_cast<int>(settings.workers), stop, peers);
    workers_wanted = settings.workers;
  }
  return *workers;
}

void Engine::Thread::start(const StartRun& wanted) {
  const Settings& settings = wanted.settings;
  // What cannot begin takes no run away.
  or_impossible([&] {
    check_can_begin(settings);
    if (is_named(settings)) check_memory(settings);
    check_can_share(settings, peers);
    if (wanted.from) check_can_resume(settings, *wanted.from);
    return true;
  });
  if (going()) finish(RunState::stopped);
  auto counters = std::make_shared<Metrics>();
  // Until the new run is there, the ended one stays in sight: what is refused takes nothing away.
  run = or_impossible([&] {
    return std::make_unique<Run>(runs + 1, settings, cache, pool_of(settings), *counters, log,
                                 wanted.from.get());
  });
  take_metrics(std::move(counters));
  ended.make_room();
  steps_left = -1;
  ++runs;
}

void Engine::Thread::take_metrics(std::shared_ptr<Metrics> counters) {
  const std::lock_guard lock(mutex);
  metrics = std::move(counters);
}

std::shared_ptr<const Metrics> Engine::Thread::metrics_now() const {
  const std::lock_guard lock(mutex);
  return metrics;
}

void Engine::Thread::step(const StepRun& request) {
  if (!going()) start({request.settings});
  steps_left = request.steps;
  run->set_state(RunState::training);
}

void Engine::Thread::change(const ChangeSettings& request) {
  if (!going() || request.effect == Effect::new_run) return;
  run->change(request.settings, request.names);
}

void Engine::Thread::reset() {
  if (going()) finish(RunState::stopped);
  run.reset();
  cache.clear();
  take_metrics(std::make_shared<Metrics>());
  log.add(OutputLine::Kind::text, "reset: no run, empty counters, empty program cache", "reset",
          {});
}

void Engine::Thread::advance(const std::stop_token& stop) {
  // A limit may have been lowered to what is trained already.
  if (run->done()) return finish(RunState::finished);
  const Clock::time_point begin = Clock::now();
  const Picoseconds tpu_begin = run->tpu_time();
  const std::int64_t step_begin = run->step();
  try {
    run->advance();
    if (run->step() > step_begin) checkpoints.after_step(*run);
  } catch (const Cancelled&) {
    return finish(RunState::stopped);  // the engine ends, without the unfinished step
  } catch (const std::exception& error) {
    run->add_wall_time(Clock::now() - begin);
    run->fail(error);
    note_end();
    publish();
    return;
  }
  const std::chrono::duration<double> took = Clock::now() - begin;
  run->add_wall_time(took);
  if (run->done()) return finish(RunState::finished);
  // An evaluation between two steps is none of them; the one that ends the run belongs to its last.
  const bool stepped = run->step() > step_begin;
  if (stepped && steps_left > 0 && --steps_left == 0 && !run->steps().last_step_done()) {
    run->set_state(RunState::paused);
    publish();
    return;
  }
  publish_if_due();
  const auto pause = pause_after_step(run->settings().pace, run->tpu_time() - tpu_begin, took);
  if (pause.count() > 0) {
    run->add_pause(pause);
    publish();
    inbox.wait_for(stop, pause);
  }
}

void Engine::Thread::finish(RunState state) {
  run->set_state(state);
  try {
    run->summarise();
  } catch (const std::exception& error) {
    log.add(OutputLine::Kind::error, error.what(), "failure", {{"message", error.what()}});
  }
  note_end();
  publish();
}

void Engine::Thread::note_end() {
  checkpoints.wait();
  RunRecord record = run->record();
  if (record.view.step > 0 || record.view.state == RunState::failed) {
    run->say_repeated(record);
    for (OutputLine& line : history.keep(record, run->settings())) log.add(std::move(line));
  }
  ended.add(*run, std::move(record));
}

void Engine::Thread::publish_if_due() {
  if (Clock::now() - published >= between_snapshots) publish();
}

void Engine::Thread::publish() {
  auto snapshot = empty_snapshot();
  snapshot->sequence = ++sequence;
  if (run) {
    snapshot->run = run->view();
    snapshot->cores = run->cores();
    snapshot->strip = run->strip();
    snapshot->timeline = run->timeline();
    snapshot->compiles = run->meter().compiles();
    snapshot->fallbacks = run->meter().fallbacks();
    snapshot->losses = std::make_shared<const std::vector<LossPoint>>(run->meter().losses());
    newest.note(runs, *run);
    evidence.note(runs, *run, metrics);
  } else {
    evidence.forget();
  }
  snapshot->ended = ended.newest();
  snapshot->output = log.newest(shown_lines);
  latest.publish(std::move(snapshot));
  published = Clock::now();
  std::function<void()> call;
  {
    const std::lock_guard lock(mutex);
    idle = !training();
    call = wake;
  }
  if (call) call();
}

void Engine::Thread::note_idle() {
  {
    const std::lock_guard lock(mutex);
    idle = true;
    done = taken;
  }
  idle_changed.notify_all();
}

Engine::Engine(std::filesystem::path runs_file, Peers* peers)
    : thread_(std::make_unique<Thread>(std::move(runs_file), peers)) {
  Thread& own = *thread_;
  own.thread = std::jthread([&own](const std::stop_token& stop) { own.loop(stop); });
}

Engine::~Engine() = default;

bool Engine::post(Request request) { return thread_->inbox.post(std::move(request)); }

std::shared_ptr<const Snapshot> Engine::latest() const { return thread_->latest.read(); }

void Engine::on_publish(std::function<void()> wake) {
  const std::lock_guard lock(thread_->mutex);
  thread_->wake = std::move(wake);
}

void Engine::wait() {
  while (!wait_for(std::chrono::milliseconds(1000))) continue;
}

bool Engine::wait_for(std::chrono::milliseconds limit) {
  const std::uint64_t wanted = thread_->inbox.posted();
  std::unique_lock lock(thread_->mutex);
  return thread_->idle_changed.wait_for(lock, limit,
                                        [&] { return thread_->idle && thread_->done >= wanted; });
}

std::string Engine::metrics_report(std::string_view version) const {
  const MetricsData data = thread_->metrics_now()->copy();
  return version.empty() ? tpulab::metrics_report(data) : report_of_release(data, version);
}

std::vector<OutputLine> Engine::metric_rows(std::string_view version) const {
  const MetricsData data = thread_->metrics_now()->copy();
  if (version.empty()) return tpulab::metric_rows(data);
  std::vector<OutputLine> rows;
  for (const MetricsData& group : data_of_release(data, version)) {
    std::ranges::move(tpulab::metric_rows(group), std::back_inserter(rows));
  }
  return rows;
}

std::vector<RunRecord> Engine::ended_runs() const { return thread_->ended.records(); }

RunHistory& Engine::history() const { return thread_->history; }

std::optional<PricedProgram> Engine::newest_program() const { return thread_->newest.priced(); }

std::int64_t Engine::newest_programs() const { return thread_->newest.count(); }

std::optional<RunEvidence> Engine::newest_evidence() const { return thread_->evidence.copy(); }

bool Engine::ask_aside(Question question) {
  Inbox<Request>& inbox = thread_->inbox;
  const auto tell = [&inbox](const std::vector<OutputLine>& lines) {
    while (!inbox.post(Tell{lines})) std::this_thread::sleep_for(full_inbox_pause);
  };
  return thread_->aside.ask(std::move(question), tell);
}

bool Engine::cancel_aside() { return thread_->aside.cancel(); }

bool Engine::answering() const { return thread_->aside.busy(); }

std::vector<OutputLine> Engine::output_since(std::int64_t id) const {
  return thread_->log.since(id);
}

}  // namespace tpulab
