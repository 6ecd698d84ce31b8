#include "engine/session/run/replay.h"

#include <algorithm>

namespace tpulab {

namespace {

constexpr std::size_t repeated_steps = 16;
constexpr std::size_t most_steps = 640;

class Replay {
 public:
  explicit Replay(const Machine& machine) : simulator_(machine, Detail::shares) {}

  void add(std::span<const StepRecord> records) {
    longest_batch_ = {};
    for (const StepRecord& record : records) {
      StepReport report;
      report.timeline = simulator_.step(record);
      longest_batch_ = std::max(longest_batch_, batch_time(report.timeline));
      meter_.add(report);
    }
  }
  // The loader still lives on its lead. A thousandth is the rounding of clocks.
  bool settles() const { return longest_batch_ > scaled(meter_.steady_step_time(), 1.001); }
  void forget_steady() { meter_.forget_steady(); }
  Meter meter() && { return std::move(meter_); }

 private:
  Simulator simulator_;
  Meter meter_;
  Picoseconds longest_batch_{};
};

}  // namespace

Picoseconds batch_time(const StepTimeline& step) {
  Picoseconds time{};
  for (const TimedEvent& timed : step.events) {
    if (in_background(timed.event->kind)) time += timed.cpu + timed.upload;
  }
  return time;
}

Meter replay(std::span<const StepRecord> records, const Machine& machine) {
  Replay all(machine);
  all.add(records);
  if (!all.settles()) return std::move(all).meter();
  const auto newest = records.last(std::min(records.size(), repeated_steps));
  for (std::size_t more = 0; all.settles() && more < most_steps; more += repeated_steps) {
    all.add(newest);
  }
  all.forget_steady();
  all.add(newest);
  return std::move(all).meter();
}

Picoseconds steady_step(std::span<const StepRecord> records, const Machine& machine) {
  return replay(records, machine).steady_step_time();
}

}  // namespace tpulab
