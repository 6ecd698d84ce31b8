#include "engine/forecast/steady_step.h"

#include <algorithm>
#include <utility>

#include "engine/base/error.h"
#include "engine/forecast/known_steps.h"
#include "engine/forecast/timed_training.h"

namespace tpulab {

namespace {

// With the program that it has, or with none.
double seconds_of(const StepRecord& steady, const Machine& machine) {
  constexpr int pipelines_are_full = 16;
  Simulator simulator(machine, Detail::times);
  StepTimeline newest;
  for (int step = 0; step <= pipelines_are_full; ++step) simulator.step(steady, newest);
  return in_seconds(newest.duration());
}

StepRecord without_kernels(StepRecord record) {
  std::vector<Event> events = *record.events;
  for (Event& event : events) {
    if (event.program != nullptr) event.program = std::make_shared<const Program>();
  }
  record.events = std::make_shared<const std::vector<Event>>(std::move(events));
  return record;
}

// One that finds its program made.
StepRecord steady_record(const ForecastRequest& request, const Machine& machine) {
  constexpr int steps = 4;
  ProgramCache cache;
  Metrics metrics;
  TimedTraining training(machine, cache, metrics,
                         {.request = request,
                          .plan = {.max_steps = steps},
                          .habits = {.log_every_n_steps = steps + 1},
                          .detail = Detail::times});
  while (!training.done()) training.advance();
  return training.records().back();
}

SteadyStep priced(std::shared_ptr<const Program> program, const Machine& machine) {
  SteadyStep step{.kernels = kernel_prices(*program, machine)};
  for (std::size_t k = 0; k < program->kernels.size(); ++k) {
    const bool may_cross = program->kernels[k].collective && machine.slice.joined > 1;
    if (may_cross) step.between_slices.push_back(k);
  }
  step.program = std::move(program);
  return step;
}

}  // namespace

SteadyStep steady_step(const ForecastRequest& request, const Machine& machine) {
  const StepRecord steady = steady_record(request, machine);
  const auto dispatch = std::ranges::find(*steady.events, EventKind::dispatch, &Event::kind);
  expects(dispatch != steady.events->end(), "a step runs its program");
  SteadyStep step = priced(dispatch->program, machine);
  const double whole = seconds_of(steady, machine);
  step.others = seconds_of(without_kernels(steady), machine);
  if (whole > step.others) {
    step.handing = whole - in_seconds(in_program(step.kernels, *step.program, machine).time);
  }
  return step;
}

SteadyStep evaluation_step(const ForecastRequest& request, const Machine& machine) {
  const auto programs = known_programs(request, machine);
  const ProgramKind evaluation{.part = ProgramKind::Part::evaluation, .rows = programs->batch()};
  return priced(programs->of(evaluation, machine), machine);
}

double seconds_of(const SteadyStep& step, const Machine& machine) {
  std::vector<Price> kernels = step.kernels;
  for (const std::size_t k : step.between_slices) {
    kernels[k] = kernel_price(*step.program, k, machine);
  }
  const ProgramPrice priced = in_program(std::move(kernels), *step.program, machine);
  return std::max(in_seconds(priced.time) + step.handing, step.others);
}

}  // namespace tpulab
