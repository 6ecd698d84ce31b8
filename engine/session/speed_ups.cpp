#include "engine/session/speed_ups.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/machine/scaled_machine.h"
#include "engine/session/price_rows.h"
#include "engine/session/replay.h"
#include "engine/session/time_only_run.h"

namespace tpulab {

std::vector<SpeedUp> speed_ups(const Settings& settings, double factor,
                               const std::stop_token& stop) {
  TimeOnlyRun run(settings);
  run.run(stop);
  std::vector<SpeedUp> all;
  for (const Resource resource : resources()) {
    if (stop.stop_requested()) throw Error("the estimate was cancelled");
    ScaledMachine faster(run.steps().machine());
    faster.speed_up(resource, factor);
    all.push_back(
        {std::string(name_of(resource)), steady_step(run.steps().records(), faster.machine())});
  }
  std::ranges::stable_sort(all, {}, &SpeedUp::step);
  return all;
}

PricedProgram estimated_program(const Settings& settings, const std::stop_token& stop) {
  TimeOnlyRun run(settings);
  run.run(stop);
  const std::shared_ptr<const Program> program = newest_train_program(run.steps().records());
  expects(program != nullptr, "a run has a train step");
  const Machine& machine = run.steps().machine();
  return priced_program(*program, machine,
                        fmt::format("train step of {} on {}, estimated", run.steps().model_name(),
                                    machine.slice.name));
}

}  // namespace tpulab
