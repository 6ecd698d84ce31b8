// Moving data along any axes: broadcast, slice, pad, reverse, iota.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "engine/base/error.h"
#include "engine/ops/general_ops.h"

namespace tpulab {

namespace {

std::int64_t entry(const Axes& axes, int axis) { return axes[static_cast<std::size_t>(axis)]; }

std::string shown(Tensor x) { return tpulab::text_of(x.type().dtype, x.shape()); }

// Copies out[i] = in[base + the strider's offset].
GeneralOp::Numbers strided_copy(std::int64_t base, const Axes& strides) {
  return [=](std::span<const ArrayView> in, const ArraySpan& out, const EvaluateContext&) {
    Strider from(out.shape, strides);
    for (std::int64_t i = 0; i < out.elements(); ++i, from.next()) {
      out[i] = in[0][base + from.offset()];
    }
  };
}

Axes steps_of(const Shape& shape) {
  const Shape strides = row_major_strides(shape);
  return {strides.extents().begin(), strides.extents().end()};
}

bool are_all(const Axes& axes, std::int64_t value) {
  return std::ranges::all_of(axes, [=](std::int64_t one) { return one == value; });
}

void check_rank(std::string_view op, Tensor x, std::initializer_list<const Axes*> lists) {
  for (const Axes* axes : lists) {
    if (axes->size() == static_cast<std::size_t>(x.shape().rank())) continue;
    throw Error(
        fmt::format("{}: {} has {} axes, not {}", op, shown(x), x.shape().rank(), axes->size()));
  }
}

GeneralOp move_op(const char* name, std::string attributes, Tensor x, const Shape& shape) {
  return {.name = name,
          .attributes = std::move(attributes),
          .type = {shape, x.type().dtype},
          .work = VectorWork{.shape = shape, .cheap = 1}};
}

Tensor applied(Tensor x, GeneralOp op) {
  return apply_general(*x.graph, std::move(op), std::span(&x, 1));
}

}  // namespace

Tensor broadcast_in_dim(Tensor x, const Axes& dimensions, const Shape& shape) {
  check_rank("broadcast_in_dim", x, {&dimensions});
  Axes strides(static_cast<std::size_t>(shape.rank()), 0);
  const Shape own = row_major_strides(x.shape());
  for (int axis = 0; axis < x.shape().rank(); ++axis) {
    const std::int64_t to = entry(dimensions, axis);
    const bool fits = to >= 0 && to < shape.rank() &&
                      (x.shape()[axis] == 1 || x.shape()[axis] == shape[static_cast<int>(to)]) &&
                      (axis == 0 || to > entry(dimensions, axis - 1));
    if (!fits) {
      throw Error(fmt::format("broadcast_in_dim: {} does not become {} along {}", shown(x),
                              tpulab::text_of(x.type().dtype, shape), fmt::join(dimensions, ",")));
    }
    if (x.shape()[axis] != 1) strides[static_cast<std::size_t>(to)] = own[axis];
  }
  if (x.shape().elements() == shape.elements()) return reshape(x, shape);
  GeneralOp op =
      move_op("broadcast", fmt::format("dimensions={}", fmt::join(dimensions, ",")), x, shape);
  op.traits.repeats = true;
  op.work = VectorWork{.shape = shape};
  op.numbers = strided_copy(0, strides);
  return applied(x, std::move(op));
}

Tensor iota(Graph& graph, int axis, const Shape& shape, DType dtype) {
  if (axis < 0 || axis >= shape.rank()) {
    throw Error(fmt::format("iota: {} has no axis {}", tpulab::text_of(dtype, shape), axis));
  }
  Axes steps(static_cast<std::size_t>(shape.rank()), 0);
  steps[static_cast<std::size_t>(axis)] = 1;
  GeneralOp op{
      .name = "iota",
      .attributes = fmt::format("axis={}", axis),
      .traits = {.constant = true},
      .type = {shape, dtype},
      .work = std::monostate{},
      .numbers = [steps](std::span<const ArrayView>, const ArraySpan& out, const EvaluateContext&) {
        Strider along(out.shape, steps);
        for (std::int64_t i = 0; i < out.elements(); ++i, along.next()) {
          out[i] = static_cast<float>(along.offset());
        }
      }};
  return apply_general(graph, std::move(op), {});
}

Tensor strided_slice(Tensor x, const Axes& first, const Axes& last, const Axes& strides) {
  check_rank("slice", x, {&first, &last, &strides});
  Shape shape = x.shape();
  Axes steps = steps_of(x.shape());
  std::int64_t base = 0;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const std::int64_t from = entry(first, axis);
    const std::int64_t to = entry(last, axis);
    const std::int64_t step = entry(strides, axis);
    if (from < 0 || from > to || to > x.shape()[axis] || step < 1) {
      throw Error(fmt::format("slice: {}:{}:{} is not inside axis {} of {}", from, to, step, axis,
                              shown(x)));
    }
    shape[axis] = (to - from) / step + ((to - from) % step != 0 ? 1 : 0);
    base += from * steps[static_cast<std::size_t>(axis)];
    if (shape[axis] > 1) steps[static_cast<std::size_t>(axis)] *= step;
  }
  if (shape == x.shape()) return x;
  GeneralOp op = move_op("slice",
                         fmt::format("{} to {} by {}", fmt::join(first, ","), fmt::join(last, ","),
                                     fmt::join(strides, ",")),
                         x, shape);
  op.traits.reorders = true;
  op.work = VectorWork{.shape = shape};
  op.numbers = strided_copy(base, steps);
  return applied(x, std::move(op));
}

Tensor pad_with(Tensor x, Tensor value, const Axes& low, const Axes& high, const Axes& interior) {
  check_rank("pad", x, {&low, &high, &interior});
  Shape shape = x.shape();
  for (int axis = 0; axis < shape.rank(); ++axis) {
    constexpr std::int64_t most = std::int64_t{1} << 40;
    const std::int64_t gap = entry(interior, axis);
    const bool fits = std::abs(entry(low, axis)) < most && std::abs(entry(high, axis)) < most &&
                      gap >= 0 && gap < (1 << 20) && shape[axis] < most;
    const std::int64_t spread = fits && shape[axis] > 0 ? (shape[axis] - 1) * (gap + 1) + 1 : 0;
    shape[axis] = fits ? spread + entry(low, axis) + entry(high, axis) : -1;
    if (shape[axis] < 0) {
      throw Error(fmt::format("pad: {} padded by {}, {} and {} has no extent on axis {}", shown(x),
                              entry(low, axis), entry(high, axis), gap, axis));
    }
  }
  if (are_all(low, 0) && are_all(high, 0) && are_all(interior, 0)) return x;
  GeneralOp op = move_op("pad",
                         fmt::format("low={} high={} interior={}", fmt::join(low, ","),
                                     fmt::join(high, ","), fmt::join(interior, ",")),
                         x, shape);
  op.numbers = [low, interior](std::span<const ArrayView> in, const ArraySpan& out,
                               const EvaluateContext&) {
    std::ranges::fill(out.values(), in[1][0]);
    const Axes strides = steps_of(out.shape);
    Strider index(in[0].shape, steps_of(in[0].shape));
    for (std::int64_t i = 0; i < in[0].elements(); ++i, index.next()) {
      std::int64_t to = 0;
      bool inside = true;
      for (int axis = 0; axis < out.shape.rank(); ++axis) {
        const std::int64_t place =
            entry(low, axis) + index.index()[axis] * (entry(interior, axis) + 1);
        inside = inside && place >= 0 && place < out.shape[axis];
        to += place * entry(strides, axis);
      }
      if (inside) out[to] = in[0][i];
    }
  };
  const std::array inputs{x, value};
  return apply_general(*x.graph, std::move(op), inputs);
}

Tensor reverse(Tensor x, const Axes& axes) {
  Axes steps = steps_of(x.shape());
  std::int64_t base = 0;
  for (const std::int64_t axis : axes) {
    if (axis < 0 || axis >= x.shape().rank()) {
      throw Error(fmt::format("reverse: {} has no axis {}", shown(x), axis));
    }
    auto& step = steps[static_cast<std::size_t>(axis)];
    if (step < 0) throw Error(fmt::format("reverse: axis {} stands twice", axis));
    base += (x.shape()[static_cast<int>(axis)] - 1) * step;
    step = -step;
  }
  GeneralOp op = move_op("reverse", fmt::format("axes={}", fmt::join(axes, ",")), x, x.shape());
  op.numbers = strided_copy(base, steps);
  return applied(x, std::move(op));
}

Tensor relabel_axes(Tensor x, const Axes& permutation) {
  check_rank("transpose", x, {&permutation});
  Shape shape = x.shape();
  const Axes own = steps_of(x.shape());
  Axes steps;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const std::int64_t from = entry(permutation, axis);
    if (from < 0 || from >= shape.rank() || std::ranges::count(permutation, from) != 1) {
      throw Error(fmt::format("transpose: {} is no order of the axes of {}",
                              fmt::join(permutation, ","), shown(x)));
    }
    shape[axis] = x.shape()[static_cast<int>(from)];
    steps.push_back(own[static_cast<std::size_t>(from)]);
  }
  GeneralOp op =
      move_op("transpose", fmt::format("memory order {}", fmt::join(permutation, ",")), x, shape);
  op.traits.bitcast = true;
  op.work = VectorWork{.shape = shape};
  op.numbers = strided_copy(0, steps);
  return applied(x, std::move(op));
}

}  // namespace tpulab
