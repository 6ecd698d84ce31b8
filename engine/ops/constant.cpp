#include <fmt/format.h>

#include <algorithm>

#include "engine/ops/ops.h"

namespace tpulab {

namespace {

class Constant final : public Op {
 public:
  Constant(double value, const Shape& shape, DType dtype)
      : value_(value), shape_(shape), dtype_(dtype) {}

  std::string_view name() const override { return "constant"; }
  std::string attributes() const override {
    return fmt::format("value={} {}", value_, text_of(dtype_, shape_));
  }
  OpTraits traits() const override { return {.constant = true}; }
  Type infer(std::span<const Type>) const override { return {shape_, dtype_, Placement::shared}; }

  void evaluate(std::span<const ArrayView>, ArraySpan out, const EvaluateContext&) const override {
    std::ranges::fill(out.values(), static_cast<float>(value_));
  }

  std::vector<Tensor> gradient(std::span<const Tensor>, Tensor, Tensor) const override {
    return {};
  }

  Work work(std::span<const Type>, const Type&) const override { return std::monostate{}; }

 private:
  double value_;
  Shape shape_;
  DType dtype_;
};

}  // namespace

Tensor constant(Graph& graph, double value, const Shape& shape, DType dtype) {
  return graph.apply(std::make_shared<const Constant>(value, shape, dtype), {});
}

// [P:torch/csrc/lazy/core/tensor_util.cpp IsSpecialScalar]
Tensor scalar(Graph& graph, double value, const char* label) {
  const bool special = value == 0 || value == 1 || value == -1;
  return special ? constant(graph, value, {}, DType::f32)
                 : graph.scalar_leaf(static_cast<float>(value), label);
}

}  // namespace tpulab
