// bubble: stages of a pipeline have no rows while others begin or end a batch.
#include <fmt/format.h>

#include <algorithm>

#include "engine/advice/diagnosis.h"
#include "engine/base/text.h"

namespace tpulab::bubble_diagnosis {

namespace {

// Other numbers of stages, each with four microbatches a stage: a bubble of a fifth.
std::vector<std::string> other_meshes(int devices) {
  std::vector<std::string> tries{"mesh auto"};
  for (int stages = 2; stages <= std::min(devices, 16); stages *= 2) {
    tries.push_back(fmt::format("mesh pipeline={}/microbatches={}", stages, 4 * stages));
  }
  return tries;
}

double share_without_rows(const Kernel& kernel) {
  return static_cast<double>(kernel.empty) / static_cast<double>(kernel.runs);
}

// Of the emptiest kernels of a step's programs.
Kernel emptiest_runs(const RecordedRun& run) {
  Kernel sum;
  sum.runs = 0;
  for (const auto& program : run.train_programs()) {
    if (program->kernels.empty()) continue;
    const Kernel& emptiest = *std::ranges::max_element(program->kernels, {}, share_without_rows);
    sum.runs += emptiest.runs;
    sum.empty += emptiest.empty;
  }
  return sum;
}

Finding in_run(const RecordedRun& run) {
  constexpr double little = 0.1;
  const Kernel runs = emptiest_runs(run);
  if (runs.runs == 0 || share_without_rows(runs) < little) return {};
  return found(
      {fmt::format("{} of {} runs of a stage's layers have no rows, in a step of {}",
                   text_with_commas(runs.empty), text_with_commas(runs.runs),
                   text_of(run.mean_step()))},
      "without stages there is no bubble, with fewer of them or more microbatches a smaller one",
      other_meshes(run.machine.world()));
}

}  // namespace

extern const Diagnosis row;
const Diagnosis row{
    .name = "bubble",
    .title = "stages of a pipeline wait for rows",
    .family = Family::structure,
    .caused_by =
        "stack jax; slice v5p-128; batch 1; model llama2-7b; remat full; "
        "mesh pipeline=8/microbatches=8",
    .cured_by = "mesh auto",
    .change =
        "more microbatches, or another Mesh; MaxText: num_pipeline_microbatches, "
        "ici_pipeline_parallelism",
    .in_run = in_run,
};

}  // namespace tpulab::bubble_diagnosis
