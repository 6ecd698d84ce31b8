#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/ops/chunks.h"
#include "engine/ops/exponential.h"
#include "engine/ops/ops.h"
#include "engine/ops/row_index.h"

namespace tpulab {

namespace {

void check_rows(std::string_view op, const Type& logits, const Type& labels) {
  if (logits.shape.rank() == 2 && labels.shape == Shape{logits.shape[0]} &&
      is_integer(labels.dtype)) {
    return;
  }
  throw Error(fmt::format("{}: logits {} and labels {} do not fit; give [m,n] and integers [m]", op,
                          text_of(logits.dtype, logits.shape),
                          text_of(labels.dtype, labels.shape)));
}

// XLA's TPU compiler makes ten kernels of the loss and its gradient: eight loops, an iota and a
// gather (libtpu 0.0.42.1). Half of them is given to either op.
constexpr OpTraits five_kernels{.kernels = 5};

// All inputs are rows, or all are shared.
Stack alike(std::span<const Stack> inputs) {
  const bool same = std::ranges::all_of(inputs, [&](Stack input) { return input == inputs[0]; });
  return same && inputs[0] != Stack::partial ? inputs[0] : Stack::none;
}

std::int64_t row_grain(std::int64_t columns) {
  return chunk_elements / 8 / std::max<std::int64_t>(columns, 1);
}

// e^(logit - largest) into `powers`; answers their sum. Never overflows.
float shifted_powers(const float* logits, std::int64_t count, float largest,
                     float* __restrict__ powers) {
  for (std::int64_t i = 0; i < count; ++i) powers[i] = exponential(logits[i] - largest);
  float sum = 0;
  for (std::int64_t i = 0; i < count; ++i) sum += powers[i];
  return sum;
}

// d loss / d logits = (softmax(logits) - one_hot(label)) * upstream, row by row.
class SoftmaxCrossEntropyGradient final : public Op {
 public:
  std::string_view name() const override { return "softmax-cross-entropy-gradient"; }
  OpTraits traits() const override { return five_kernels; }

  Type infer(std::span<const Type> inputs) const override {
    check_rows(name(), inputs[0], inputs[1]);
    return {inputs[0].shape, inputs[0].dtype, joined(inputs)};
  }

  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const std::int64_t columns = out.shape[1];
    for_chunks(context, out.shape[0], row_grain(columns), [&](std::int64_t row, std::int64_t end) {
      for (; row < end; ++row) {
        const float* logits = inputs[0].data + row * columns;
        float* powers = out.data + row * columns;
        const std::int64_t label = checked_index(name(), inputs[1][row], columns);
        const float largest = *std::max_element(logits, logits + columns);
        const float sum = shifted_powers(logits, columns, largest, powers);
        const float upstream = inputs[2][row];
        for (std::int64_t i = 0; i < columns; ++i) powers[i] = powers[i] / sum * upstream;
        powers[label] -= upstream;
      }
    });
  }

  // max, subtract, add, one-hot subtract, times upstream; divide; exp.
  Work work(std::span<const Type> inputs, const Type&) const override {
    return VectorWork{
        .shape = inputs[0].shape, .cheap = 5, .medium = 1, .transcendental = 1, .reduced_axis = 1};
  }

  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    return alike(inputs);
  }
};

// loss = log(sum of e^(logit - largest)) - (logit of the label - largest)
class SoftmaxCrossEntropy final : public Op {
 public:
  std::string_view name() const override { return "softmax-cross-entropy"; }
  OpTraits traits() const override { return five_kernels; }

  Type infer(std::span<const Type> inputs) const override {
    check_rows(name(), inputs[0], inputs[1]);
    return {Shape{inputs[0].shape[0]}, inputs[0].dtype, joined(inputs)};
  }

  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const std::int64_t columns = inputs[0].shape[1];
    for_chunks(context, out.shape[0], row_grain(columns), [&](std::int64_t row, std::int64_t end) {
      std::vector<float> powers(static_cast<std::size_t>(columns));
      for (; row < end; ++row) {
        const float* logits = inputs[0].data + row * columns;
        const std::int64_t label = checked_index(name(), inputs[1][row], columns);
        const float largest = *std::max_element(logits, logits + columns);
        const float sum = shifted_powers(logits, columns, largest, powers.data());
        out[row] = logarithm(sum) - (logits[label] - largest);
      }
    });
  }

  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor,
                               Tensor upstream) const override {
    static const auto op = std::make_shared<const SoftmaxCrossEntropyGradient>();
    return {upstream.graph->apply(op, {inputs[0], inputs[1], upstream}), Tensor{}};
  }

  // max, subtract, add per logit, and exp; the logarithm is one per row and not counted.
  Work work(std::span<const Type> inputs, const Type&) const override {
    return VectorWork{.shape = inputs[0].shape, .cheap = 3, .transcendental = 1, .reduced_axis = 1};
  }

  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    return alike(inputs);
  }
};

class CorrectRows final : public Op {
 public:
  std::string_view name() const override { return "correct-rows"; }

  Type infer(std::span<const Type> inputs) const override {
    check_rows(name(), inputs[0], inputs[1]);
    return {Shape{inputs[0].shape[0]}, DType::f32, joined(inputs)};
  }

  // The first of equally large logits counts.
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext&) const override {
    const std::int64_t columns = inputs[0].shape[1];
    for (std::int64_t row = 0; row < out.shape[0]; ++row) {
      const float* logits = inputs[0].data + row * columns;
      const std::int64_t label = checked_index(name(), inputs[1][row], columns);
      const float* best = std::max_element(logits, logits + columns);
      out[row] = best == logits + label ? 1.0f : 0.0f;
    }
  }

  std::vector<Tensor> gradient(std::span<const Tensor>, Tensor, Tensor) const override {
    return {Tensor{}, Tensor{}};
  }

  // compare and keep, per logit
  Work work(std::span<const Type> inputs, const Type&) const override {
    return VectorWork{.shape = inputs[0].shape, .cheap = 2, .reduced_axis = 1};
  }

  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    return alike(inputs);
  }
};

}  // namespace

Tensor softmax_cross_entropy(Tensor logits, Tensor labels) {
  static const auto op = std::make_shared<const SoftmaxCrossEntropy>();
  return logits.graph->apply(op, {logits, labels});
}

Tensor correct_rows(Tensor logits, Tensor labels) {
  static const auto op = std::make_shared<const CorrectRows>();
  return logits.graph->apply(op, {logits, labels});
}

}  // namespace tpulab
