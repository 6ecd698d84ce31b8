// validation_graph: nothing cuts between the batches of validation, which compile as one graph.
#include <fmt/format.h>

#include <algorithm>

#include "engine/advice/diagnosis.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

// Longer than a step of training, by so much that more than one batch is in it.
constexpr int longer = 2;

std::int64_t batches_of(const StepTimeline& step) {
  return std::ranges::count_if(step.events, [](const TimedEvent& timed) {
    const EventKind kind = timed.event->kind;
    return kind == EventKind::load || in_background(kind);
  });
}

int traced_by_steps(const RecordedRun& run) {
  int most = 0;
  for (const StepTimeline* step : run.steady) {
    for (const TimedEvent& timed : step->events) {
      if (timed.event->program) most = std::max(most, timed.event->program->traced);
    }
  }
  return most;
}

Finding in_run(const RecordedRun& run) {
  const int usual = traced_by_steps(run);
  for (const StepTimeline& step : run.steps) {
    if (step.kind != StepKind::evaluate || usual == 0) continue;
    for (const TimedEvent& timed : step.events) {
      const Event& event = *timed.event;
      if (event.kind != EventKind::compile || event.program->traced < longer * usual) continue;
      const Picoseconds time = timed.end - timed.start;
      return found(
          {fmt::format(
              "step {}: {} batches of validation compile as one graph of {} operations in {}, "
              "{:.0f} % of the run; a training step has {}",
              step.step, text_with_commas(batches_of(step)),
              text_with_commas(event.program->traced), text_of(time),
              100 * in_seconds(time) / in_seconds(run.time), text_with_commas(usual))},
          "no loader cuts on one device: what validation traces waits until its accuracy is read",
          {"sync_validation on"});
    }
  }
  return {};
}

}  // namespace

extern const Diagnosis validation_graph_diagnosis;
const Diagnosis validation_graph_diagnosis{
    .name = "validation_graph",
    .title = "all batches of validation are one graph",
    .family = Family::shapes,
    .caused_by = "devices 1; batch 4",
    .cured_by = "sync_validation on",
    .change = "torch_xla.sync(), in older releases xm.mark_step(), at the end of validation_step",
    .in_run = in_run,
};

}  // namespace tpulab
