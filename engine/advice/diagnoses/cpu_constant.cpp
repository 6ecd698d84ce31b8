// cpu_constant: a tensor is made on the CPU in every step, and sent.
#include <fmt/format.h>

#include "engine/advice/diagnosis.h"
#include "engine/base/text.h"

namespace tpulab::cpu_constant_diagnosis {

namespace {

constexpr Bytes scalar_bytes{4};  // scalars of the optimizer are sent alone

struct Uploads {
  std::int64_t count = 0;
  std::int64_t steps = 0;  // that have one
  Picoseconds time{};
  Bytes sent{};
};

// One core's own loader sends the batch behind its load.
void add_uploads(const StepTimeline& step, Uploads& uploads) {
  const std::int64_t before = uploads.count;
  const Event* previous = nullptr;
  for (const TimedEvent& timed : step.events) {
    const Event* last = std::exchange(previous, timed.event);
    if (timed.event->kind != EventKind::upload || timed.event->sent <= scalar_bytes) continue;
    const bool of_batch =
        last != nullptr && (last->kind == EventKind::load || last->kind == EventKind::next_rows);
    if (of_batch) continue;
    ++uploads.count;
    uploads.time += timed.end - timed.start;
    uploads.sent += timed.event->sent;
  }
  uploads.steps += uploads.count > before ? 1 : 0;
}

Finding in_run(const RecordedRun& run) {
  Uploads uploads;
  for (const StepTimeline* step : run.steady) add_uploads(*step, uploads);
  if (uploads.count == 0 || uploads.steps * 2 < std::ssize(run.steady)) return {};
  return found({fmt::format("{} besides the batch sent in {} of the newest {}, {} in all, {}",
                            count_with(uploads.count, "tensor"), uploads.steps,
                            count_with(std::ssize(run.steady), "steady step"),
                            text_of(uploads.sent), of_a_step(run, uploads.time / uploads.steps))},
               "the host sends it while it traces, so that the step's program waits for it",
               {"cpu_constant off"});
}

// What is sent in each step is named as an upload, with its line.
Finding in_script(const ScriptFacts&) { return {}; }

}  // namespace

extern const Diagnosis row;
const Diagnosis row{
    .name = "cpu_constant",
    .title = "a tensor is made on the CPU in every step",
    .family = Family::habits,
    .caused_by = "cpu_constant on",
    .cured_by = "cpu_constant off",
    .change =
        "make it once, register_buffer() or device=self.device, instead of "
        "torch.tensor(...).to(device) in training_step",
    .in_run = in_run,
    .in_script = in_script,
};

}  // namespace tpulab::cpu_constant_diagnosis
