// tracing_stack: every step is traced again by the host.
#include <fmt/format.h>

#include "engine/advice/diagnosis.h"
#include "engine/base/text.h"

namespace tpulab::tracing_stack_diagnosis {

namespace {

Finding in_run(const RecordedRun& run) {
  if (run.steady.empty()) return {};
  std::int64_t traced = 0;
  Picoseconds time{};
  for (const TimedEvent& timed : run.steady.back()->events) {
    if (timed.event->kind != EventKind::trace) continue;
    traced += timed.event->count;
    time += timed.end - timed.start;
  }
  const std::size_t group = run.group_with_most(Share::host_tracing);
  const double waited = run.share(Share::host_tracing, group);
  if (time.count() == 0 || waited < 0.05) return {};
  const std::string who = run.groups.size() > 1
                              ? fmt::format("of {} devices {} wait", run.machine.world(),
                                            run.groups[group].devices.size())
                              : "the devices wait";
  return found({fmt::format("step {}: {} traced in {}; {} {} of a step", run.steady.back()->step,
                            count_with(traced, "operation"), of_a_step(run, time), who,
                            text_of_share(waited))},
               "a function that is compiled once is not traced again", {"stack jax"});
}

}  // namespace

extern const Diagnosis row;
const Diagnosis row{
    .name = "tracing_stack",
    .title = "the host traces every step again",
    .family = Family::software,
    .caused_by = "stack pytorch-xla",
    .cured_by = "stack jax",
    .change =
        "torch_xla.compile(step) leaves the tracing as it is; a jitted function of JAX is "
        "traced once",
    .changes_training = true,
    .in_run = in_run,
};

}  // namespace tpulab::tracing_stack_diagnosis
