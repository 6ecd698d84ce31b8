#include "engine/session/time_only_run.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include "engine/base/error.h"
#include "engine/session/bounds.h"
#include "engine/session/replay.h"

namespace tpulab {

namespace {

// 16 of them make the median; the others are where pipelines fill.
constexpr int steady_steps_wanted = 20;
constexpr int steady_steps_before_skip = 2;
constexpr int most_settling_steps = 200;
constexpr std::size_t steps_of_a_median = 16;
constexpr std::int64_t endless_steps = 1'000'000;

constexpr std::int64_t longest_period = 20'000;
constexpr double same_time = 1e-4;
constexpr double longest_run_seconds = 100 * 24 * 3600.0;  // the clock holds 106 days

// Steps after which the ends of epochs and the reads between them come round again; within 20,000
// steps, of which one read more or less is nothing.
std::int64_t period_of(const Settings& settings, const Stepper& steps) {
  const Trainer* trainer = steps.trainer();
  const std::int64_t epoch = trainer != nullptr ? trainer->steps_per_period() : 1;
  std::int64_t period = std::max<std::int64_t>(epoch, 1);
  for (const std::int64_t every : {settings.log_every_n_steps, settings.item_every_n_steps}) {
    if (every > 0 && every <= longest_period) period = std::lcm(period, every);
    if (period > longest_period) return epoch * (longest_period / epoch + 1);
  }
  return period;
}

bool settled(const Stepper& steps) {
  return steps.trainer() == nullptr || steps.trainer()->settled();
}

Settings without_numbers(Settings settings) {
  settings.numbers = false;
  return settings;
}

Settings endless(Settings settings) {
  settings.max_epochs = -1;
  settings.max_steps = -1;
  return settings;
}

void check(const std::stop_token& stop) {
  if (stop.stop_requested()) throw Error("the estimate was cancelled");
}

bool is_steady(const StepReport& report) {
  return report.optimizer_step && !report.timeline.compiled;
}

}  // namespace

TimeOnlyRun::TimeOnlyRun(const Settings& settings)
    : settings_(without_numbers(settings)), steps_(settings_, cache_, workers_, metrics_) {}

void TimeOnlyRun::run(const std::stop_token& stop) {
  if (steps_.planned_steps() > 0) walk(stop);
  if (meter_.steady_step_time() == Picoseconds{}) settle(stop);
}

void TimeOnlyRun::take(const StepReport& report) {
  meter_.add(report);
  loaders_ += batch_time(report.timeline);
  if (!is_steady(report)) return;
  if (!steady_.empty() && report.timeline.samples < steady_.back().samples) return;
  steady_.push_back(report.timeline);
  if (steady_.size() > steps_of_a_median) steady_.pop_front();
}

void TimeOnlyRun::walk(const std::stop_token& stop) {
  const std::int64_t period = period_of(settings_, steps_);
  const auto told = [this] { return steps_.trainer() == nullptr && steps_left_out_ > 0; };
  while (!steps_.done() && !told()) {
    check(stop);
    const StepReport report = steps_.advance();
    take(report);
    if (report.optimizer_step) leave_out_repeated_periods(period);
  }
  compiles_ = meter_.compiles();
  const double seconds = in_seconds(steps_.now()) + seconds_left_out_;
  if (seconds > longest_run_seconds) return;
  const Picoseconds time = steps_.now() + picoseconds_from_seconds(seconds_left_out_);
  whole_ = {.steps = steps_.step() + (steps_.trainer() == nullptr ? steps_left_out_ : 0),
            .epochs = steps_.epoch(),
            .time = time,
            .samples_per_second = meter_.rate_with_compile(time)};
}

// A step that is whole periods before the last: once two periods took the same time, so will all
// others. Not while loaders live on the batches they had ready.
void TimeOnlyRun::leave_out_repeated_periods(std::int64_t period) {
  const std::int64_t left = steps_.planned_steps() - steps_.step();
  if (left < period || left % period != 0 || !settled(steps_)) return;
  const Mark before = std::exchange(mark_, {steps_.now(), loaders_, meter_.totals()});
  const double seconds = in_seconds(mark_.time - before.time);
  const double seconds_before = in_seconds(std::exchange(newest_period_, mark_.time - before.time));
  const bool alike = std::abs(seconds_before - seconds) <= same_time * seconds;
  if (!alike || in_seconds(mark_.loaders - before.loaders) > (1 + same_time) * seconds) return;
  const std::int64_t periods = left / period;
  steps_left_out_ = left;
  seconds_left_out_ = seconds * static_cast<double>(periods);
  if (seconds_left_out_ < longest_run_seconds) meter_.add_again(before.totals, periods);
  steps_.skip(left);
}

// What a step costs may settle late, as scalars that the host sends do: so most of the first steps
// are left out.
void TimeOnlyRun::settle(const std::stop_token& stop) {
  steps_.change(endless(settings_));
  int steady = 0;
  for (int step = 0; step < most_settling_steps && steady < steady_steps_wanted; ++step) {
    check(stop);
    const StepReport report = steps_.advance();
    take(report);
    if (!is_steady(report)) continue;
    if (++steady == steady_steps_before_skip && !whole_) steps_.skip(endless_steps);
  }
  meter_ = replay(steps_.records(), steps_.machine());
  if (!whole_) compiles_ = meter_.compiles();
}

const StepTimeline& TimeOnlyRun::steady_step() const {
  expects(!steady_.empty(), "steps that compile nothing follow those that do");
  const Picoseconds median = meter_.steady_step_time();
  return *std::ranges::min_element(steady_, {}, [median](const StepTimeline& step) {
    return std::abs((step.duration() - median).count());
  });
}

const Program& TimeOnlyRun::program() const {
  for (const TimedEvent& timed : steady_step().events) {
    const Event& event = *timed.event;
    if (event.kind == EventKind::dispatch && event.name == "train step") return *event.program;
  }
  throw Error("no step of this run compiled nothing");
}

std::span<const StepRecord> TimeOnlyRun::newest_records() const {
  const std::span<const StepRecord> all(steps_.records());
  return all.last(std::min(all.size(), steps_that_bind));
}

}  // namespace tpulab
