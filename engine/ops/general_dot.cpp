// Products over any axes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "engine/base/error.h"
#include "engine/ops/general_ops.h"
#include "engine/ops/matrix_product.h"

namespace tpulab {

namespace {

bool has_axis(const Axes& axes, std::int64_t axis) {
  return std::ranges::find(axes, axis) != axes.end();
}

bool are_axes(const Axes& axes, const Shape& shape) {
  return std::ranges::all_of(axes, [&](std::int64_t axis) {
    return axis >= 0 && axis < shape.rank() && std::ranges::count(axes, axis) == 1;
  });
}

Axes free_axes(const Shape& shape, const Axes& batch, const Axes& contracted) {
  Axes left;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (!has_axis(batch, axis) && !has_axis(contracted, axis)) left.push_back(axis);
  }
  return left;
}

bool same_extents(const Shape& left, const Axes& a, const Shape& right, const Axes& b) {
  return a.size() == b.size() && std::ranges::equal(a, b, [&](std::int64_t i, std::int64_t j) {
           return left[static_cast<int>(i)] == right[static_cast<int>(j)];
         });
}

void check_dot(const Type& left, const Type& right, const DotAxes& axes) {
  const bool fit =
      are_axes(axes.left_batch, left.shape) && are_axes(axes.left_contracted, left.shape) &&
      are_axes(axes.right_batch, right.shape) && are_axes(axes.right_contracted, right.shape) &&
      same_extents(left.shape, axes.left_batch, right.shape, axes.right_batch) &&
      same_extents(left.shape, axes.left_contracted, right.shape, axes.right_contracted);
  if (fit) return;
  throw Error(fmt::format(
      "dot_general: {} over {} and {} over {} do not fit; contracted and batch axes are pairs of "
      "one extent",
      text_of(left.dtype, left.shape), fmt::join(axes.left_contracted, ","),
      text_of(right.dtype, right.shape), fmt::join(axes.right_contracted, ",")));
}

void append(Axes& axes, const Axes& more) { axes.insert(axes.end(), more.begin(), more.end()); }

// The array's elements with its axes in this order.
std::vector<float> in_order(const ArrayView& x, const Axes& order) {
  const Shape strides = row_major_strides(x.shape);
  Axes extents;
  Axes steps;
  for (const std::int64_t axis : order) {
    extents.push_back(x.shape[static_cast<int>(axis)]);
    steps.push_back(strides[static_cast<int>(axis)]);
  }
  std::vector<float> values(static_cast<std::size_t>(x.elements()));
  Strider from(Shape(std::span<const std::int64_t>(extents)), steps);
  for (float& value : values) {
    value = x[from.offset()];
    from.next();
  }
  return values;
}

GeneralOp::Numbers dot_numbers(const MatrixWork& work, const Axes& left_order,
                               const Axes& right_order, MatmulPrecision precision) {
  return [=](std::span<const ArrayView> inputs, const ArraySpan& out,
             const EvaluateContext& context) {
    const std::vector<float> left = in_order(inputs[0], left_order);
    const std::vector<float> right = in_order(inputs[1], right_order);
    for (std::int64_t i = 0; i < work.batch; ++i) {
      matrix_product({left.data() + i * work.m * work.k, Shape{work.m, work.k}, inputs[0].dtype},
                     {right.data() + i * work.k * work.n, Shape{work.k, work.n}, inputs[1].dtype},
                     {.precision = precision},
                     {out.data + i * work.m * work.n, Shape{work.m, work.n}, out.dtype}, context);
    }
  };
}

// The last axis lies along the lanes.
bool contracts_lanes(const Shape& shape, const Axes& contracted) {
  return std::ranges::find(contracted, shape.rank() - 1) != contracted.end();
}

}  // namespace

Tensor dot_general(Tensor left, Tensor right, const DotAxes& axes, MatmulPrecision precision,
                   DType dtype) {
  const Type& a = left.type();
  const Type& b = right.type();
  check_dot(a, b, axes);
  const Axes rows = free_axes(a.shape, axes.left_batch, axes.left_contracted);
  const Axes columns = free_axes(b.shape, axes.right_batch, axes.right_contracted);
  // Pairs of f32 are held as s64: a complex product is a real one of twice the width and depth.
  const std::int64_t parts = a.dtype == DType::s64 && b.dtype == DType::s64 ? 2 : 1;
  MatrixWork work{
      .batch = product_of(a.shape, axes.left_batch),
      .m = product_of(a.shape, rows),
      .k = product_of(a.shape, axes.left_contracted) * parts,
      .n = product_of(b.shape, columns) * parts,
      .passes = parts > 1 ? passes_of(precision) : passes_of(precision, a.dtype, b.dtype),
      // i8 is held as one byte.
      .quantised = !axes.fp8 && a.dtype == DType::pred && b.dtype == DType::pred,
      .fp8 = axes.fp8 && a.dtype == DType::pred && b.dtype == DType::pred};
  work.sums_along_lanes = work.m == 1   ? contracts_lanes(b.shape, axes.right_contracted)
                          : work.n == 1 ? contracts_lanes(a.shape, axes.left_contracted)
                                        : false;
  check_operations("dot_general", work);
  Axes extents;
  for (const std::int64_t axis : axes.left_batch)
    extents.push_back(a.shape[static_cast<int>(axis)]);
  for (const std::int64_t axis : rows) extents.push_back(a.shape[static_cast<int>(axis)]);
  for (const std::int64_t axis : columns) extents.push_back(b.shape[static_cast<int>(axis)]);
  if (extents.size() > Shape::max_rank)
    throw Error("dot_general: a result of more than eight axes");
  Axes left_order = axes.left_batch;
  append(left_order, rows);
  append(left_order, axes.left_contracted);
  Axes right_order = axes.right_batch;
  append(right_order, axes.right_contracted);
  append(right_order, columns);
  GeneralOp op{.name = "dot",
               .attributes = fmt::format(
                   "batch={}x{} contracting={}x{} passes={}{}", fmt::join(axes.left_batch, ","),
                   fmt::join(axes.right_batch, ","), fmt::join(axes.left_contracted, ","),
                   fmt::join(axes.right_contracted, ","), work.passes, work.fp8 ? " fp8" : ""),
               .traits = {.rounds = precision == MatmulPrecision::default_},
               .type = {Shape(std::span<const std::int64_t>(extents)), dtype},
               .work = work,
               .numbers = dot_numbers(work, left_order, right_order, precision)};
  const std::array inputs{left, right};
  return apply_general(*left.graph, std::move(op), inputs);
}

}  // namespace tpulab
