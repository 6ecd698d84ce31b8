#include <fmt/format.h>

#include <array>

#include "engine/base/error.h"
#include "engine/ops/chunks.h"
#include "engine/ops/ops.h"

namespace tpulab {

namespace {

// In eight double lanes that are folded in a fixed order: vectorises without reassociation.
float sum_of(const float* values, std::int64_t count) {
  std::array<double, 8> lanes{};
  std::int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    for (std::size_t lane = 0; lane < 8; ++lane) {
      lanes[lane] += static_cast<double>(values[i + static_cast<std::int64_t>(lane)]);
    }
  }
  double sum = 0;
  for (const double lane : lanes) sum += lane;
  for (; i < count; ++i) sum += static_cast<double>(values[i]);
  return static_cast<float>(sum);
}

// [depth, width] -> [width], summed downwards in order.
void sum_down(const float* values, std::int64_t depth, std::int64_t width, float* __restrict__ sums,
              const EvaluateContext& context) {
  const std::int64_t grain =
      std::max<std::int64_t>(64, chunk_elements / std::max<std::int64_t>(depth, 1));
  for_chunks(context, width, grain, [&](std::int64_t first, std::int64_t last) {
    std::fill(sums + first, sums + last, 0.0f);
    for (std::int64_t row = 0; row < depth; ++row) {
      const float* from = values + row * width;
      for (std::int64_t i = first; i < last; ++i) sums[i] += from[i];
    }
  });
}

class ReduceSum final : public Op {
 public:
  explicit ReduceSum(int axis) : axis_(axis) {}

  std::string_view name() const override { return "reduce"; }
  OpTraits traits() const override { return {.reduces = true}; }
  std::string attributes() const override { return fmt::format("add axis={}", axis_); }

  Type infer(std::span<const Type> inputs) const override {
    const Shape& shape = inputs[0].shape;
    if (axis_ < 0 || axis_ >= shape.rank()) {
      throw Error(fmt::format("reduce_sum: {} has no axis {}; give 0 to {}",
                              text_of(inputs[0].dtype, shape), axis_, shape.rank() - 1));
    }
    std::vector<std::int64_t> kept(shape.extents().begin(), shape.extents().end());
    kept.erase(kept.begin() + axis_);
    const DType dtype = inputs[0].dtype == DType::pred ? DType::s32 : inputs[0].dtype;
    return {Shape(std::span<const std::int64_t>(kept)), dtype, joined(inputs)};
  }

  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const ArrayView& x = inputs[0];
    const std::int64_t depth = x.shape[axis_];
    std::int64_t inner = 1;
    for (int axis = axis_ + 1; axis < x.shape.rank(); ++axis) inner *= x.shape[axis];
    const std::int64_t outer = inner == 0 ? 0 : out.elements() / inner;
    if (inner == 1) {
      const std::int64_t grain = chunk_elements / std::max<std::int64_t>(depth, 1);
      for_chunks(context, outer, grain, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i) out[i] = sum_of(x.data + i * depth, depth);
      });
      return;
    }
    for (std::int64_t i = 0; i < outer; ++i) {
      sum_down(x.data + i * depth * inner, depth, inner, out.data + i * inner, context);
    }
  }

  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor,
                               Tensor upstream) const override {
    return {repeat_like(upstream, inputs[0], axis_, 1)};
  }

  Work work(std::span<const Type> inputs, const Type&) const override {
    return VectorWork{.shape = inputs[0].shape, .cheap = 1, .reduced_axis = axis_};
  }

  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    return inputs[0] == Stack::rows && axis_ == 0 ? Stack::partial : inputs[0];
  }

 private:
  int axis_;
};

// The count is one core's and fixed when traced, so that stacked rows give the sum of the means.
class Mean final : public Op {
 public:
  explicit Mean(std::int64_t count) : count_(count) {}

  std::string_view name() const override { return "reduce"; }
  OpTraits traits() const override { return {.reduces = true}; }
  std::string attributes() const override { return fmt::format("mean count={}", count_); }

  Type infer(std::span<const Type> inputs) const override {
    if (inputs[0].shape.rank() != 1 || inputs[0].shape[0] == 0) {
      throw Error(fmt::format("mean: {} is not a vector of rows; reduce it to one value per row",
                              text_of(inputs[0].dtype, inputs[0].shape)));
    }
    return {Shape{}, inputs[0].dtype, joined(inputs)};
  }

  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext&) const override {
    out[0] = sum_of(inputs[0].data, inputs[0].elements()) / static_cast<float>(count_);
  }

  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor,
                               Tensor upstream) const override {
    return {repeat_like(upstream, inputs[0], 0, count_)};
  }

  Work work(std::span<const Type> inputs, const Type&) const override {
    return VectorWork{.shape = inputs[0].shape, .cheap = 1, .reduced_axis = 0};
  }

  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    return inputs[0] == Stack::rows ? Stack::partial : inputs[0];
  }

 private:
  std::int64_t count_;
};

}  // namespace

Tensor reduce_sum(Tensor x, int axis) {
  return x.graph->apply(std::make_shared<const ReduceSum>(axis), {x});
}

Tensor mean(Tensor rows) {
  return rows.graph->apply(std::make_shared<const Mean>(rows.shape().at(0)), {rows});
}

}  // namespace tpulab
