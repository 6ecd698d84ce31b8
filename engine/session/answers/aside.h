// One question at a time on a thread of its own, so that neither the run nor the screen waits.
#pragma once

#include <atomic>
#include <functional>
#include <stop_token>
#include <thread>
#include <vector>

#include "engine/session/snapshot.h"

namespace tpulab {

// May take long; throws Error, or ends early with what it likes, when a stop is asked for.
using Question = std::function<std::vector<OutputLine>(const std::stop_token&)>;

class Aside {
 public:
  using Tell = std::function<void(std::vector<OutputLine>)>;

  // `tell` takes the answer, on the aside's thread: an error is a line, too. False, and nothing
  // happens, while the last question is not answered yet.
  bool ask(Question question, Tell tell);
  // False if no question is open. Its answer is then that it was cancelled.
  bool cancel();
  bool busy() const { return busy_; }
  // Whether the last answer was an error, or that it was cancelled.
  bool failed() const { return failed_; }

 private:
  std::atomic<bool> busy_ = false;
  std::atomic<bool> failed_ = false;
  std::jthread thread_;  // the last member: it uses the others
};

}  // namespace tpulab
