#include "engine/session/answers/trial.h"

#include <algorithm>

#include "engine/session/answers/time_only_run.h"
#include "engine/session/run/cold_run.h"
#include "engine/session/run/meter.h"

namespace tpulab {

namespace {

// Of a run without end: enough for what settles late.
constexpr std::int64_t steps_without_end = 600;

Settings with_end(Settings settings) {
  if (settings.max_epochs < 0 && settings.max_steps < 0) settings.max_steps = steps_without_end;
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
          .largest_step = largest_of(run.steps().records())};
}

}  // namespace

Trial tried(const Settings& settings, const std::stop_token& stop) {
  TimeOnlyRun run(with_end(settings));
  run.run(stop);
  return trial_of(run);
}

TriedRun tried_run(const Settings& settings, const std::stop_token& stop) {
  TimeOnlyRun run(with_end(settings), TimeOnlyRun::Keeps::steps);
  run.run(stop);
  return {trial_of(run), RecordedRun(run.steps().records(), run.steps().machine(), run.counters())};
}

Trial trial_of(const RecordedRun& run) {
  Meter meter;
  for (const StepTimeline& step : run.steps) {
    StepReport report;
    report.timeline = step;
    report.optimizer_step = step.kind == StepKind::train;
    meter.add(report);
  }
  const std::optional<ColdRun> cold = cold_run(run.records, run.machine);
  return {.steady_rate = meter.steady().rate(),
          .rate_with_compile = cold ? meter.rate_with_compile(cold->time) : 0,
          .largest_step = largest_of(run.records)};
}

}  // namespace tpulab
