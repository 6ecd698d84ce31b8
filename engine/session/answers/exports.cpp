#include "engine/session/answers/exports.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "engine/formats/chrome_trace.h"
#include "engine/session/run/steady_steps.h"

namespace tpulab {

namespace {

// What is loaded from disk is not compiled.
bool compiles(const StepTimeline& step) {
  return std::ranges::any_of(step.events, [](const TimedEvent& timed) {
    return timed.event->kind == EventKind::compile && !timed.event->from_disk;
  });
}

// What training came to behind each step, as far as the curves keep it.
class Learnt {
 public:
  explicit Learnt(const RunCurves& curves) {
    for (const LossPoint& point : curves.losses) losses_[std::lround(point.step)] = point.loss;
    for (const AccuracyPoint& point : curves.accuracies) accuracies_[point.step] = point.accuracy;
  }

  std::optional<double> loss(const StepTimeline& step) const {
    return step.kind == StepKind::train ? found(losses_, step.step) : std::nullopt;
  }
  std::optional<double> accuracy(const StepTimeline& step) const {
    return step.kind == StepKind::evaluate ? found(accuracies_, step.step) : std::nullopt;
  }

 private:
  using Values = std::map<std::int64_t, double>;
  static std::optional<double> found(const Values& values, std::int64_t step) {
    const auto at = values.find(step);
    return at == values.end() ? std::nullopt : std::optional(at->second);
  }

  Values losses_;
  Values accuracies_;
};

std::string head() {
  std::string line = "step,kind,samples,begin_s,end_s,compiled";
  for (int i = 0; i < share_count; ++i) line += "," + column_of(static_cast<Share>(i));
  return line + ",steady,loss,test_accuracy\n";
}

std::string csv_line(const StepTimeline& step, bool steady, const Learnt& learnt) {
  const auto cell = [](std::optional<double> value) {
    return value ? fmt::format(",{:.9g}", *value) : ",";
  };
  std::string line =
      fmt::format("{},{},{},{:.9f},{:.9f},{}", step.step, name_of(step.kind), step.samples,
                  in_seconds(step.begin), in_seconds(step.end), compiles(step) ? 1 : 0);
  for (const Picoseconds part : step.shares) line += fmt::format(",{:.9f}", in_seconds(part));
  return line + (steady ? ",1" : ",0") + cell(learnt.loss(step)) + cell(learnt.accuracy(step)) +
         "\n";
}

std::string json_line(const StepTimeline& step, bool steady, const Learnt& learnt) {
  // JSON has no infinite numbers.
  const auto member = [](std::string_view name, std::optional<double> value) {
    return value && std::isfinite(*value) ? fmt::format(R"(, "{}": {:.9g})", name, *value) : "";
  };
  std::string line = fmt::format(R"({{"step": {}, "kind": "{}", "samples": {}, )"
                                 R"("begin_s": {:.9f}, "end_s": {:.9f}, "compiled": {})",
                                 step.step, name_of(step.kind), step.samples,
                                 in_seconds(step.begin), in_seconds(step.end), compiles(step));
  for (int i = 0; i < share_count; ++i) {
    line += fmt::format(R"(, "{}": {:.9f})", column_of(static_cast<Share>(i)),
                        in_seconds(step.shares[static_cast<std::size_t>(i)]));
  }
  return line + fmt::format(R"(, "steady": {})", steady) + member("loss", learnt.loss(step)) +
         member("test_accuracy", learnt.accuracy(step)) + "}\n";
}

}  // namespace

std::string as_column(std::string words) {
  constexpr std::string_view rate = "/s";
  if (const auto at = words.find(rate); at != std::string::npos) {
    words.replace(at, rate.size(), "_per_second");
  }
  std::ranges::replace_if(
      words, [](char c) { return c == ' ' || c == '-'; }, '_');
  return words;
}

std::string column_of(Share share) { return as_column(std::string(tpulab::name_of(share))) + "_s"; }

Exported trace_of(const RunEvidence& run, std::int64_t most_steps) {
  const std::vector<StepTimeline> steps = timeline_of(run, Detail::kernels);
  const std::int64_t shown = std::min(most_steps, std::ssize(steps));
  ChromeTrace trace =
      chrome_trace(std::span(steps).first(static_cast<std::size_t>(shown)), run.machine);
  return {.text = std::move(trace.json),
          .steps = shown,
          .recorded = std::ssize(steps),
          .first_step = first_step_of(run, steps),
          .lines = trace.events};
}

Exported steps_of(const RunEvidence& run, StepLines kind) {
  std::string text = kind == StepLines::csv ? head() : std::string{};
  const std::vector<StepTimeline> steps = timeline_of(run, Detail::shares);
  const Learnt learnt(run.curves);
  const std::int64_t first = first_step_of(run, steps);
  SteadySteps steady;
  if (first > 0) steady.forget();  // what fills pipelines is not among them
  for (const StepTimeline& step : steps) {
    const bool counts = steady.add(step);
    text +=
        kind == StepLines::csv ? csv_line(step, counts, learnt) : json_line(step, counts, learnt);
  }
  const std::int64_t count = std::ssize(steps);
  return {.text = std::move(text),
          .steps = count,
          .recorded = count,
          .first_step = first,
          .lines = count};
}

}  // namespace tpulab
