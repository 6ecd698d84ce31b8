#include "engine/session/run/follow.h"

#include <functional>
#include <memory>
#include <optional>

#include "engine/base/error.h"
#include "engine/base/workers.h"
#include "engine/compiler/cache.h"
#include "engine/session/run/checkpoint_file.h"
#include "engine/session/run/lead.h"
#include "engine/session/run/stepper.h"
#include "engine/session/settings/settings_file.h"

namespace tpulab {

namespace {

constexpr const char* sent = "what rank 0 sent";

class Follower {
 public:
  explicit Follower(Peers& peers) : peers_(peers) {}

  // False once rank 0 has left.
  bool take(std::string_view message) {
    const std::size_t end = message.find('\n');
    const std::string_view word = message.substr(0, end);
    const std::string_view rest = message.substr(end + 1);
    if (word == told::begin) begin([&] { return Checkpoint{settings_of_text(rest, sent)}; });
    if (word == told::resume) begin([&] { return checkpoint_of(rest, sent); });
    if (word == told::begun) texts_of_all(peers_, failure_);
    if (word == told::advance) advance();
    if (word == told::change) change(rest);
    return word != told::leave;
  }

 private:
  // The run before, if there was one, is over.
  void begin(const std::function<Checkpoint()>& read) {
    steps_.reset();
    failure_.clear();
    try {
      const Checkpoint wanted = read();
      workers_.emplace(static_cast<int>(wanted.settings.workers), std::stop_token(), &peers_);
      metrics_ = std::make_unique<Metrics>();
      steps_.emplace(wanted.settings, cache_, *workers_, *metrics_);
      if (wanted.state) steps_->restore(*wanted.state);
    } catch (const std::exception& error) {
      failure_ = error.what();
    }
  }

  // What all meet, rank 0 meets too, and says; then its run is over.
  void advance() {
    if (!steps_ || !failure_.empty()) peers_.end_all(failure_);
    try {
      steps_->advance();
    } catch (const Error& error) {
      failure_ = error.what();
    } catch (const std::exception& error) {
      peers_.end_all(error.what());
    }
  }

  // What is refused, rank 0 refuses too: both go on as they were.
  void change(std::string_view settings) {
    try {
      steps_->change(settings_of_text(settings, sent));
    } catch (const Error&) {
      return;
    }
  }

  Peers& peers_;
  ProgramCache cache_;
  std::optional<WorkerPool> workers_;
  std::unique_ptr<Metrics> metrics_;
  std::optional<Stepper> steps_;
  std::string failure_;
};

}  // namespace

void follow(Peers& peers) {
  Follower follower(peers);
  while (follower.take(peers.broadcast(0, ""))) continue;
}

void leave(Peers* peers) {
  if (peers != nullptr) peers->broadcast(0, std::string(told::leave) + "\n");
}

}  // namespace tpulab
