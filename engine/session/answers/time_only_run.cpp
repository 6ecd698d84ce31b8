#include "engine/session/answers/time_only_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include "engine/base/error.h"
#include "engine/session/run/replay.h"
#include "engine/session/run/telling_records.h"
#include "engine/session/settings/memory_check.h"
#include "engine/session/settings/no_effect.h"
#include "engine/session/settings/plan.h"

namespace tpulab {

namespace {

// The first of them are where pipelines fill.
constexpr int steady_steps_wanted = 20;
constexpr int steady_steps_before_skip = 2;
constexpr int most_settling_steps = 200;
constexpr std::int64_t endless_steps = 1'000'000;

constexpr std::int64_t longest_period = 5'000;
constexpr double same_time = 1e-4;

// How many rows a step picks, only numbers tell.
void refuse_unknown_shapes(const Settings& settings) {
  if (!settings.hard_examples || !no_effect(settings, "hard_examples").empty()) return;
  throw Impossible(
      "hard_examples on: the shapes of a step depend on values, which only a run computes; type "
      "`run max_steps=20`, and what else this line sets; its summary, `advise`, `metrics` and "
      "`explain dot` answer then");
}

// After how many steps the host reads or keeps, for each of the habits but the bar; 0: never.
std::array<std::int64_t, 4> steps_between_reads(const Settings& settings) {
  return {settings.log_every_n_steps, settings.item_every_n_steps, settings.keep_every_n_steps,
          settings.save_every_n_steps};
}

// Steps after which those come round again after which the host reads, and shapes; 0: later than it
// matters.
std::int64_t period_of_reads(const Settings& settings) {
  std::int64_t period = changes_each_step(settings) ? habits_period : 1;
  const auto take_in = [&](std::int64_t every) {
    if (period > 0 && every > 0 && every <= longest_period) period = std::lcm(period, every);
    if (period > longest_period) period = 0;
  };
  std::ranges::for_each(steps_between_reads(settings), take_in);
  if (settings.progress_bar) take_in(settings.progress_bar_every);
  return period;
}

// Steps after which the ends of epochs and those reads come round again; within 5,000 steps, of
// which one read more or less is nothing. 0 where epochs do not end.
std::int64_t period_of_epochs(const Settings& settings, const Stepper& steps) {
  const std::int64_t epochs = steps.loop().steps_per_period();
  const std::int64_t reads = period_of_reads(settings);
  if (epochs == 0 || epochs > longest_period) return epochs;
  const std::int64_t period = reads > 0 ? std::lcm(epochs, reads) : longest_period + 1;
  return period <= longest_period ? period : epochs * (longest_period / epochs + 1);
}

// Named models look at their memory as they are resolved.
Settings that_fit(Settings settings) {
  settings.numbers = false;
  if (!is_named(settings)) check_memory(settings);
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

TimeOnlyRun::TimeOnlyRun(const Settings& settings, Keeps keeps)
    : settings_(that_fit(settings)),
      keeps_(keeps),
      steps_(settings_, cache_, workers_, metrics_,
             keeps == Keeps::times ? Detail::times : Detail::shares) {}

void TimeOnlyRun::run(const std::stop_token& stop) {
  refuse_unknown_shapes(settings_);
  if (settings_.limit_train_batches.nothing() && settings_.overfit_batches.nothing()) {
    throw Error("limit_train_batches 0 trains nothing: there is no step to tell the time of");
  }
  if (steps_.planned_steps() > 0) walk(stop);
  if (meter_.steady().step_time() == Picoseconds{}) settle(stop);
}

void TimeOnlyRun::take(StepReport report) {
  meter_.add(report);
  loaders_ += batch_time(report.timeline);
  if (!is_steady(report)) return;
  if (settings_.shapes == "fixed" && !steady_.empty()) {
    const std::int64_t most = steady_.back().samples;
    if (report.timeline.samples < most) return;
    if (report.timeline.samples > most) steady_.clear();  // short ones of an epoch's end
  }
  steady_.push_back(std::move(report.timeline));
  constexpr std::ptrdiff_t most_kept = 16;
  if (std::ssize(steady_) > most_kept) steady_.pop_front();
}

void TimeOnlyRun::walk(const std::stop_token& stop) {
  const std::int64_t reads = period_of_reads(settings_);
  const std::int64_t epochs = period_of_epochs(settings_, steps_);
  while (!steps_.done()) {
    check(stop);
    const std::vector<Picoseconds> clocks = steps_.clocks();
    StepReport report = steps_.advance();
    const bool trained = report.optimizer_step;
    const bool steady = is_steady(report);
    take(std::move(report));
    if (!trained || steps_.loop().restart_ahead()) continue;
    if (steady && reads != 1 && keeps_ == Keeps::times) repeat(clocks);
    const std::int64_t left = steps_.planned_steps() - steps_.step();
    if (begins_period(epochs)) {
      leave_out((alike_ahead(left) - 1) / epochs, epochs, epochs_alike_);
    }
    if (reads == 0 || steps_.step() % reads != 0) continue;
    const std::int64_t inside = alike_ahead(steps_.loop().whole_steps_left());
    leave_out(inside / reads, reads, steps_alike_);
  }
  compiles_ = meter_.compiles();
  const double seconds = in_seconds(steps_.now()) + seconds_left_out_;
  if (seconds > in_seconds(longest_run)) return;
  const Picoseconds time = steps_.now() + picoseconds_from_seconds(seconds_left_out_);
  whole_ = {.steps = steps_.step(),
            .epochs = steps_.epoch(),
            .time = time,
            .evaluations = meter_.evaluations(),
            .samples_per_second = meter_.rate_with_compile(time)};
}

// The first step of an epoch is never left out with others of it.
bool TimeOnlyRun::begins_period(std::int64_t steps) const {
  return steps > 0 && steps_.step() % steps == 1 % steps;
}

// Steps until the next after which the host reads: they do what the newest did.
std::int64_t TimeOnlyRun::alike_left() const {
  if (changes_each_step(settings_)) return 0;
  std::int64_t left = steps_.loop().whole_steps_left();
  if (settings_.progress_bar) {
    left = std::min(left, steps_.loop().quiet_steps(settings_.progress_bar_every));
  }
  for (const std::int64_t every : steps_between_reads(settings_)) {
    if (every <= 0) continue;
    const std::int64_t since = steps_.step() % every;
    left = std::min(left, since == 0 ? 0 : every - since - 1);
  }
  return left;
}

// Of `most` steps, those that send as many scalars as the newest: asked once for all of them.
std::int64_t TimeOnlyRun::alike_ahead(std::int64_t most) {
  const std::int64_t step = steps_.step();
  if (step >= alike_until_) alike_until_ = step + steps_.steps_alike_ahead();
  return std::min(most, alike_until_ - step);
}

// A step that left the clocks as it found them is what those that do the same will be.
void TimeOnlyRun::repeat(const std::vector<Picoseconds>& clocks_before) {
  if (steps_.timed() == nullptr || steady_.empty()) return;
  if (steady_.back().step != steps_.step()) return;
  if (alike_left() <= 0 || steps_.clocks() != clocks_before) return;
  const std::int64_t left = alike_ahead(alike_left());
  if (left <= 0) return;
  const StepTimeline& newest = steady_.back();
  const auto times = static_cast<double>(left);
  seconds_left_out_ += in_seconds(newest.duration()) * times;
  loaders_left_out_ += in_seconds(batch_time(newest)) * times;
  if (seconds_left_out_ < in_seconds(longest_run)) meter_.add_again(newest, left);
  steps_.repeat(left);
}

// Once a period of so many steps left the clocks as it found them, or two took the same time, so
// will those that follow. Not while loaders live on the batches they had ready.
void TimeOnlyRun::leave_out(std::int64_t periods, std::int64_t steps, Alike& alike) {
  if (periods <= 0) return;
  const Mark now{steps_.step(),
                 in_seconds(steps_.now()) + seconds_left_out_,
                 in_seconds(loaders_) + loaders_left_out_,
                 meter_.compiles().compiled,
                 steps_.clocks(),
                 meter_.totals()};
  const Mark before = std::exchange(alike.mark, now);
  const double seconds = now.seconds - before.seconds;
  const double seconds_before = std::exchange(alike.newest, seconds);
  if (now.step - before.step != steps) return;
  const double loaders = now.loaders - before.loaders;
  if (now.compiles != before.compiles) return;
  const bool repeats = now.clocks == before.clocks;
  const bool same = std::abs(seconds_before - seconds) <= same_time * seconds;
  if (!repeats && (!same || loaders > (1 + same_time) * seconds)) return;
  const auto times = static_cast<double>(periods);
  seconds_left_out_ += seconds * times;
  loaders_left_out_ += loaders * times;
  if (seconds_left_out_ < in_seconds(longest_run)) meter_.add_again(before.totals, periods);
  steps_.skip(periods * steps);
}

// What a step costs may settle late, as scalars that the host sends do: so most of the first steps
// are left out.
void TimeOnlyRun::settle(const std::stop_token& stop) {
  settled_ = true;
  steps_.change(endless(settings_));
  int steady = 0;
  for (int step = 0; step < most_settling_steps && steady < steady_steps_wanted; ++step) {
    check(stop);
    StepReport report = steps_.advance();
    const bool counts = is_steady(report);
    take(std::move(report));
    if (!counts) continue;
    if (++steady == steady_steps_before_skip && !whole_) steps_.skip(endless_steps);
  }
  meter_.set_steady(replay(telling_records(steps_.records()), steps_.machine()));
  if (!whole_) compiles_ = meter_.compiles();
}

const StepTimeline& TimeOnlyRun::steady_step() const {
  expects(!steady_.empty(), "steps that compile nothing follow those that do");
  const Picoseconds mean = meter_.steady().step_time();
  return *std::ranges::min_element(steady_, {}, [mean](const StepTimeline& step) {
    return std::abs((step.duration() - mean).count());
  });
}

std::shared_ptr<const Program> TimeOnlyRun::program() const {
  for (const TimedEvent& timed : steady_step().events) {
    if (auto program = train_step_of(*timed.event)) return program;
  }
  throw Error("no step of this run compiled nothing");
}

ToldRecords TimeOnlyRun::told_records() const {
  return tpulab::told_records(steps_.records(), meter_.steady().step_time(), steps_.machine());
}

}  // namespace tpulab
