// scores_in_hbm: attention writes its scores to HBM and reads them again.
#include <fmt/format.h>

#include <algorithm>

#include "engine/advice/diagnosis.h"
#include "engine/base/text.h"
#include "engine/runtime/program_prices.h"

namespace tpulab::scores_in_hbm_diagnosis {

namespace {

constexpr double least_share = 0.05;  // of a step: below, no remedy could gain as much

struct Moved {
  Operand scores{};  // of the largest softmax
  std::int64_t kernels = 0;
  Picoseconds time{};
  Picoseconds bound{};  // of that, of kernels that HBM binds
};

// That of a loss has a name of its own.
bool has_softmax(const Kernel& kernel) {
  const std::vector<std::string> ops = split(kernel.name, '+');
  return std::ranges::any_of(
      ops, [](const std::string& op) { return op == "softmax" || op == "softmax-gradient"; });
}

Operand largest_scores(const Program& program) {
  Operand largest;
  for (const Kernel& kernel : program.kernels) {
    if (!has_softmax(kernel)) continue;
    for (const Operand& one : kernel.work->writes) {
      if (one.shape.elements() > largest.shape.elements()) largest = one;
    }
  }
  return largest;
}

// Heads that share keys may be an axis of their own, or more rows or columns; weights have two
// axes.
bool moves(const KernelWork& work, const Shape& scores) {
  const auto is_of_scores = [&](const Operand& one) {
    if (one.shape.rank() <= 2 || one.shape.elements() != scores.elements()) return false;
    const auto [narrow, wide] = std::minmax({one.shape.at(-1), scores.at(-1)});
    return wide % narrow == 0;
  };
  return std::ranges::any_of(work.reads, is_of_scores) ||
         std::ranges::any_of(work.writes, is_of_scores);
}

void add(const std::shared_ptr<const Program>& program, const Machine& machine, Moved& moved) {
  const Operand scores = largest_scores(*program);
  if (scores.shape.rank() <= 2) return;
  moved.scores = scores;
  const auto priced = shared_price(program, machine);
  for (std::size_t k = 0; k < program->kernels.size(); ++k) {
    const Kernel& kernel = program->kernels[k];
    if (!moves(*kernel.work, scores.shape)) continue;
    moved.kernels += kernel.runs;
    moved.time += priced->price.exposed[k];
    if (priced->price.kernels[k].bound == Bound::hbm) moved.bound += priced->price.exposed[k];
  }
}

std::vector<std::string> counted(const Moved& moved, const RecordedRun& run) {
  return {
      fmt::format("attention's scores lie in HBM as {}, {}",
                  text_of(moved.scores.dtype, moved.scores.shape), text_of(moved.scores.bytes())),
      fmt::format("{} that read or write them take {}; HBM binds {} of it",
                  count_with(moved.kernels, "kernel"), of_a_step(run, moved.time),
                  text_of(moved.bound))};
}

// No release of TensorFlow has such a kernel for a TPU.
Finding in_run(const RecordedRun& run) {
  if (run.machine.stack->name.starts_with("tensorflow")) return {};
  Moved moved;
  for (const auto& program : run.train_programs()) add(program, run.machine, moved);
  if (run.steady.empty() || moved.time < scaled(run.mean_step(), least_share)) return {};
  Finding finding = found(counted(moved, run),
                          "one kernel keeps a block of them in VMEM and moves queries, keys and "
                          "values alone; its backward pass computes scores again",
                          {"attention fused"});
  if (run.machine.stack->traces_each_step()) return finding;
  finding.traced_once =
      "in JAX: jax.experimental.pallas.ops.tpu.splash_attention, for rows of whole blocks of 128 "
      "tokens (MaxText: attention=flash)";
  return finding;
}

}  // namespace

extern const Diagnosis row;
const Diagnosis row{
    .name = "scores_in_hbm",
    .title = "attention's scores cross HBM",
    .family = Family::structure,
    .caused_by = "slice v5e-16; batch 1; model llama2-7b; precision bf16-true; remat full",
    .cured_by = "attention fused",
    .change =
        "flash_attention(q, k, v) of torch_xla.experimental.custom_kernel in the place of a "
        "softmax between two products, for rows of whole blocks of 128 tokens",
    .in_run = in_run,
};

}  // namespace tpulab::scores_in_hbm_diagnosis
