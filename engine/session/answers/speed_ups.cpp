#include "engine/session/answers/speed_ups.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "engine/base/error.h"
#include "engine/machine/scaled_machine.h"
#include "engine/session/answers/mean_step.h"
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
  const auto moved = [&](std::int64_t Kernel::*times) {
    const double bytes = in_a_step(run, [&](const std::shared_ptr<const Program>& program) {
      const auto known = shared_price(program, run.steps().machine());
      double sum = 0;
      for (std::size_t k = 0; k < program->kernels.size(); ++k) {
        sum += static_cast<double>(known->price.kernels[k].traffic.value) *
               static_cast<double>(program->kernels[k].*times);
      }
      return sum;
    });
    return Bytes{std::llround(bytes)};
  };
  const std::vector<SteadySteps::Sum>& steady = run.meter().steady().sums();
  const double useful = steady.empty() ? static_cast<double>(run.steady_step().useful.value)
                                       : steady[0].useful / static_cast<double>(steady[0].steps);
  return {.operations = {std::llround(useful)},
          .traffic = moved(&Kernel::runs),
          .without_rows = moved(&Kernel::empty)};
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
