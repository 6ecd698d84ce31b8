// last_batch: the shorter batch at an epoch's end compiles a program of its own.
#include <fmt/format.h>

#include <algorithm>

#include "engine/advice/diagnosis.h"
#include "engine/advice/script_facts.h"
#include "engine/base/text.h"

namespace tpulab::last_batch_diagnosis {

namespace {

constexpr std::int64_t sizes_with_a_last_batch = 2;

// Null if no compile belongs to a step with fewer rows than others have.
const StepTimeline* short_step(const RecordedRun& run) {
  std::int64_t usual = 0;
  for (const StepTimeline& step : run.steps) {
    if (step.kind == StepKind::train) usual = std::max(usual, step.samples);
  }
  const auto one = std::ranges::find_if(run.steps, [&](const StepTimeline& step) {
    return step.kind == StepKind::train && step.compiled && step.samples < usual;
  });
  return one == run.steps.end() ? nullptr : &*one;
}

Finding in_run(const RecordedRun& run) {
  if (run.sizes_of_batches() > sizes_with_a_last_batch) return {};  // recompiles
  const StepTimeline* step = short_step(run);
  if (step == nullptr) return {};
  Finding finding = found({}, "once a run, and once more in evaluation; longer training hides it",
                          {"drop_last on"});
  for (const TimedEvent& timed : step->events) {
    if (timed.event->kind != EventKind::compile) continue;
    finding.certain.push_back(
        fmt::format("step {}: batch of {} instead of {} rows a device; compile {} ({}): {}",
                    step->step, step->samples / run.machine.world(), run.usual_rows(),
                    timed.event->name, text_of(timed.compile()), timed.event->cause));
  }
  return finding;
}

Finding in_script(const ScriptFacts& facts) {
  if (facts.steps < 2) return cannot_tell("a single step was recorded");
  if (!facts.dynamic.empty()) return cannot_tell("a shape depends on values, which changes graphs");
  std::vector<const ScriptGraph*> shorter;
  for (const ScriptGraph& graph : facts.graphs) {
    if (graph.kind == GraphKind::shorter_batch) shorter.push_back(&graph);
  }
  if (shorter.size() != 1) return {};  // more of them: recompiles
  const ScriptGraph& one = *shorter.front();
  return found_in_script(
      {fmt::format("{}, the first is step {}: {}", count_with(one.steps, "step"), one.first,
                   one.difference)},
      "fewer rows are another graph, which compiles once, and once more in evaluation", 0.15);
}

}  // namespace

extern const Diagnosis row;
const Diagnosis row{
    .name = "last_batch",
    .title = "the last, shorter batch compiles a program of its own",
    .family = Family::shapes,
    .caused_by = "drop_last off",
    .cured_by = "drop_last on",
    .change =
        "DataLoader(..., drop_last=True), or a batch that divides the rows; an epoch leaves "
        "out the rows that fill no batch",
    .in_run = in_run,
    .in_script = in_script,
};

}  // namespace tpulab::last_batch_diagnosis
