#include "engine/session/run/replay.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace tpulab {

namespace {

constexpr std::size_t repeated_steps = 32;
constexpr std::size_t most_steps = 640;

class Replay {
 public:
  explicit Replay(const Machine& machine) : simulator_(machine, Detail::shares) {}

  void add(std::span<const StepRecord> records) {
    time_ = {};
    loaders_ = {};
    for (const StepRecord& record : records) {
      if (!repeats(record)) {
        add_newest();
        simulator_.step(record, newest_);
      }
      ++times_;
    }
    add_newest();
  }
  // The loader still lives on its lead. A thousandth is the rounding of clocks.
  bool settles() const { return loaders_ > scaled(time_, 1.001); }
  // What is told from here on lives on no lead.
  void forget() { steady_.forget(); }
  SteadySteps steady() && { return std::move(steady_); }

 private:
  // The same events from clocks that stand as they stood: the step goes as the newest one went.
  bool repeats(const StepRecord& record) {
    const bool same = record.events == events_ && record.kind == newest_.kind &&
                      record.samples == newest_.samples;
    if (same && repeats_) return true;
    simulator_.clocks(now_);
    repeats_ = same && now_ == before_;
    if (repeats_) return true;
    std::swap(before_, now_);
    events_ = record.events;
    return false;
  }

  void add_newest() {
    if (times_ == 0) return;
    const std::int64_t times = std::exchange(times_, 0);
    steady_.add(newest_, times);
    if (newest_.compiled) return;
    time_ += newest_.duration() * times;
    loaders_ += batch_time(newest_) * times;
  }

  Simulator simulator_;
  SteadySteps steady_;
  StepTimeline newest_;
  std::int64_t times_ = 0;           // that it came and is not added
  std::vector<Picoseconds> before_;  // it began
  std::vector<Picoseconds> now_;
  std::shared_ptr<const std::vector<Event>> events_;  // of it
  bool repeats_ = false;
  Picoseconds time_{};     // of the newest records that compile nothing, evaluation too
  Picoseconds loaders_{};  // that loaders need for their batches
};

bool compiles(const StepRecord& record) {
  return std::ranges::find(*record.events, EventKind::compile, &Event::kind) !=
         record.events->end();
}

bool trains(const StepRecord& record) { return record.kind == StepKind::train; }

// Those behind the last compile, which would give loaders a lead again, each time.
std::span<const StepRecord> behind_compiles(std::span<const StepRecord> records) {
  const auto last = std::ranges::find_if(records.rbegin(), records.rend(), compiles);
  return records.last(static_cast<std::size_t>(last - records.rbegin()));
}

}  // namespace

std::vector<StepRecord> without_events(std::span<const StepRecord> records, EventKind kind) {
  using Events = std::shared_ptr<const std::vector<Event>>;
  std::map<Events, Events> known;
  std::vector<StepRecord> rest(records.begin(), records.end());
  for (StepRecord& record : rest) {
    Events& without = known[record.events];
    if (without == nullptr) {
      std::vector<Event> events = *record.events;
      std::erase_if(events, [kind](const Event& event) { return event.kind == kind; });
      without = std::make_shared<const std::vector<Event>>(std::move(events));
    }
    record.events = without;
  }
  return rest;
}

SteadySteps replay(std::span<const StepRecord> records, const Machine& machine) {
  Replay all(machine);
  all.add(records);
  const auto may_be_steady = [](const StepRecord& record) {
    return trains(record) && !compiles(record);
  };
  if (std::ranges::none_of(records, may_be_steady)) return std::move(all).steady();
  const auto newest = records.last(std::min(records.size(), repeated_steps));
  std::span<const StepRecord> told = behind_compiles(newest);
  // Where no step is, all of the newest, as they go once their programs are there.
  std::vector<StepRecord> without;
  if (std::ranges::none_of(told, trains)) {
    without = without_events(newest, EventKind::compile);
    told = without;
  }
  for (std::size_t more = 0; all.settles() && more < most_steps; more += told.size()) {
    all.add(told);
  }
  all.forget();
  all.add(told);
  return std::move(all).steady();
}

Picoseconds steady_step(std::span<const StepRecord> records, const Machine& machine) {
  return replay(records, machine).step_time();
}

}  // namespace tpulab
