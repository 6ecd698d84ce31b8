// Optimizers as graph code, so that their update is part of the step's program.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/graph/graph.h"

namespace tpulab {

enum class OptimizerKind : std::uint8_t { sgd, adam };
OptimizerKind optimizer_named(std::string_view name);  // throws Error

// sgd: momentum; adam: first and second moment. Each has the parameter's shape and starts at zero.
int state_count(OptimizerKind kind);

struct OptimizerOptions {
  OptimizerKind kind = OptimizerKind::adam;
  double learning_rate = 1e-3;
  double momentum = 0.9;
  std::int64_t warmup_steps = 0;
};

// The learning rate of optimizer step `step` (from 0): rises linearly from 0 over the warm-up.
double learning_rate_at(const OptimizerOptions& options, std::int64_t step);

struct Updated {
  Tensor parameter;
  std::vector<Tensor> state;
};

// As torch.optim.SGD with momentum and torch.optim.Adam (betas 0.9 and 0.999, eps 1e-8) compute it,
// op by op. Without momentum torch keeps no velocity; here it is kept, so that momentum may change.
Updated update(const OptimizerOptions& options, std::int64_t step, Tensor parameter,
               Tensor gradient, const std::vector<Tensor>& state);

}  // namespace tpulab
