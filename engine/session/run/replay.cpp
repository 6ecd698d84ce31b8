#include "engine/session/run/replay.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "engine/machine/scaled_machine.h"
#include "engine/session/run/telling_records.h"

namespace tpulab {

namespace {

constexpr std::size_t steps_that_fill = 32;
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

SteadySteps replay(std::span<const StepRecord> records, const Machine& machine, Told told) {
  if (told != Told::settled) {
    Replay run(machine);
    if (told == Told::all_steps) run.forget();
    run.add(records);
    SteadySteps steps = std::move(run).steady();
    if (steps.step_time() > Picoseconds{}) return steps;  // else none is steady so
  }
  ScaledMachine scaled(machine);
  // A compile would give loaders a lead, each time.
  scaled.speed_up(Resource::compiler, ScaledMachine::free_factor);
  Replay all(scaled.machine());
  all.add(records.last(std::min(records.size(), steps_that_fill)));
  for (std::size_t more = 0; all.settles() && more < most_steps; more += records.size()) {
    all.add(records);
  }
  all.forget();
  all.add(records);
  return std::move(all).steady();
}

ToldRecords replayed(std::span<const StepRecord> records, const Machine& machine, Told told) {
  return {records, told, replay(records, machine, told)};
}

ToldRecords told_records(std::span<const StepRecord> all, Picoseconds step,
                         const Machine& machine) {
  const auto tells = [step](const ToldRecords& told, double margin) {
    const double difference = in_seconds(told.steps.step_time()) - in_seconds(step);
    return std::abs(difference) <= margin * in_seconds(step);
  };
  ToldRecords newest = replayed(telling_records(all), machine);
  const bool whole = !all.empty() && all.size() <= most_told && all.front().step == 0;
  if (!whole || tells(newest, 0.005)) return newest;
  for (const Told told : {Told::all_steps, Told::counted_steps}) {
    ToldRecords every = replayed(all, machine, told);
    if (tells(every, 1e-6)) return every;
  }
  return newest;
}

Picoseconds steady_step(std::span<const StepRecord> records, const Machine& machine, Told told) {
  return replay(records, machine, told).step_time();
}

}  // namespace tpulab
