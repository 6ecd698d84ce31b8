#include "engine/session/speed_ups.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/machine/scaled_machine.h"
#include "engine/session/forecast_estimate.h"
#include "engine/session/price_rows.h"
#include "engine/session/time_only_run.h"

namespace tpulab {

std::vector<SpeedUp> speed_ups(const Settings& settings, double factor,
                               const std::stop_token& stop) {
  if (is_named(settings)) {
    std::vector<SpeedUp> all = forecast_speed_ups(settings, factor);
    std::ranges::stable_sort(all, {}, &SpeedUp::step);
    return all;
  }
  TimeOnlyRun run(settings);
  run.run(stop);
  std::vector<SpeedUp> all;
  for (const Resource resource : resources()) {
    if (stop.stop_requested()) throw Error("the estimate was cancelled");
    ScaledMachine faster(run.trainer().runtime().machine());
    faster.speed_up(resource, factor);
    all.push_back({std::string(name_of(resource)), run.step_on(faster.machine())});
  }
  std::ranges::stable_sort(all, {}, &SpeedUp::step);
  return all;
}

PricedProgram estimated_program(const Settings& settings, const std::stop_token& stop) {
  if (is_named(settings)) return forecast_program(settings);
  TimeOnlyRun run(settings);
  run.run(stop);
  const std::shared_ptr<const Program> program = newest_train_program(run.trainer().records());
  expects(program != nullptr, "a run has a train step");
  const Machine& machine = run.trainer().runtime().machine();
  return priced_program(*program, machine,
                        fmt::format("train step of {} on {}, estimated",
                                    run.trainer().model().name(), machine.slice.name));
}

}  // namespace tpulab
