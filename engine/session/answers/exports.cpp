#include "engine/session/answers/exports.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/formats/chrome_trace.h"

namespace tpulab {

namespace {

std::string head() {
  std::string line = "step,kind,samples,begin_s,end_s,compiled";
  for (int i = 0; i < share_count; ++i) line += "," + column_of(static_cast<Share>(i));
  return line + "\n";
}

// What is loaded from disk is not compiled.
bool compiles(const StepTimeline& step) {
  return std::ranges::any_of(step.events, [](const TimedEvent& timed) {
    return timed.event->kind == EventKind::compile && !timed.event->from_disk;
  });
}

std::string csv_line(const StepTimeline& step) {
  std::string line =
      fmt::format("{},{},{},{:.9f},{:.9f},{}", step.step, name_of(step.kind), step.samples,
                  in_seconds(step.begin), in_seconds(step.end), compiles(step) ? 1 : 0);
  for (const Picoseconds part : step.shares) line += fmt::format(",{:.9f}", in_seconds(part));
  return line + "\n";
}

std::string json_line(const StepTimeline& step) {
  std::string line = fmt::format(R"({{"step": {}, "kind": "{}", "samples": {}, )"
                                 R"("begin_s": {:.9f}, "end_s": {:.9f}, "compiled": {})",
                                 step.step, name_of(step.kind), step.samples,
                                 in_seconds(step.begin), in_seconds(step.end), compiles(step));
  for (int i = 0; i < share_count; ++i) {
    line += fmt::format(R"(, "{}": {:.9f})", column_of(static_cast<Share>(i)),
                        in_seconds(step.shares[static_cast<std::size_t>(i)]));
  }
  return line + "}\n";
}

}  // namespace

std::string column_of(Share share) {
  std::string name(tpulab::name_of(share));
  std::ranges::replace_if(
      name, [](char c) { return c == ' ' || c == '-'; }, '_');
  return name + "_s";
}

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
  for (const StepTimeline& step : steps) {
    text += kind == StepLines::csv ? csv_line(step) : json_line(step);
  }
  const std::int64_t count = std::ssize(steps);
  return {.text = std::move(text),
          .steps = count,
          .recorded = count,
          .first_step = first_step_of(run, steps),
          .lines = count};
}

}  // namespace tpulab
