// validation_graph: nothing cuts between the batches of validation, which compile as one graph.
#include <fmt/format.h>

#include "engine/advice/diagnosis.h"
#include "engine/base/text.h"
#include "engine/machine/price.h"

namespace tpulab::validation_graph_diagnosis {

namespace {

// The one program that reads all batches of that validation; null where each has its own.
const Program* program_of_all(const StepTimeline& step, std::int64_t& batches) {
  const Program* program = nullptr;
  std::int64_t programs = 0;
  for (const TimedEvent& timed : step.events) {
    const EventKind kind = timed.event->kind;
    if (kind == EventKind::load || in_background(kind)) ++batches;
    if (kind != EventKind::dispatch) continue;
    program = timed.event->program.get();
    ++programs;
  }
  return programs == 1 && batches > 1 ? program : nullptr;
}

// Judged by what runs: it need not have been compiled by this run.
Finding in_run(const RecordedRun& run) {
  for (const StepTimeline& step : run.steps) {
    if (step.kind != StepKind::evaluate) continue;
    std::int64_t batches = 0;
    const Program* const program = program_of_all(step, batches);
    if (program == nullptr) continue;
    return found(
        {fmt::format("step {}: {} batches of validation are one graph of {} operations, which "
                     "compiles for {}",
                     step.step, text_with_commas(batches),
                     text_with_commas(program->traced - std::ssize(program->inputs)),
                     text_of(compile_time(program->compiled_nodes(), run.machine)))},
        "no loader cuts on one device: what validation traces waits until its accuracy is read",
        {"sync_validation on"});
  }
  return {};
}

}  // namespace

extern const Diagnosis row;
const Diagnosis row{
    .name = "validation_graph",
    .title = "all batches of validation are one graph",
    .family = Family::shapes,
    .caused_by = "devices 1; batch 4",
    .cured_by = "sync_validation on",
    .change = "torch_xla.sync(), in older releases xm.mark_step(), at the end of validation_step",
    .in_run = in_run,
};

}  // namespace tpulab::validation_graph_diagnosis
