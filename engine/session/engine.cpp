#include "engine/session/engine.h"

#include "engine/session/engine_thread.h"

namespace tpulab {

namespace {

constexpr auto full_inbox_pause = std::chrono::milliseconds(5);

}  // namespace

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
  Thread& thread = *thread_;
  const auto tell = [&thread](const std::vector<OutputLine>& lines) {
    ++thread.untold;
    while (!thread.inbox.post(Tell{lines})) std::this_thread::sleep_for(full_inbox_pause);
  };
  return thread.aside.ask(std::move(question), tell);
}

bool Engine::cancel_aside() { return thread_->aside.cancel(); }

bool Engine::answering() const { return thread_->aside.busy() || thread_->untold > 0; }

bool Engine::answer_failed() const { return thread_->aside.failed(); }

std::vector<OutputLine> Engine::output_since(std::int64_t id) const {
  return thread_->log.since(id);
}

}  // namespace tpulab
