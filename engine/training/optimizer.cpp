#include "engine/training/optimizer.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/base/error.h"
#include "engine/ops/ops.h"

namespace tpulab {

namespace {

constexpr double beta1 = 0.9;
constexpr double beta2 = 0.999;
constexpr double epsilon = 1e-8;

Updated sgd(const OptimizerOptions& options, double rate, Tensor parameter, Tensor gradient,
            Tensor velocity) {
  Graph& graph = *parameter.graph;
  const Tensor moved =
      add(multiply(velocity, scalar(graph, options.momentum, "momentum")), gradient);
  const Tensor step = multiply(moved, scalar(graph, rate, "learning_rate"));
  return {subtract(parameter, step), {moved}};
}

Updated adam(double rate, std::int64_t step, Tensor parameter, Tensor gradient,
             const std::vector<Tensor>& state) {
  Graph& graph = *parameter.graph;
  const double steps = static_cast<double>(step + 1);
  const double correction1 = 1 - std::pow(beta1, steps);
  const double correction2 = std::sqrt(1 - std::pow(beta2, steps));
  const Tensor first = add(multiply(state[0], scalar(graph, beta1, "beta1")),
                           multiply(gradient, scalar(graph, 1 - beta1, "1-beta1")));
  const Tensor second =
      add(multiply(state[1], scalar(graph, beta2, "beta2")),
          multiply(multiply(gradient, gradient), scalar(graph, 1 - beta2, "1-beta2")));
  const Tensor root = divide(square_root(second), scalar(graph, correction2, "bias_correction2"));
  const Tensor denominator = add(root, scalar(graph, epsilon, "eps"));
  const Tensor moved =
      multiply(divide(first, denominator), scalar(graph, rate / correction1, "step_size"));
  return {subtract(parameter, moved), {first, second}};
}

}  // namespace

OptimizerKind optimizer_named(std::string_view name) {
  if (name == "sgd") return OptimizerKind::sgd;
  if (name == "adam") return OptimizerKind::adam;
  throw Error(fmt::format("unknown optimizer '{}'; choose sgd or adam", name));
}

int state_count(OptimizerKind kind) { return kind == OptimizerKind::adam ? 2 : 1; }

double learning_rate_at(const OptimizerOptions& options, std::int64_t step) {
  if (step >= options.warmup_steps) return options.learning_rate;
  return options.learning_rate * static_cast<double>(step) /
         static_cast<double>(options.warmup_steps);
}

Updated update(const OptimizerOptions& options, std::int64_t step, Tensor parameter,
               Tensor gradient, const std::vector<Tensor>& state) {
  const double rate = learning_rate_at(options, step);
  if (options.kind == OptimizerKind::adam) return adam(rate, step, parameter, gradient, state);
  return sgd(options, rate, parameter, gradient, state[0]);
}

}  // namespace tpulab
