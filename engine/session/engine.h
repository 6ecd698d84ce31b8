// The door of the engine. Owns the engine thread; everything below runs on it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/session/request.h"
#include "engine/session/snapshot.h"

namespace tpulab {

class Engine {
 public:
  Engine();
  ~Engine();  // stops a run after its current step
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
  // PyTorch/XLA's metrics report as text. Blocks for a copy of the counters.
  std::string metrics_report() const;
  // Output lines with an id above `id`, oldest first; the newest 4,096 are kept. Blocks for a copy.
  std::vector<OutputLine> output_since(std::int64_t id) const;

 private:
  struct Thread;
  std::unique_ptr<Thread> thread_;
};

}  // namespace tpulab
