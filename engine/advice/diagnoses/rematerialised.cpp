// rematerialised: the backward pass runs layers' forward pass again, or waits for what the host
// keeps of it.
#include <fmt/format.h>

#include <algorithm>

#include "engine/advice/diagnosis.h"
#include "engine/base/text.h"

namespace tpulab::rematerialised_diagnosis {

namespace {

bool has_bubble(const Program& program) {
  return std::ranges::any_of(program.kernels, [](const Kernel& one) { return one.empty > 0; });
}

Finding in_run(const RecordedRun& run) {
  const Program* const program = run.train_program();
  if (program == nullptr || (program->made_again == 0 && program->offloaded == Bytes{})) return {};
  std::vector<std::string> certain;
  if (program->made_again > 0) {
    certain.push_back(
        fmt::format("{} operations of the forward pass run once more in each backward pass; a step "
                    "takes {}",
                    text_with_commas(program->made_again), text_of(run.mean_step())));
  }
  if (program->offloaded > Bytes{}) {
    certain.push_back(
        fmt::format("for each backward pass a device sends {} to its host's memory "
                    "and takes it back{}",
                    text_of(program->offloaded),
                    has_bubble(*program) ? ", of a pipeline's turns without rows as much as of "
                                           "the others"
                                         : ""));
  }
  return found(
      std::move(certain), "what HBM has room for need neither be computed nor sent again",
      {"remat none", "remat minimal", "remat narrow", "remat full", "remat minimal-offload"});
}

}  // namespace

extern const Diagnosis row;
const Diagnosis row{
    .name = "rematerialised",
    .title = "layers run forward twice, or wait for what the host keeps",
    .family = Family::structure,
    .caused_by =
        "stack jax; slice v5p-64; batch 1; model llama3-8b; precision bf16-mixed; remat full",
    .cured_by = "remat none",
    .change =
        "another remat policy; MaxText: remat_policy=minimal; flax.linen.remat(policy=...), "
        "torch_xla.utils.checkpoint",
    .in_run = in_run,
};

}  // namespace tpulab::rematerialised_diagnosis
