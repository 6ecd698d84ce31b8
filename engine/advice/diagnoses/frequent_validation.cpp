// frequent_validation: a run validates so often that this takes a good part of its time.
#include <fmt/format.h>

#include <array>
#include <utility>

#include "engine/advice/diagnosis.h"
#include "engine/base/text.h"

namespace tpulab::frequent_validation_diagnosis {

namespace {

constexpr double least_share = 0.05;  // of the time from one to the next
constexpr std::array less_often{2, 5, 10, 20, 50, 100};

Picoseconds without_compile(const StepTimeline& step) {
  return step.duration() - step.shares[index_of(Share::compile)];
}

struct Validations {
  std::int64_t newest = 0;  // the step that it came behind
  std::int64_t steps = 0;   // from one to the next
  Picoseconds time{};       // of the newest
};

// The sanity check comes behind none. Where steps between two of them are left out, these lie
// further apart than they were.
Validations validations_in(const RecordedRun& run) {
  Validations all;
  for (const StepTimeline& step : run.steps) {
    if (step.kind != StepKind::evaluate || step.step == 0) continue;
    const std::int64_t steps = step.step - std::exchange(all.newest, step.step);
    if (all.steps == 0 || (steps > 0 && steps < all.steps)) all.steps = steps;
    all.time = without_compile(step);
  }
  return all;
}

std::vector<std::string> tries_from(std::int64_t steps) {
  std::vector<std::string> tries;
  for (const int times : less_often) {
    tries.push_back(fmt::format("val_check_interval {}", times * steps));
    tries.push_back(fmt::format("check_val_every_n_epoch {}", times));
  }
  return tries;
}

Finding in_run(const RecordedRun& run) {
  const Validations all = validations_in(run);
  const std::int64_t steps = all.steps;
  const Picoseconds step = run.mean_step();
  if (steps <= 0 || step.count() <= 0) return {};
  const double as_steps = in_seconds(all.time) / in_seconds(step);
  if (as_steps < least_share * (as_steps + static_cast<double>(steps))) return {};
  return found({fmt::format("the validation behind step {} takes {}, as long as {:.3g} steps; {} "
                            "from one to the next",
                            text_with_commas(all.newest), text_of(all.time), as_steps,
                            count_with(steps, "step"))},
               "nothing is trained meanwhile; how often is yours to choose: the best weights are "
               "kept, and overfitting is seen, only as often",
               tries_from(steps));
}

}  // namespace

extern const Diagnosis row;
const Diagnosis row{
    .name = "frequent_validation",
    .title = "validation takes much of the run",
    .family = Family::structure,
    .caused_by =
        "numbers off; model resnet50; stack jax; batch 128; max_steps 500; val_check_interval 20",
    .cured_by = "val_check_interval 250",
    .change =
        "Trainer(val_check_interval=..., check_val_every_n_epoch=...) with a larger number, or "
        "limit_val_batches=... with a smaller one",
    .between_steps = true,
    .in_run = in_run,
};

}  // namespace tpulab::frequent_validation_diagnosis
