// preempted: the slice was taken back, and the steps since the newest checkpoint are trained again.
#include <fmt/format.h>

#include <algorithm>

#include "engine/advice/diagnosis.h"
#include "engine/base/text.h"

namespace tpulab::preempted_diagnosis {

namespace {

// What the steps took that were trained again: those of the process that was lost.
Picoseconds lost_time(const RecordedRun& run, std::int64_t from) {
  Picoseconds lost{};
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    if (run.records[i].process == 0 && run.records[i].kind == StepKind::train &&
        run.records[i].step >= from) {
      lost += run.steps[i].duration();
    }
  }
  return lost;
}

Finding in_run(const RecordedRun& run) {
  const auto restart = std::ranges::find(run.steps, StepKind::restart, &StepTimeline::kind);
  if (restart == run.steps.end()) return {};
  const Event& event = *restart->events.front().event;
  if (event.count == 0) return {};
  std::vector<std::string> tries;
  for (const std::int64_t part : {4, 2, 8}) {
    if (event.count >= part)
      tries.push_back(fmt::format("save_every_n_steps {}", event.count / part));
  }
  return found({fmt::format("step {}: {}", restart->step, event.cause),
                fmt::format("they took {}, compiles included",
                            text_of(lost_time(run, restart->step - event.count)))},
               "on average half of what lies between two checkpoints is lost, and each costs a "
               "wait for the devices and a read of weights and optimizer state",
               std::move(tries));
}

}  // namespace

extern const Diagnosis row;
const Diagnosis row{
    .name = "preempted",
    .title = "steps are trained again after the slice was taken back",
    .family = Family::hardware,
    .caused_by = "batch 128; model resnet50; numbers off; preempt host@40",
    .cured_by = "save_every_n_steps 10",
    .change =
        "ModelCheckpoint(every_n_train_steps=...) and trainer.fit(..., ckpt_path=\"last\"); or "
        "TPUs that are reserved or on demand in place of spot ones",
    .in_run = in_run,
};

}  // namespace tpulab::preempted_diagnosis
