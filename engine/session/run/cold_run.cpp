#include "engine/session/run/cold_run.h"

#include <algorithm>
#include <set>

#include "engine/runtime/simulate.h"

namespace tpulab {

namespace {

// Adds compiles to steps; most need none and keep their list.
class Compiler {
 public:
  explicit Compiler(ColdRun& run) : run_(run) {}

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
  Event found(const Event& dispatch) {
    ++run_.found;
    return {.kind = EventKind::compile,
            .count = dispatch.program->traced,
            .program = dispatch.program,
            .name = dispatch.name};
  }

  ColdRun& run_;
  std::set<const Program*> compiled_;
};

}  // namespace

std::optional<ColdRun> cold_run(std::span<const StepRecord> records, const Machine& machine) {
  if (records.empty() || records.front().step > 0) return std::nullopt;
  ColdRun run;
  Compiler compiler(run);
  Simulator simulator(machine, Detail::shares);
  for (const StepRecord& record : records) {
    const StepRecord cold = compiler.with_compiles(record);
    const StepTimeline step = simulator.step(cold);
    for (const TimedEvent& timed : step.events) {
      if (timed.event->kind != EventKind::compile) continue;
      ++run.compiles;
      run.compile += timed.compile();
    }
    if (record.kind != StepKind::evaluate || record.step == 0) continue;
    run.evaluations.push_back(simulator.now());
  }
  run.time = simulator.now();
  return run;
}

}  // namespace tpulab
