// exchanges: devices wait for weights and gradients that another mesh would exchange less of.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "engine/advice/diagnosis.h"
#include "engine/base/text.h"

namespace tpulab::exchanges_diagnosis {

namespace {

// "448 all-gather, 224 reduce-scatter"
std::string calls_of(const RecordedRun& run) {
  std::map<std::string, std::int64_t> calls;
  for (const auto& program : run.train_programs()) {
    for (const Kernel& kernel : program->kernels) {
      if (kernel.collective) calls[kernel.name] += kernel.runs;
    }
  }
  std::vector<std::string> texts;
  texts.reserve(calls.size());
  for (const auto& [name, count] : calls) {
    texts.push_back(fmt::format("{} {}", text_with_commas(count), name));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

Finding in_run(const RecordedRun& run) {
  constexpr double little = 0.05;
  const double share = run.share(Share::collective_transfer);
  if (share < little) return {};
  const int of_slice = run.machine.world() / run.machine.slice.joined;
  std::vector<std::string> tries{"mesh auto", fmt::format("mesh fsdp={}", of_slice)};
  for (const char* axis : {"expert", "tensor", "context"}) {
    for (int devices = 2; devices <= 64 && devices <= run.machine.world(); devices *= 2) {
      tries.push_back(fmt::format("mesh {}={}", axis, devices));
    }
  }
  return found(
      {fmt::format("collectives take {} of a step of {} on {} {}s: {}", text_of_share(share),
                   text_of(run.mean_step()), run.machine.world(), run.machine.slice.device_word(),
                   calls_of(run))},
      "a mesh that divides experts or layers sends rows in the place of weights, one of long rows "
      "their keys and values, one that shares weights alone no rows, and updates each weight once: "
      "another may take less",
      std::move(tries));
}

}  // namespace

extern const Diagnosis row;
const Diagnosis row{
    .name = "exchanges",
    .title = "devices wait for what they exchange",
    .family = Family::structure,
    .caused_by = "stack jax; slice v5p-2048; batch 1; model deepseek-v3; remat full",
    .cured_by = "mesh expert=16",
    .change =
        "another Mesh: axes that experts, tokens, heads and hidden widths are divided along, or "
        "weights alone; MaxText: ici_expert_parallelism, ici_context_parallelism, "
        "ici_tensor_parallelism, ici_fsdp_parallelism",
    .in_run = in_run,
};

}  // namespace tpulab::exchanges_diagnosis
