// replicated_update: each device updates all weights, where each could update its part.
#include <fmt/format.h>

#include "engine/advice/diagnosis.h"
#include "engine/base/text.h"

namespace tpulab::replicated_update_diagnosis {

namespace {

// What all devices sum: of a mesh that divides layers these are parts, and each updates its own.
Bytes bytes_of_gradients(const RecordedRun& run) {
  Bytes sum;
  const int of_slice = run.machine.world() / run.machine.slice.joined;
  for (const auto& program : run.train_programs()) {
    for (const Kernel& kernel : program->kernels) {
      for (const Work& work : kernel.work->items) {
        const auto* sent = std::get_if<CollectiveWork>(&work);
        if (sent == nullptr || sent->kind != CollectiveKind::all_reduce) continue;
        if (sent->among.size == 0 || sent->among.size >= of_slice) {
          sum += Bytes{sent->bytes.value * kernel.runs};
        }
      }
    }
  }
  return sum;
}

Finding in_run(const RecordedRun& run) {
  constexpr double little = 0.005;
  // A weight and its gradient are read, the weight is written; moments come on top.
  constexpr double least_updated = 3;
  const Bytes gradients = bytes_of_gradients(run);
  const double seconds = least_updated * static_cast<double>(gradients.value) /
                         run.machine.generation().hbm_bytes_per_second;
  const double step = in_seconds(run.mean_step());
  if (step <= 0 || seconds < little * step) return {};
  const int of_slice = run.machine.world() / run.machine.slice.joined;
  return found(
      {fmt::format("gradients of {} are summed, and each of {} {}s updates all weights and "
                   "their moments: at the peak of its HBM {} at least of a step of {}",
                   text_of(gradients), run.machine.world(), run.machine.slice.device_word(),
                   text_of(picoseconds_from_seconds(seconds)), text_of(run.mean_step()))},
      "devices that share weights update each once, for the price of gathering them",
      {fmt::format("mesh fsdp={}", of_slice)});
}

}  // namespace

extern const Diagnosis row;
const Diagnosis row{
    .name = "replicated_update",
    .title = "every device updates all weights",
    .family = Family::structure,
    .caused_by = "stack jax; slice v3-128; model bert-large; batch 4; precision bf16-mixed",
    .cured_by = "mesh fsdp=128",
    .change =
        "a Mesh with an axis along which weights and optimizer state are divided; MaxText: "
        "ici_fsdp_parallelism",
    .in_run = in_run,
};

}  // namespace tpulab::replicated_update_diagnosis
