// The softmax cross entropy of logits whose columns are divided among devices: each sums up its
// own, and two numbers a row travel.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/ops/chunks.h"
#include "engine/ops/exponential.h"
#include "engine/ops/ops.h"

namespace tpulab {

namespace {

// Inputs of both: logits [m,n], labels [m], the largest logit of each row [m], the first column.
class ShareOp : public Op {
 public:
  explicit ShareOp(std::int64_t classes) : classes_(classes) {}

  std::string attributes() const override { return fmt::format("classes={}", classes_); }
  Stack stack(std::span<const Stack>, std::span<const Type>) const override { return Stack::none; }

 protected:
  // Columns that are no padding.
  std::int64_t columns(std::span<const ArrayView> inputs) const {
    const std::int64_t left = classes_ - static_cast<std::int64_t>(inputs[3][0]);
    return std::clamp<std::int64_t>(left, 0, inputs[0].shape[1]);
  }
  // The label's place among the columns of this device; -1: another device's.
  static std::int64_t place(std::span<const ArrayView> inputs, std::int64_t row) {
    const auto at = static_cast<std::int64_t>(inputs[1][row] - inputs[3][0]);
    return at >= 0 && at < inputs[0].shape[1] ? at : -1;
  }

  std::int64_t classes_;
};

// upstream [2,m] of the sums flows into the logits.
class ShareSumsGradient final : public ShareOp {
 public:
  using ShareOp::ShareOp;

  std::string_view name() const override { return "share-sums-gradient"; }
  Type infer(std::span<const Type> inputs) const override { return inputs[0]; }

  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext&) const override {
    const std::int64_t rows = out.shape[0];
    const std::int64_t width = out.shape[1];
    std::ranges::fill(out.values(), 0.0f);
    for (std::int64_t row = 0; row < rows; ++row) {
      const float* logits = inputs[0].data + row * width;
      float* flow = out.data + row * width;
      const std::int64_t count = columns(inputs);
      for (std::int64_t i = 0; i < count; ++i) {
        flow[i] = exponential(logits[i] - inputs[2][row]) * inputs[4][row];
      }
      if (const std::int64_t at = place(inputs, row); at >= 0) flow[at] += inputs[4][rows + row];
    }
  }

  // As the gradient of the whole softmax, which divides here by what flows in.
  Work work(std::span<const Type> inputs, const Type&) const override {
    return VectorWork{.shape = inputs[0].shape, .cheap = 4, .transcendental = 1};
  }
};

// [2,m]: the row's e^(logit - largest) on this device added up, and logit - largest of its label, 0
// where that is elsewhere.
class ShareSums final : public ShareOp {
 public:
  using ShareOp::ShareOp;

  std::string_view name() const override { return "share-sums"; }
  Type infer(std::span<const Type> inputs) const override {
    const Type& logits = inputs[0];
    if (logits.shape.rank() != 2 || inputs[1].shape != Shape{logits.shape[0]} ||
        !is_integer(inputs[1].dtype)) {
      throw Error(fmt::format(
          "shared cross entropy: logits {} and labels {} do not fit; give [m,n] and integers [m]",
          text_of(logits.dtype, logits.shape), text_of(inputs[1].dtype, inputs[1].shape)));
    }
    return {Shape{2, logits.shape[0]}, DType::f32, joined(inputs)};
  }

  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext&) const override {
    const std::int64_t rows = out.shape[1];
    const std::int64_t width = inputs[0].shape[1];
    for (std::int64_t row = 0; row < rows; ++row) {
      const float* logits = inputs[0].data + row * width;
      const float largest = inputs[2][row];
      float sum = 0;
      for (std::int64_t i = 0; i < columns(inputs); ++i) sum += exponential(logits[i] - largest);
      out[row] = sum;
      const std::int64_t at = place(inputs, row);
      out[rows + row] = at >= 0 ? logits[at] - largest : 0.0f;
    }
  }

  // The loss does not depend on what the rows are shifted by.
  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor,
                               Tensor upstream) const override {
    const auto op = std::make_shared<const ShareSumsGradient>(classes_);
    Graph& graph = *upstream.graph;
    return {graph.apply(op, {inputs[0], inputs[1], inputs[2], inputs[3], upstream}), Tensor{},
            Tensor{}, Tensor{}};
  }

  Work work(std::span<const Type> inputs, const Type&) const override {
    return VectorWork{.shape = inputs[0].shape, .cheap = 2, .transcendental = 1, .reduced_axis = 1};
  }
};

// sums [2,m], upstream [m] -> [2,m]
class LossOfSumsGradient final : public Op {
 public:
  std::string_view name() const override { return "loss-of-sums-gradient"; }
  Type infer(std::span<const Type> inputs) const override { return inputs[0]; }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext&) const override {
    const std::int64_t rows = out.shape[1];
    for (std::int64_t row = 0; row < rows; ++row) {
      out[row] = inputs[1][row] / inputs[0][row];
      out[rows + row] = -inputs[1][row];
    }
  }
  Work work(std::span<const Type> inputs, const Type&) const override {
    return VectorWork{.shape = inputs[1].shape, .cheap = 1, .medium = 1};
  }
  Stack stack(std::span<const Stack>, std::span<const Type>) const override { return Stack::none; }
};

class LossOfSums final : public Op {
 public:
  std::string_view name() const override { return "loss-of-sums"; }
  Type infer(std::span<const Type> inputs) const override {
    return {Shape{inputs[0].shape[1]}, DType::f32, joined(inputs)};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext&) const override {
    const std::int64_t rows = out.shape[0];
    for (std::int64_t row = 0; row < rows; ++row) {
      out[row] = logarithm(inputs[0][row]) - inputs[0][rows + row];
    }
  }
  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor,
                               Tensor upstream) const override {
    static const auto op = std::make_shared<const LossOfSumsGradient>();
    return {upstream.graph->apply(op, {inputs[0], upstream})};
  }
  Work work(std::span<const Type>, const Type& output) const override {
    return VectorWork{.shape = output.shape, .cheap = 1, .transcendental = 1};
  }
  Stack stack(std::span<const Stack>, std::span<const Type>) const override { return Stack::none; }
};

}  // namespace

Tensor shared_cross_entropy(Tensor logits, Tensor labels, std::int64_t classes,
                            const DeviceSet& among) {
  static const auto loss = std::make_shared<const LossOfSums>();
  Graph& graph = *logits.graph;
  const Tensor largest = all_reduce_max(reduce_max(convert(logits, DType::f32), {1}), among);
  const Tensor first = share_begin(graph, logits.shape().at(1), among);
  const Tensor own =
      graph.apply(std::make_shared<const ShareSums>(classes), {logits, labels, largest, first});
  return graph.apply(loss, {all_reduce(own, among)});
}

}  // namespace tpulab
