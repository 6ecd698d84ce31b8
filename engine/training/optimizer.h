// Optimizers as graph code, so that their update is part of the step's program.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "engine/graph/graph.h"

namespace tpulab {

// sgd_alone: without momentum, where a kind is all that is known.
enum class OptimizerKind : std::uint8_t { sgd, adam, adamw, lamb, sgd_alone };
OptimizerKind optimizer_named(std::string_view name);  // throws Error
std::string_view name_of(OptimizerKind kind);

struct OptimizerOptions {
  OptimizerKind kind = OptimizerKind::adam;
  double learning_rate = 1e-3;
  double momentum = 0.9;
  std::int64_t warmup_steps = 0;
  double weight_decay = -1;  // below 0: as torch has it, 0.01 of adamw and lamb, else none
};

// The learning rate of optimizer step `step` (from 0): rises linearly from 0 over the warm-up.
double learning_rate_at(const OptimizerOptions& options, std::int64_t step);

// The scalars of a step's update that are others in another step.
std::vector<double> changing_scalars(const OptimizerOptions& options, std::int64_t step);

// Bits of those, in f32, that a host which traces each step sends. 0, 1 and -1 are constants of the
// program. [xla-counts]
std::vector<std::uint32_t> sent_scalars(const OptimizerOptions& options, std::int64_t step);

// Steps from `step` on, each of which sends as many new scalars as the one before `step` did, for
// the same program; `all_steps` once none will be another.
inline constexpr std::int64_t all_steps = std::numeric_limits<std::int64_t>::max() / 4;
std::int64_t steps_sending_alike(const OptimizerOptions& options, std::int64_t step);

// Arrays of the parameter's shape: sgd the velocity, unless momentum is 0; others both moments.
int state_count(const OptimizerOptions& options);

struct Updated {
  Tensor parameter;
  std::vector<Tensor> state;
};

// As torch.optim.SGD and torch.optim.Adam (betas 0.9 and 0.999, eps 1e-8) compute it, op by op.
// Weight decay: of sgd and adam, so much of the weight is added to its gradient; of adamw, as of
// torch.optim.AdamW, the weight loses so much of itself times the learning rate before adam's step.
// lamb: adam's step plus the decay of the weight, times the norm of the weights over that of this
// step, of each parameter alone; 1 where one of them is 0 (You et al., arXiv 1904.00962, eps 1e-6).
// Of a part of a parameter it is that part's norm. Without `state` it is made here, in the step's
// own graph: a velocity is the first gradient, moments start at zero. `state` of the result is
// empty where none is kept.
Updated update(const OptimizerOptions& options, std::int64_t step, Tensor parameter,
               Tensor gradient, const std::vector<Tensor>& state);

}  // namespace tpulab
