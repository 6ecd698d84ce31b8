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
            const std::vector<Tensor>& state) {
  Graph& graph = *parameter.graph;
  Tensor moved = gradient;
  if (options.momentum != 0 && !state.empty()) {
    moved = add(multiply(state[0], scalar(graph, options.momentum, "momentum")), gradient);
  }
  const Tensor next = subtract(parameter, multiply(moved, scalar(graph, rate, "learning_rate")));
  return {next, options.momentum != 0 ? std::vector{moved} : std::vector<Tensor>{}};
}

Updated adam(const std::vector<double>& changing, Tensor parameter, Tensor gradient,
             const std::vector<Tensor>& state) {
  Graph& graph = *parameter.graph;
  const Type& type = parameter.type();
  const bool fresh = state.empty();
  const Tensor none = fresh ? constant(graph, 0, type.shape, type.dtype) : Tensor{};
  const Tensor mean = fresh ? none : state[0];
  const Tensor square = fresh ? none : state[1];
  // lerp, as torch does it, needs one scalar.
  const Tensor first =
      add(mean, multiply(subtract(gradient, mean), scalar(graph, 1 - beta1, "1-beta1")));
  const Tensor second =
      add(multiply(square, scalar(graph, beta2, "beta2")),
          multiply(multiply(gradient, gradient), scalar(graph, 1 - beta2, "1-beta2")));
  const Tensor root = divide(square_root(second), scalar(graph, changing[0], "bias_correction2"));
  const Tensor denominator = add(root, scalar(graph, epsilon, "eps"));
  // addcdiv_(value=-step_size): so it is never the same number as 1-beta2, which would be one
  // input.
  const Tensor moved =
      multiply(divide(first, denominator), scalar(graph, changing[1], "-step_size"));
  return {add(parameter, moved), {first, second}};
}

}  // namespace

OptimizerKind optimizer_named(std::string_view name) {
  if (name == "sgd") return OptimizerKind::sgd;
  if (name == "adam") return OptimizerKind::adam;
  throw Error(fmt::format("unknown optimizer '{}'; choose sgd or adam", name));
}

int state_count(const OptimizerOptions& options) {
  if (options.kind == OptimizerKind::adam) return 2;
  return options.momentum != 0 ? 1 : 0;
}

double learning_rate_at(const OptimizerOptions& options, std::int64_t step) {
  if (step >= options.warmup_steps) return options.learning_rate;
  return options.learning_rate * static_cast<double>(step) /
         static_cast<double>(options.warmup_steps);
}

std::vector<double> changing_scalars(const OptimizerOptions& options, std::int64_t step) {
  const double rate = learning_rate_at(options, step);
  if (options.kind == OptimizerKind::sgd) return {rate};
  const double steps = static_cast<double>(step + 1);
  const double correction1 = 1 - std::pow(beta1, steps);
  const double correction2 = std::sqrt(1 - std::pow(beta2, steps));
  return {correction2, -rate / correction1};
}

Updated update(const OptimizerOptions& options, std::int64_t step, Tensor parameter,
               Tensor gradient, const std::vector<Tensor>& state) {
  const std::vector<double> changing = changing_scalars(options, step);
  if (options.kind == OptimizerKind::adam) return adam(changing, parameter, gradient, state);
  return sgd(options, changing[0], parameter, gradient, state);
}

}  // namespace tpulab
