#include "engine/session/run/cold_run.h"

#include <algorithm>
#include <set>

#include "engine/runtime/simulate.h"
#include "engine/session/run/steady_steps.h"

namespace tpulab {

namespace {

// Adds compiles to steps; most need none and keep their list.
class Compiler {
 public:
  StepRecord with_compiles(StepRecord record) {
    const auto is_new = [this](const Event& event) {
      return event.program != nullptr && !compiled_.contains(event.program.get());
    };
    if (std::ranges::none_of(*record.events, is_new)) return record;
    std::vector<Event> events;
    for (const Event& event : *record.events) {
      if (is_new(event)) {
        compiled_.insert(event.program.get());
        if (event.kind == EventKind::dispatch) events.push_back(found(event));
      }
      events.push_back(event);
    }
    record.events = std::make_shared<const std::vector<Event>>(std::move(events));
    return record;
  }

 private:
  static Event found(const Event& dispatch) {
    return {.kind = EventKind::compile,
            .count = dispatch.program->traced,
            .program = dispatch.program,
            .name = dispatch.name,
            .cause = "found compiled by an earlier run"};
  }

  std::set<const Program*> compiled_;
};

std::int64_t compiles_in(std::span<const StepRecord> records) {
  std::int64_t compiles = 0;
  for (const StepRecord& record : records) {
    compiles += std::ranges::count(*record.events, EventKind::compile, &Event::kind);
  }
  return compiles;
}

ColdStep step_of(const SteadySteps& steady) {
  const Picoseconds time = steady.step_time();
  if (time <= Picoseconds{}) return {};
  return {.phases = phases_of(steady.shares(), time), .time = time, .rate = steady.rate()};
}

}  // namespace

std::vector<StepRecord> cold_records(std::span<const StepRecord> records) {
  std::vector<StepRecord> cold;
  cold.reserve(records.size());
  Compiler compiler;
  for (const StepRecord& record : records) cold.push_back(compiler.with_compiles(record));
  return cold;
}

bool found_programs(std::span<const StepRecord> records) {
  const bool whole = !records.empty() && records.front().step == 0;
  return whole && compiles_in(cold_records(records)) > compiles_in(records);
}

std::optional<ColdRun> cold_run(std::span<const StepRecord> records, const Machine& machine,
                                std::int64_t since) {
  if (records.empty() || records.front().step > 0) return std::nullopt;
  const std::vector<StepRecord> cold = cold_records(records);
  ColdRun run{.found = compiles_in(cold) - compiles_in(records)};
  SteadySteps steady;
  Simulator simulator(machine, Detail::shares);
  for (const StepRecord& record : cold) {
    const StepTimeline step = simulator.step(record);
    if (record.step < since) steady = {};
    steady.add(step);
    for (const TimedEvent& timed : step.events) {
      if (timed.event->kind != EventKind::compile) continue;
      ++run.compiles;
      run.compile += timed.compile();
    }
    if (record.kind != StepKind::evaluate || record.step == 0) continue;
    run.evaluations.push_back(simulator.now());
  }
  run.time = simulator.now();
  run.steady = step_of(steady);
  return run;
}

}  // namespace tpulab
