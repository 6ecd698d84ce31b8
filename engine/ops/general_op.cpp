#include "engine/ops/general_op.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"

namespace tpulab {

namespace {

class General final : public Op {
 public:
  explicit General(GeneralOp parts) : parts_(std::move(parts)) {}

  std::string_view name() const override { return parts_.name; }
  std::string attributes() const override {
    return fmt::format("{} {}", text_of(parts_.type.dtype, parts_.type.shape), parts_.attributes);
  }
  OpTraits traits() const override { return parts_.traits; }
  Type infer(std::span<const Type> inputs) const override {
    return {parts_.type.shape, parts_.type.dtype, joined(inputs)};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    if (!parts_.numbers) {
      throw Error(fmt::format("{} is priced, without numbers; choose numbers off", parts_.name));
    }
    parts_.numbers(inputs, out, context);
  }
  Work work(std::span<const Type>, const Type&) const override { return parts_.work; }
  bool is_computed() const { return parts_.numbers != nullptr; }

 private:
  GeneralOp parts_;
};

}  // namespace

Tensor apply_general(Graph& graph, GeneralOp op, std::span<const Tensor> inputs) {
  return graph.apply(std::make_shared<const General>(std::move(op)), inputs);
}

bool is_computed(const Op& op) {
  const auto* const general = dynamic_cast<const General*>(&op);
  return general == nullptr || general->is_computed();
}

void check_operations(std::string_view op, const MatrixWork& work) {
  constexpr double most = 1e18;
  double operations = 2;
  for (const std::int64_t extent : {work.batch, work.m, work.k, work.n}) {
    operations *= static_cast<double>(std::max<std::int64_t>(extent, 1));
  }
  if (operations <= most) return;
  throw Error(fmt::format(
      "{} of {:.1e} operations is more than any TPU is given at once; choose smaller sizes", op,
      operations));
}

Strider::Strider(const Shape& shape, std::span<const std::int64_t> strides)
    : shape_(shape), strides_(shape), at_(shape) {
  for (int axis = 0; axis < shape.rank(); ++axis) {
    strides_[axis] = strides[static_cast<std::size_t>(axis)];
    at_[axis] = 0;
  }
}

void Strider::next() {
  for (int axis = shape_.rank() - 1; axis >= 0; --axis) {
    offset_ += strides_[axis];
    if (++at_[axis] < shape_[axis]) return;
    offset_ -= strides_[axis] * shape_[axis];
    at_[axis] = 0;
  }
}

std::int64_t product_of(const Shape& shape, const std::vector<std::int64_t>& axes) {
  std::int64_t product = 1;
  for (const std::int64_t axis : axes) product *= shape[static_cast<int>(axis)];
  return product;
}

Shape row_major_strides(const Shape& shape) {
  Shape strides = shape;
  std::int64_t stride = 1;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    strides[axis] = stride;
    stride *= shape[axis];
  }
  return strides;
}

}  // namespace tpulab
