// What the programs of a steady step have of something, in the mean: a step may sum batches, its
// batch may be shorter, and a loss that some steps read is a program of its own.
#pragma once

#include <algorithm>
#include <map>
#include <memory>

#include "engine/session/answers/time_only_run.h"
#include "engine/session/run/telling_records.h"

namespace tpulab {

inline bool is_steady(const StepRecord& record) {
  return record.kind == StepKind::train && std::ranges::find(*record.events, EventKind::compile,
                                                             &Event::kind) == record.events->end();
}

template <class Of>
double in_a_step(const TimeOnlyRun& run, const Of& of_program) {
  std::map<std::shared_ptr<const Program>, std::int64_t> times;
  std::int64_t steps = 0;
  for (const StepRecord& record : telling_records(run.steps().records())) {
    if (!is_steady(record)) continue;
    ++steps;
    for (const Event& event : *record.events) {
      if (event.kind == EventKind::dispatch) ++times[event.program];
    }
  }
  double sum = 0;
  for (const auto& [program, often] : times)
    sum += of_program(program) * static_cast<double>(often);
  return sum / static_cast<double>(std::max<std::int64_t>(steps, 1));
}

}  // namespace tpulab
