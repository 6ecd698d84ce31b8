#include "engine/session/answers/trial.h"

#include <algorithm>

#include "engine/session/answers/time_only_run.h"
#include "engine/session/run/cold_run.h"
#include "engine/session/run/meter.h"
#include "engine/session/settings/plan.h"

namespace tpulab {

namespace {

// Of a run without end: enough for what settles late.
constexpr std::int64_t steps_without_end = 600;

Settings with_end(Settings settings) {
  if (settings.max_epochs < 0 && settings.max_steps < 0) settings.max_steps = steps_without_end;
  return settings;
}

Settings lengthened(Settings settings, std::int64_t times) {
  const std::int64_t epochs = epochs_of(settings);
  const std::int64_t steps = last_step(settings);
  if (epochs > 0) settings.max_epochs = times * epochs;
  if (steps > 0) settings.max_steps = times * steps;
  return settings;
}

std::int64_t largest_of(std::span<const StepRecord> records) {
  std::int64_t largest = 0;
  for (const StepRecord& record : records) largest = std::max(largest, record.samples);
  return largest;
}

Trial trial_of(const TimeOnlyRun& run) {
  return {.steady_rate = run.meter().steady().rate(),
          .rate_with_compile = run.whole() ? run.whole()->samples_per_second : 0,
          .largest_step = largest_of(run.steps().records()),
          .steps = run.whole() ? run.whole()->steps : 0,
          .evaluations = run.meter().evaluations().count,
          .told_behind = run.settled_behind()};
}

}  // namespace

RecordedRun recorded_run(std::vector<StepRecord> cold, const Machine& machine, Counters counters) {
  RecordedRun run(std::move(cold), machine, std::move(counters));
  SteadySteps steady;
  std::vector<bool> counted;
  for (const StepTimeline& step : run.steps) counted.push_back(steady.add(step));
  const ToldRecords told = told_records(run.records, steady.step_time(), machine);
  std::vector<const StepTimeline*> all;
  std::vector<const StepTimeline*> some;
  for (std::size_t i = run.steps.size() - told.records.size(); i < run.steps.size(); ++i) {
    const StepTimeline& step = run.steps[i];
    if (step.kind != StepKind::train || step.compiled) continue;
    all.push_back(&step);
    if (counted[i]) some.push_back(&step);
  }
  run.tell(told.told == Told::all_steps || some.empty() ? all : some);
  return run;
}

Trial tried(const Settings& settings, const std::stop_token& stop, std::int64_t times_as_long) {
  const Settings ended = with_end(settings);
  TimeOnlyRun run(times_as_long == 1 ? ended : lengthened(ended, times_as_long));
  run.run(stop);
  return trial_of(run);
}

TriedRun tried_run(const Settings& settings, const std::stop_token& stop) {
  TimeOnlyRun run(with_end(settings), TimeOnlyRun::Keeps::steps);
  run.run(stop);
  const Stepper& steps = run.steps();
  ColdRecords cold =
      cold_records(steps.records(), steps.machine(), persistence_named(settings.cache_persistent));
  return {trial_of(run), recorded_run(std::move(cold.records), steps.machine(), run.counters())};
}

Trial trial_of(const RecordedRun& run) {
  Meter meter;
  for (const StepTimeline& step : run.steps) {
    StepReport report;
    report.timeline = step;
    report.optimizer_step = step.kind == StepKind::train;
    meter.add(report);
  }
  const bool whole = !run.records.empty() && run.records.front().step == 0;
  return {.steady_rate = meter.steady().rate(),
          .rate_with_compile = whole ? meter.rate_with_compile(run.time) : 0,
          .largest_step = largest_of(run.records),
          .evaluations = meter.evaluations().count};
}

}  // namespace tpulab
