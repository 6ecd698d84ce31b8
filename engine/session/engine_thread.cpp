#include "engine/session/engine_thread.h"

#include <fmt/format.h>

#include <chrono>

namespace tpulab {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto between_snapshots = std::chrono::milliseconds(33);
constexpr std::size_t shown_lines = 256;

template <class... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};
template <class... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

}  // namespace

void Engine::Thread::loop(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    try {
      turn(stop);
    } catch (const std::exception& error) {
      tell(error);  // the session goes on without a run that cannot be told about
      run.reset();
      publish();
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

void Engine::Thread::tell(const std::exception& error) {
  const bool impossible = dynamic_cast<const Impossible*>(&error) != nullptr;
  const std::string words = text_of_failure(error);
  log.add(OutputLine::Kind::error, words, impossible ? "impossible" : "failure",
          {{"message", words}});
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
  checkpoints.tell_anew();
  try {
    std::visit(Overloaded{
                   [this](const StartRun& start_run) {
                     start(start_run);
                     run->expect(start_run.prediction);
                     run->repeats(start_run.again);
                     if (start_run.from) run->came_from(start_run.from_file);
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
                     publish();  // the output is read where a snapshot tells of it
                     --untold;
                   },
               },
               request);
  } catch (const std::exception& error) {
    tell(error);
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
    check_memory(settings);
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
  if (wanted.keeps_quiet) run->keep_quiet();
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
  if (!going()) start({.settings = request.settings, .keeps_quiet = request.keeps_quiet});
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
  if (run->tpu_time() + run->meter().steady().step_time() > longest_run) return end_with_clock();
  const Clock::time_point begin = Clock::now();
  const Picoseconds tpu_begin = run->tpu_time();
  const std::int64_t step_begin = run->step();
  try {
    run->advance();
    if (run->step() > step_begin) checkpoints.note_step(*run);
    // Behind what a step evaluates, so that a run that goes on from there does not do it again.
    if (!run->steps().loop().evaluation_due()) checkpoints.write_due(*run);
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
    checkpoints.write_due(*run);
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

void Engine::Thread::end_with_clock() {
  constexpr auto most = std::chrono::floor<std::chrono::days>(longest_run);
  tell(
      Error(fmt::format("run {} stops behind step {} and keeps what it has done: the TPU clock "
                        "holds {} days; choose a max_steps of at most {}, or what makes its steps "
                        "shorter",
                        run->number(), run->step(), most.count(), run->step())));
  finish(RunState::stopped);
}

void Engine::Thread::finish(RunState state) {
  run->set_state(state);
  try {
    run->summarise();
  } catch (const std::exception& error) {
    tell(error);
  }
  note_end();
  publish();
}

void Engine::Thread::note_end() {
  checkpoints.end_run(*run);
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

}  // namespace tpulab
