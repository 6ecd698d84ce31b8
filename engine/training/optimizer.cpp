#include "engine/training/optimizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "engine/base/error.h"
#include "engine/ops/ops.h"

namespace tpulab {

namespace {

constexpr double beta1 = 0.9;
constexpr double beta2 = 0.999;
constexpr double epsilon = 1e-8;
constexpr double lamb_epsilon = 1e-6;
constexpr double usual_decay = 0.01;

double decay_of(const OptimizerOptions& options) {
  if (options.weight_decay >= 0) return options.weight_decay;
  const bool decays = options.kind == OptimizerKind::adamw || options.kind == OptimizerKind::lamb;
  return decays ? usual_decay : 0;
}

// As torch.optim.SGD and Adam have it: a part of the gradient.
Tensor with_decay(double decay, Tensor gradient, Tensor parameter) {
  if (decay == 0) return gradient;
  return add(gradient, multiply(parameter, scalar(*parameter.graph, decay, "weight_decay")));
}

Updated sgd(double momentum, double rate, Tensor parameter, Tensor gradient,
            const std::vector<Tensor>& state) {
  Graph& graph = *parameter.graph;
  Tensor moved = gradient;
  if (momentum != 0 && !state.empty()) {
    moved = add(multiply(state[0], scalar(graph, momentum, "momentum")), gradient);
  }
  const Tensor next = subtract(parameter, multiply(moved, scalar(graph, rate, "learning_rate")));
  return {next, momentum != 0 ? std::vector{moved} : std::vector<Tensor>{}};
}

struct Moments {
  Tensor first;
  Tensor second;
};

Moments moments(Tensor parameter, Tensor gradient, const std::vector<Tensor>& state) {
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
  return {first, second};
}

Tensor root_of(Tensor second, double correction, double above) {
  Graph& graph = *second.graph;
  const Tensor root = divide(square_root(second), scalar(graph, correction, "bias_correction2"));
  return add(root, scalar(graph, above, "eps"));
}

Updated adam(const std::vector<double>& changing, Tensor parameter, Tensor gradient,
             const std::vector<Tensor>& state) {
  const auto [first, second] = moments(parameter, gradient, state);
  const Tensor denominator = root_of(second, changing[0], epsilon);
  // addcdiv_(value=-step_size): so it is never the same number as 1-beta2, which would be one
  // input.
  const Tensor moved =
      multiply(divide(first, denominator), scalar(*parameter.graph, changing[1], "-step_size"));
  return {add(parameter, moved), {first, second}};
}

Updated adamw(const std::vector<double>& changing, Tensor parameter, Tensor gradient,
              const std::vector<Tensor>& state) {
  const Tensor kept = scalar(*parameter.graph, changing[2], "1-learning_rate*weight_decay");
  return adam(changing, multiply(parameter, kept), gradient, state);
}

Tensor norm_of(Tensor x) {
  const Tensor flat = reshape(x, Shape{x.shape().elements()});
  return square_root(reduce_sum(multiply(flat, flat), 0));
}

Tensor trust_ratio(Tensor parameter, Tensor change) {
  const Tensor weights = norm_of(parameter);
  const Tensor changed = norm_of(change);
  const Tensor zero = constant(*parameter.graph, 0, {}, weights.type().dtype);
  const Tensor one = constant(*parameter.graph, 1, {}, weights.type().dtype);
  const Tensor ratio = select(greater(changed, zero), divide(weights, changed), one);
  return select(greater(weights, zero), ratio, one);
}

Updated lamb(double decay, const std::vector<double>& changing, Tensor parameter, Tensor gradient,
             const std::vector<Tensor>& state) {
  Graph& graph = *parameter.graph;
  const auto [first, second] = moments(parameter, gradient, state);
  const Tensor mean = divide(first, scalar(graph, changing[1], "bias_correction1"));
  const Tensor change =
      with_decay(decay, divide(mean, root_of(second, changing[0], lamb_epsilon)), parameter);
  const Tensor step =
      multiply(trust_ratio(parameter, change), scalar(graph, changing[2], "-learning_rate"));
  return {add(parameter, multiply(change, step)), {first, second}};
}

// How many of `scalars` are not among `known`.
std::ptrdiff_t others_than(const std::vector<std::uint32_t>& known,
                           const std::vector<std::uint32_t>& scalars) {
  return std::ranges::count_if(
      scalars, [&](std::uint32_t bits) { return std::ranges::find(known, bits) == known.end(); });
}

constexpr std::array<std::string_view, 4> optimizer_names{"sgd", "adam", "adamw", "lamb"};

}  // namespace

OptimizerKind optimizer_named(std::string_view name) {
  const auto* const found = std::ranges::find(optimizer_names, name);
  if (found == optimizer_names.end()) {
    throw Error(fmt::format("unknown optimizer '{}'; choose sgd, adam, adamw or lamb", name));
  }
  return static_cast<OptimizerKind>(found - optimizer_names.begin());
}

std::string_view name_of(OptimizerKind kind) {
  if (kind == OptimizerKind::sgd_alone) kind = OptimizerKind::sgd;
  return optimizer_names[static_cast<std::size_t>(kind)];
}

int state_count(const OptimizerOptions& options) {
  if (options.kind == OptimizerKind::sgd_alone) return 0;
  if (options.kind != OptimizerKind::sgd) return 2;
  return options.momentum != 0 ? 1 : 0;
}

double learning_rate_at(const OptimizerOptions& options, std::int64_t step) {
  if (step >= options.warmup_steps) return options.learning_rate;
  return options.learning_rate * static_cast<double>(step) /
         static_cast<double>(options.warmup_steps);
}

std::vector<double> changing_scalars(const OptimizerOptions& options, std::int64_t step) {
  const double rate = learning_rate_at(options, step);
  const bool sgd = options.kind == OptimizerKind::sgd || options.kind == OptimizerKind::sgd_alone;
  if (sgd) return {rate};
  const double steps = static_cast<double>(step + 1);
  const double correction1 = 1 - std::pow(beta1, steps);
  const double correction2 = std::sqrt(1 - std::pow(beta2, steps));
  if (options.kind == OptimizerKind::lamb) return {correction2, correction1, -rate};
  if (options.kind == OptimizerKind::adam) return {correction2, -rate / correction1};
  return {correction2, -rate / correction1, 1 - rate * decay_of(options)};
}

std::vector<std::uint32_t> sent_scalars(const OptimizerOptions& options, std::int64_t step) {
  std::vector<std::uint32_t> sent;
  for (const double scalar : changing_scalars(options, step)) {
    const bool known = scalar == 0 || scalar == 1 || scalar == -1;
    if (!known) sent.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(scalar)));
  }
  return sent;
}

namespace {

std::int64_t counted_alike(const OptimizerOptions& options, std::int64_t step) {
  std::vector<std::uint32_t> newest = sent_scalars(options, step - 1);
  const std::ptrdiff_t anew = others_than(sent_scalars(options, step - 2), newest);
  for (std::int64_t alike = 0;; ++alike) {
    std::vector<std::uint32_t> next = sent_scalars(options, step + alike);
    if (next.size() != newest.size() || others_than(newest, next) != anew) return alike;
    newest = std::move(next);
  }
}

bool same(const OptimizerOptions& a, const OptimizerOptions& b) {
  return a.kind == b.kind && a.learning_rate == b.learning_rate && a.momentum == b.momentum &&
         a.warmup_steps == b.warmup_steps && a.weight_decay == b.weight_decay;
}

}  // namespace

// Thousands of steps may be counted, and each point of a sweep asks: the newest two long counts, of
// a run's first steps and of those behind them, are kept.
std::int64_t steps_sending_alike(const OptimizerOptions& options, std::int64_t step) {
  constexpr std::int64_t far = 1'000'000'000;
  constexpr std::int64_t long_count = 64;
  struct Alike {
    OptimizerOptions options;
    std::int64_t from = 0;
    std::int64_t until = 0;
  };
  thread_local std::array<Alike, 2> known;
  if (step < 2) return 0;
  if (changing_scalars(options, step - 1) == changing_scalars(options, far)) return all_steps;
  for (const Alike& one : known) {
    if (step >= one.from && step < one.until && same(options, one.options)) return one.until - step;
  }
  const std::int64_t alike = counted_alike(options, step);
  if (alike < long_count) return alike;
  known[1] = known[0];
  known[0] = {options, step, step + alike};
  return alike;
}

Updated update(const OptimizerOptions& options, std::int64_t step, Tensor parameter,
               Tensor gradient, const std::vector<Tensor>& state) {
  const std::vector<double> changing = changing_scalars(options, step);
  const double decay = decay_of(options);
  if (options.kind == OptimizerKind::adamw) return adamw(changing, parameter, gradient, state);
  if (options.kind == OptimizerKind::lamb) return lamb(decay, changing, parameter, gradient, state);
  gradient = with_decay(decay, gradient, parameter);
  if (options.kind == OptimizerKind::adam) return adam(changing, parameter, gradient, state);
  const double momentum = options.kind == OptimizerKind::sgd_alone ? 0 : options.momentum;
  return sgd(momentum, changing[0], parameter, gradient, state);
}

}  // namespace tpulab
