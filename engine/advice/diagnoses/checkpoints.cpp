// checkpoints: weights and optimizer state are read and written so often that steps wait for it.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "engine/advice/diagnosis.h"
#include "engine/base/text.h"

namespace tpulab::checkpoints_diagnosis {

namespace {

bool is_saved(const TimedEvent& timed) { return timed.event->name == checkpoint_read; }

// Steps between the newest two, or that the records have before the only one.
std::int64_t steps_between(const RecordedRun& run) {
  std::int64_t before = run.records.empty() ? 0 : run.records.front().step;
  std::int64_t newest = before;
  for (const StepTimeline& step : run.steps) {
    if (std::ranges::any_of(step.events, is_saved)) before = std::exchange(newest, step.step);
  }
  return newest > before ? newest - before : newest;  // steps come again where a slice was lost
}

// Saved less often than that, nothing lies on disk when the slice is taken back.
std::int64_t most_steps_between(const RecordedRun& run) {
  const auto restart = std::ranges::find(run.steps, StepKind::restart, &StepTimeline::kind);
  return restart == run.steps.end() ? std::numeric_limits<std::int64_t>::max() : restart->step;
}

Finding in_run(const RecordedRun& run) {
  std::int64_t times = 0;
  Picoseconds time{};
  for (const StepTimeline* step : run.steady) {
    for (const TimedEvent& timed : step->events) {
      if (!is_saved(timed)) continue;
      ++times;
      time += timed.end - timed.start - timed.waited;
    }
  }
  if (times == 0) return {};
  const std::int64_t every = std::max<std::int64_t>(steps_between(run), 1);
  const std::int64_t most = most_steps_between(run);
  std::vector<std::string> tries;
  for (const std::int64_t more : {4, 10, 100, 1000}) {
    if (every * more > most) break;
    tries.push_back(fmt::format("save_every_n_steps {}", every * more));
  }
  if (tries.empty()) return {};
  return found(
      {fmt::format("{} in the newest {}, each a read of weights and optimizer state that "
                   "takes {}",
                   count_with(times, "checkpoint"),
                   count_with(std::ssize(run.steady), "steady step"), text_of(time / times))},
      "the devices stand still while a checkpoint is read; what is lost when a slice is "
      "taken back is half of what lies between two",
      std::move(tries));
}

}  // namespace

extern const Diagnosis row;
const Diagnosis row{
    .name = "checkpoints",
    .title = "checkpoints are saved so often that steps wait",
    .family = Family::habits,
    .caused_by = "save_every_n_steps 2",
    .cured_by = "save_every_n_steps 100",
    .change =
        "ModelCheckpoint(every_n_train_steps=...) with a larger number, or checkpoints that "
        "are written beside the steps (orbax, torch.distributed.checkpoint.async_save)",
    .in_run = in_run,
};

}  // namespace tpulab::checkpoints_diagnosis
