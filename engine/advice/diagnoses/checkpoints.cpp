// checkpoints: weights and optimizer state are read and written so often that steps wait for it.
#include <fmt/format.h>

#include <vector>

#include "engine/advice/diagnosis.h"
#include "engine/base/text.h"

namespace tpulab::checkpoints_diagnosis {

namespace {

Finding in_run(const RecordedRun& run) {
  std::vector<std::int64_t> saved;  // behind these steps
  Picoseconds time{};
  for (const StepTimeline* step : run.steady) {
    for (const TimedEvent& timed : step->events) {
      if (timed.event->name != checkpoint_read) continue;
      saved.push_back(step->step);
      time += timed.end - timed.start - timed.waited;
    }
  }
  if (saved.size() < 2) return {};
  const auto times = static_cast<std::int64_t>(saved.size());
  const std::int64_t every = (saved.back() - saved.front()) / (times - 1);
  std::vector<std::string> tries;
  for (const std::int64_t more : {10, 100, 1000}) {
    tries.push_back(fmt::format("save_every_n_steps {}", every * more));
  }
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
