#include "engine/ops/elementwise.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace tpulab {

namespace {

// PyTorch's kinds: a wider kind wins, inside one kind a tensor wins over a scalar.
int kind_of(DType dtype) {
  if (dtype == DType::pred) return 0;
  return is_integer(dtype) ? 1 : 2;
}

DType promoted(const Type& a, const Type& b) {
  if (a.dtype == b.dtype) return a.dtype;
  if (kind_of(a.dtype) != kind_of(b.dtype)) {
    return kind_of(a.dtype) > kind_of(b.dtype) ? a.dtype : b.dtype;
  }
  if (a.shape.scalar() != b.shape.scalar()) return a.shape.scalar() ? b.dtype : a.dtype;
  return DType::f32;
}

const Shape& widest(std::span<const Type> inputs) {
  return std::ranges::max_element(inputs, {}, [](const Type& type) { return type.shape.rank(); })
      ->shape;
}

// [n] or [t,n] under [b,t,n].
bool is_bias(const Shape& shape, const Shape& whole) {
  return shape.rank() < whole.rank() &&
         std::ranges::equal(shape.extents(),
                            whole.extents().last(static_cast<std::size_t>(shape.rank())));
}

}  // namespace

Type Elementwise::infer(std::span<const Type> inputs) const {
  const Shape& whole = widest(inputs);
  Type result{whole, inputs[0].dtype, joined(inputs)};
  Type so_far = inputs[0];
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Shape& shape = inputs[i].shape;
    if (shape != whole && !shape.scalar() && !(i > 0 && is_bias(shape, whole))) {
      std::string shapes;
      for (const Type& input : inputs) shapes += " " + text_of(input.dtype, input.shape);
      throw Error(fmt::format(
          "{}: the shapes{} do not fit; give equal shapes, a scalar, or a bias [n] after [m,n]",
          name(), shapes));
    }
    so_far.dtype = promoted(so_far, inputs[i]);
    if (so_far.shape.scalar()) so_far.shape = shape;
  }
  result.dtype = so_far.dtype;
  return result;
}

Stack Elementwise::stack(std::span<const Stack> inputs, std::span<const Type> types) const {
  const auto any = [&](Stack wanted) { return std::ranges::find(inputs, wanted) != inputs.end(); };
  if (any(Stack::none)) return Stack::none;
  if (any(Stack::partial)) {
    return !any(Stack::rows) && keeps_sums(inputs) ? Stack::partial : Stack::none;
  }
  if (!any(Stack::rows)) return Stack::shared;
  const Shape& whole = widest(types);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const bool full = types[i].shape == whole;
    if (full != (inputs[i] == Stack::rows)) return Stack::none;
  }
  return whole.scalar() ? Stack::none : Stack::rows;
}

bool fixed(Tensor input) {
  const Node& node = input.graph->node(input.id);
  return node.leaf() ? node.scalar.has_value() : node.traits.constant;
}

Tensor sum_like(Tensor gradient, Tensor input) {
  const int repeated = gradient.shape().rank() - input.shape().rank();
  std::vector<int> axes(static_cast<std::size_t>(repeated));
  std::iota(axes.begin(), axes.end(), 0);
  if (repeated == 1) gradient = reduce_sum(gradient, 0);
  if (repeated > 1) gradient = reduce_sum(gradient, axes);
  return convert(gradient, input.type().dtype);
}

}  // namespace tpulab
