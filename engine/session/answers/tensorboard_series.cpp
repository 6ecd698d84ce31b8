// The newest run as scalars for TensorBoard.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <map>

#include "engine/formats/tensorboard.h"
#include "engine/session/answers/exports.h"

namespace tpulab {

namespace {

// Both clocks in one file: an event's own time is wall time, so these say what they are.
constexpr std::string_view tpu_time_group = "tpu_time_estimated/";

class EventSeries {
 public:
  explicit EventSeries(const RunCurves& curves) : began_(static_cast<double>(curves.began)) {
    known_[curves.from_step] = 0;
    for (const AccuracyPoint& point : curves.accuracies) known_[point.step] = point.wall_seconds;
    known_[curves.step] = curves.wall_seconds;
  }

  void add(std::int64_t step, std::string tag, double value) {
    if (!std::isfinite(value)) return;
    events_[step].points.push_back({std::move(tag), static_cast<float>(value)});
    ++scalars_;
  }

  std::string text() {
    std::vector<ScalarEvent> events;
    for (auto& [step, event] : events_) {
      event.step = step;
      event.wall_time = began_ + wall_seconds_at(step);
      events.push_back(std::move(event));
    }
    return tensorboard_events(began_, events);
  }

  std::int64_t scalars() const { return scalars_; }

 private:
  double wall_seconds_at(std::int64_t step) const {
    const auto after = known_.lower_bound(step);
    if (after == known_.end()) return known_.rbegin()->second;
    if (after->first == step || after == known_.begin()) return after->second;
    const auto before = std::prev(after);
    return std::lerp(before->second, after->second,
                     static_cast<double>(step - before->first) /
                         static_cast<double>(after->first - before->first));
  }

  double began_;
  std::map<std::int64_t, double> known_;  // wall time by step
  std::map<std::int64_t, ScalarEvent> events_;
  std::int64_t scalars_ = 0;
};

std::string tpu_time_tag(std::string_view name) {
  return fmt::format("{}{}", tpu_time_group, name);
}

// A share that no step has is no series.
std::vector<Share> shares_in(std::span<const StepTimeline> steps) {
  std::vector<Share> shares;
  for (int i = 0; i < share_count; ++i) {
    const auto share = static_cast<Share>(i);
    const auto has = [&](const StepTimeline& step) {
      return step.shares[index_of(share)].count() > 0;
    };
    if (std::ranges::any_of(steps, has)) shares.push_back(share);
  }
  return shares;
}

void add_step(EventSeries& series, const StepTimeline& step, std::span<const Share> shares) {
  if (step.kind == StepKind::evaluate) {
    series.add(step.step, tpu_time_tag("evaluation_s"), in_seconds(step.duration()));
  }
  if (step.kind != StepKind::train) return;
  const std::int64_t done = step.step;
  series.add(done, tpu_time_tag("end_s"), in_seconds(step.end));
  series.add(done, tpu_time_tag("step_s"), in_seconds(step.duration()));
  for (const Share share : shares) {
    series.add(done, tpu_time_tag(column_of(share)), in_seconds(step.shares[index_of(share)]));
  }
}

}  // namespace

std::string event_file_name(const RunEvidence& run) {
  const std::time_t began = run.curves.began;
  // Programs side by side begin in the same second.
  return fmt::format("{:%Y%m%d-%H%M%S}-run-{}-{}/events.out.tfevents.{}.tpulab", fmt::gmtime(began),
                     run.number, ::getpid(), began);
}

Exported events_of(const RunEvidence& run) {
  const std::vector<StepTimeline> steps = timeline_of(run, Detail::shares);
  EventSeries series(run.curves);
  for (const LossPoint& point : run.curves.losses) {
    series.add(std::llround(point.step), "train/loss", point.loss);
  }
  for (const AccuracyPoint& point : run.curves.accuracies) {
    series.add(point.step, "test/accuracy", point.accuracy);
  }
  const std::vector<Share> shares = shares_in(steps);
  for (const StepTimeline& step : steps) add_step(series, step, shares);
  return {.text = series.text(),
          .steps = std::ssize(steps),
          .recorded = std::ssize(run.records),
          .first_step = first_step_of(run, steps),
          .lines = series.scalars()};
}

}  // namespace tpulab
