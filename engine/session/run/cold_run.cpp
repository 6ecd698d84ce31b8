#include "engine/session/run/cold_run.h"

#include <algorithm>
#include <set>

#include "engine/runtime/made_program.h"
#include "engine/runtime/simulate.h"
#include "engine/session/run/steady_steps.h"

namespace tpulab {

namespace {

// Gives steps the compiles and loads of a cold start; most need none and keep their list.
class Compiler {
 public:
  Compiler(const Machine& machine, Persistence kept) : machine_(machine) { disk_.keep(kept); }

  std::vector<StepRecord> from_cold(std::span<const StepRecord> records) {
    std::vector<StepRecord> cold;
    cold.reserve(records.size());
    for (const StepRecord& record : records) cold.push_back(from_cold(record));
    return cold;
  }

  std::int64_t found() const { return found_; }

 private:
  StepRecord from_cold(StepRecord record) {
    const auto is_made = [this](const Event& event) {
      if (event.program == nullptr) return false;
      if (event.kind == EventKind::compile) return true;
      return event.kind == EventKind::dispatch && !made_.contains(event.program.get());
    };
    if (std::ranges::none_of(*record.events, is_made)) return record;
    std::vector<Event> events;
    for (const Event& event : *record.events) {
      const bool makes = event.kind == EventKind::compile;
      if (is_made(event)) events.push_back(made(makes ? event : found_in_memory(event)));
      if (!makes || event.program == nullptr) events.push_back(event);
    }
    record.events = std::make_shared<const std::vector<Event>>(std::move(events));
    return record;
  }

  Event found_in_memory(const Event& dispatch) {
    ++found_;
    return {.kind = EventKind::compile,
            .count = dispatch.program->compiled_nodes(),
            .program = dispatch.program,
            .name = dispatch.name,
            .cause = std::string(found_cause)};
  }

  Event made(Event compile) {
    made_.insert(compile.program.get());
    const bool loads = loaded_from_disk(*compile.program, disk_, machine_);
    if (compile.from_disk && !loads) {
      ++found_;
      compile.cause = found_cause;
    }
    compile.from_disk = loads;
    return compile;
  }

  static constexpr std::string_view found_cause = "found compiled by an earlier run";
  const Machine& machine_;
  ProgramCache disk_;
  std::set<const Program*> made_;
  std::int64_t found_ = 0;
};

ColdStep step_of(const SteadySteps& steady) {
  const Picoseconds time = steady.step_time();
  if (time <= Picoseconds{}) return {};
  return {.phases = phases_of(steady.shares(), time), .time = time, .rate = steady.rate()};
}

}  // namespace

ColdRecords cold_records(std::span<const StepRecord> records, const Machine& machine,
                         Persistence kept) {
  if (records.empty() || records.front().step > 0) return {{records.begin(), records.end()}};
  Compiler compiler(machine, kept);
  ColdRecords cold{compiler.from_cold(records)};
  cold.found = compiler.found();
  return cold;
}

std::optional<ColdRun> cold_run(std::span<const StepRecord> records, const Machine& machine,
                                Persistence kept, std::int64_t since) {
  if (records.empty() || records.front().step > 0) return std::nullopt;
  const ColdRecords cold = cold_records(records, machine, kept);
  ColdRun run{.found = cold.found};
  SteadySteps steady;
  Simulator simulator(machine, Detail::shares);
  for (const StepRecord& record : cold.records) {
    const StepTimeline step = simulator.step(record);
    if (record.step < since) steady = {};
    steady.add(step);
    for (const TimedEvent& timed : step.events) {
      if (timed.event->kind != EventKind::compile) continue;
      if (!timed.event->from_disk) ++run.compiles;
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
