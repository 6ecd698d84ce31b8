#include "engine/session/answers/speed_ups.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/machine/scaled_machine.h"
#include "engine/runtime/programs_of.h"
#include "engine/session/answers/price_rows.h"
#include "engine/session/answers/time_only_run.h"
#include "engine/session/run/replay.h"

namespace tpulab {

std::vector<SpeedUp> speed_ups(const Settings& settings, double factor,
                               const std::stop_token& stop) {
  TimeOnlyRun run(settings);
  run.run(stop);
  const ToldRecords recorded = run.told_records();
  const auto step_on = [&](const Machine& machine) {
    return in_seconds(steady_step(recorded.records, machine, recorded.told));
  };
  const double now = in_seconds(recorded.steps.step_time());
  // Where evaluations become shorter than a loader needs, the next step waits for it: none the less
  // nothing that is faster makes a run longer.
  const auto ratio_on = [&](const Machine& machine) {
    return std::min(step_on(machine) / now, 1.0);
  };
  std::vector<SpeedUp> all;
  for (const Resource resource : resources()) {
    if (stop.stop_requested()) throw Error("the estimate was cancelled");
    ScaledMachine faster(run.steps().machine());
    faster.speed_up(resource, factor);
    all.push_back({std::string(name_of(resource)), ratio_on(faster.machine())});
  }
  Machine alike = run.steps().machine();
  if (!alike.stragglers.empty()) {
    alike.stragglers.clear();
    all.push_back({"no straggler", ratio_on(alike)});
  }
  std::ranges::stable_sort(all, {}, &SpeedUp::ratio);
  return all;
}

StepLoad estimated_load(const Settings& settings, const std::stop_token& stop) {
  TimeOnlyRun run(settings);
  run.run(stop);
  const StepTimeline& step = run.steady_step();
  StepLoad load{.operations = step.useful, .traffic = {}, .without_rows = {}};
  for (const auto& program : programs_of(step)) {
    const auto known = shared_price(program, run.steps().machine());
    for (std::size_t k = 0; k < program->kernels.size(); ++k) {
      const Bytes traffic = known->price.kernels[k].traffic;
      load.traffic += traffic * program->kernels[k].runs;
      load.without_rows += traffic * program->kernels[k].empty;
    }
  }
  return load;
}

PricedProgram estimated_program(const Settings& settings, const std::stop_token& stop) {
  TimeOnlyRun run(settings);
  run.run(stop);
  const Machine& machine = run.steps().machine();
  return priced_program(*run.program(), machine,
                        fmt::format("train step of {} on {}, estimated", run.steps().model_name(),
                                    machine.slice.name));
}

}  // namespace tpulab
