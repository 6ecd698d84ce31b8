#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/ops/chunks.h"
#include "engine/ops/elementwise.h"

namespace tpulab {

namespace {

class BroadcastTo final : public Op {
 public:
  explicit BroadcastTo(const Shape& shape) : shape_(shape) {}

  std::string_view name() const override { return "broadcast"; }
  OpTraits traits() const override { return {.repeats = true}; }
  std::string attributes() const override {
    return fmt::format("[{}]", fmt::join(shape_.extents(), ","));
  }

  Type infer(std::span<const Type> inputs) const override {
    const Shape& from = inputs[0].shape;
    const auto rank = static_cast<std::size_t>(from.rank());
    const bool bias = from.rank() < shape_.rank() &&
                      std::ranges::equal(from.extents(), shape_.extents().last(rank));
    if (!bias) {
      throw Error(
          fmt::format("broadcast_to: {} does not repeat to {}; give a scalar or [n] to "
                      "[m,n]",
                      text_of(inputs[0].dtype, from), text_of(inputs[0].dtype, shape_)));
    }
    return {shape_, inputs[0].dtype, joined(inputs)};
  }

  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const std::int64_t width = inputs[0].elements();
    if (width == 1) {
      std::ranges::fill(out.values(), inputs[0][0]);
      return;
    }
    const std::int64_t rows = width == 0 ? 0 : out.elements() / width;
    const std::int64_t grain = chunk_elements / std::max<std::int64_t>(width, 1);
    for_chunks(context, rows, grain, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t row = first; row < last; ++row) {
        std::copy_n(inputs[0].data, width, out.data + row * width);
      }
    });
  }

  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor,
                               Tensor upstream) const override {
    return {flow_into(inputs[0], [&] { return upstream; })};
  }

  Work work(std::span<const Type>, const Type& output) const override {
    return VectorWork{.shape = output.shape};
  }

  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    return inputs[0] == Stack::rows ? Stack::none : inputs[0];
  }

 private:
  Shape shape_;
};

class RepeatLike final : public Op {
 public:
  RepeatLike(int axis, std::int64_t divisor) : axis_(axis), divisor_(divisor) {}

  std::string_view name() const override { return "broadcast"; }
  OpTraits traits() const override { return {.repeats = true}; }
  std::string attributes() const override {
    return fmt::format("axis={} divisor={}", axis_, divisor_);
  }

  Type infer(std::span<const Type> inputs) const override {
    return {inputs[1].shape, inputs[0].dtype, joined(inputs)};
  }

  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const ArrayView& x = inputs[0];
    const auto divisor = static_cast<float>(divisor_);
    std::int64_t inner = 1;
    for (int axis = axis_ + 1; axis < out.shape.rank(); ++axis) inner *= out.shape[axis];
    const std::int64_t depth = out.shape[axis_];
    const std::int64_t rows = inner == 0 ? 0 : out.elements() / inner;
    const std::int64_t grain = chunk_elements / std::max<std::int64_t>(inner, 1);
    for_chunks(context, rows, grain, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t row = first; row < last; ++row) {
        const float* from = x.data + row / depth * inner;
        float* __restrict__ to = out.data + row * inner;
        for (std::int64_t i = 0; i < inner; ++i) to[i] = from[i] / divisor;
      }
    });
  }

  std::vector<Tensor> gradient(std::span<const Tensor>, Tensor, Tensor upstream) const override {
    const Tensor sum = reduce_sum(upstream, axis_);
    if (divisor_ == 1) return {sum, Tensor{}};
    return {divide(sum, scalar(*upstream.graph, static_cast<double>(divisor_))), Tensor{}};
  }

  Work work(std::span<const Type>, const Type& output) const override {
    return VectorWork{.shape = output.shape};
  }

  // Along axis 0 each core repeats the same shared value; along others each core its own rows.
  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    const Stack x = inputs[0];
    const Stack like = inputs[1];
    if (like == Stack::none || x == Stack::none) return Stack::none;
    if (x == Stack::partial) return Stack::partial;
    if (like != Stack::rows) return x == like ? x : Stack::none;
    const Stack wanted = axis_ == 0 ? Stack::shared : Stack::rows;
    return x == wanted ? Stack::rows : Stack::none;
  }

 private:
  int axis_;
  std::int64_t divisor_;
};

}  // namespace

Tensor broadcast_to(Tensor x, const Shape& shape) {
  if (x.shape() == shape) return x;
  return x.graph->apply(std::make_shared<const BroadcastTo>(shape), {x});
}

Tensor scale_channels(Tensor x, Tensor by) {
  const Shape shape = x.shape();
  if (shape.rank() != 4 || by.shape() != Shape{shape[0], shape[3]}) {
    throw Error(fmt::format("scale_channels: {} by {} does not fit; give [b,h,w,c] and [b,c]",
                            text_of(x.type().dtype, shape), text_of(by.type().dtype, by.shape())));
  }
  const Tensor rows = reshape(x, {shape[0], shape[1] * shape[2], shape[3]});
  return reshape(multiply(rows, repeat_like(by, rows, 1, 1)), shape);
}

Tensor repeat_like(Tensor x, Tensor like, int axis, std::int64_t divisor) {
  return x.graph->apply(std::make_shared<const RepeatLike>(axis, divisor), {x, like});
}

}  // namespace tpulab
