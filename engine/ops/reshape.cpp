#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/ops/ops.h"

namespace tpulab {

namespace {

class Reshape final : public Op {
 public:
  explicit Reshape(const Shape& shape) : shape_(shape) {}

  std::string_view name() const override { return "reshape"; }
  OpTraits traits() const override { return {.bitcast = true}; }

  Type infer(std::span<const Type> inputs) const override {
    if (inputs[0].shape.elements() != shape_.elements()) {
      throw Error(fmt::format("reshape: {} has {} elements and {} has {}; give as many",
                              text_of(inputs[0].dtype, inputs[0].shape), inputs[0].shape.elements(),
                              text_of(inputs[0].dtype, shape_), shape_.elements()));
    }
    return {shape_, inputs[0].dtype, joined(inputs)};
  }

  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext&) const override {
    std::ranges::copy(inputs[0].values(), out.data);
  }

  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor,
                               Tensor upstream) const override {
    return {reshape(upstream, inputs[0].shape())};
  }

  Work work(std::span<const Type>, const Type&) const override { return std::monostate{}; }

  // Cores lie one behind the other, whatever the axes are called.
  Stack stack(std::span<const Stack> inputs, std::span<const Type> types) const override {
    const bool rows = inputs[0] == Stack::rows;
    return rows && (types[0].shape.scalar() || shape_.scalar()) ? Stack::none : inputs[0];
  }

 private:
  Shape shape_;
};

class WithoutGradient final : public Op {
 public:
  std::string_view name() const override { return "bitcast"; }
  std::string attributes() const override { return "without gradient"; }
  OpTraits traits() const override { return {.bitcast = true, .stops = true}; }
  Type infer(std::span<const Type> inputs) const override {
    return {inputs[0].shape, inputs[0].dtype, joined(inputs)};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext&) const override {
    std::ranges::copy(inputs[0].values(), out.data);
  }
  std::vector<Tensor> gradient(std::span<const Tensor>, Tensor, Tensor) const override {
    return {Tensor{}};
  }
  Work work(std::span<const Type>, const Type&) const override { return std::monostate{}; }
  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    return inputs[0];
  }
};

}  // namespace

Tensor without_gradient(Tensor x) {
  static const auto op = std::make_shared<const WithoutGradient>();
  return x.graph->apply(op, {x});
}

Tensor reshape(Tensor x, const Shape& shape) {
  if (x.shape() == shape) return x;
  return x.graph->apply(std::make_shared<const Reshape>(shape), {x});
}

Tensor embedding(Tensor table, Tensor ids, Tensor first) {
  const Tensor rows = gather(table, reshape(ids, Shape{ids.shape().elements()}), first);
  std::vector<std::int64_t> extents(ids.shape().extents().begin(), ids.shape().extents().end());
  extents.push_back(table.shape().at(-1));
  return reshape(rows, Shape(std::span<const std::int64_t>(extents)));
}

}  // namespace tpulab
