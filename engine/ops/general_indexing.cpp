// Reading and writing by index.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "engine/base/error.h"
#include "engine/ops/general_ops.h"

namespace tpulab {

namespace {

using Place = std::array<std::int64_t, Shape::max_rank>;

bool has(const Axes& axes, std::int64_t axis) {
  return std::ranges::find(axes, axis) != axes.end();
}

// Where in the operand an element of the windows lies: StableHLO's "gather" and "scatter".
class Windows {
 public:
  Windows(const IndexAxes& axes, const Shape& operand, const Shape& indices, const Shape& windows)
      : axes_(axes), operand_(operand), indices_(indices), steps_(row_major_strides(indices)) {
    for (int axis = 0; axis < operand.rank(); ++axis) {
      if (!has(axes.collapsed, axis) && !has(axes.operand_batching, axis)) inside_.push_back(axis);
    }
    for (int axis = 0; axis < windows.rank(); ++axis) {
      if (!has(axes.windows, axis)) outside_.push_back(axis);
    }
    check();
  }

  // Adds to `place` what the indices say. `at` is an element of the windows.
  void add_start(const ArrayView& indices, const Shape& at, Place& place) const {
    std::int64_t from = 0;
    std::size_t next = 0;
    std::array<std::int64_t, Shape::max_rank> batch{};
    for (int axis = 0; axis < indices_.rank(); ++axis) {
      if (axis == axes_.vector) continue;
      const std::int64_t value = at[static_cast<int>(outside_[next++])];
      batch[static_cast<std::size_t>(axis)] = value;
      from += value * steps_[axis];
    }
    const std::int64_t step = axes_.vector < indices_.rank() ? steps_[axes_.vector] : 0;
    for (std::size_t k = 0; k < axes_.map.size(); ++k) {
      place[static_cast<std::size_t>(axes_.map[k])] +=
          static_cast<std::int64_t>(indices[from + static_cast<std::int64_t>(k) * step]);
    }
    for (std::size_t k = 0; k < axes_.operand_batching.size(); ++k) {
      place[static_cast<std::size_t>(axes_.operand_batching[k])] +=
          batch[static_cast<std::size_t>(axes_.indices_batching[k])];
    }
  }
  void add_offset(const Shape& at, Place& place) const {
    for (std::size_t k = 0; k < inside_.size(); ++k) {
      place[static_cast<std::size_t>(inside_[k])] += at[static_cast<int>(axes_.windows[k])];
    }
  }

  // Of what a gather takes: no more than there is, and what its result has room for.
  void check_sizes(const Axes& sizes, const Shape& windows) const {
    bool fits = std::ssize(sizes) == operand_.rank();
    for (int axis = 0; fits && axis < operand_.rank(); ++axis) {
      const std::int64_t size = sizes[static_cast<std::size_t>(axis)];
      fits = size >= 0 && size <= operand_[axis];
    }
    for (std::size_t k = 0; fits && k < inside_.size(); ++k) {
      fits = sizes[static_cast<std::size_t>(inside_[k])] ==
             windows[static_cast<int>(axes_.windows[k])];
    }
    if (!fits) throw Error("gather: its slice sizes do not make its result");
  }

 private:
  void check() const {
    const int vector = axes_.vector < indices_.rank() ? 1 : 0;
    const auto in = [](const Axes& list, int rank) {
      return std::ranges::all_of(list, [&](std::int64_t axis) { return axis >= 0 && axis < rank; });
    };
    const bool fits = axes_.vector >= 0 && inside_.size() == axes_.windows.size() &&
                      std::ssize(outside_) == indices_.rank() - vector &&
                      std::ssize(axes_.map) == (vector == 1 ? indices_[axes_.vector] : 1) &&
                      axes_.operand_batching.size() == axes_.indices_batching.size() &&
                      in(axes_.map, operand_.rank()) &&
                      in(axes_.operand_batching, operand_.rank()) &&
                      in(axes_.indices_batching, indices_.rank());
    if (!fits) throw Error("its axes do not fit its operands");
  }

  const IndexAxes& axes_;
  const Shape& operand_;
  const Shape& indices_;
  Shape steps_;
  Axes inside_;   // axes of the operand that windows have
  Axes outside_;  // axes of the windows that indices have
};

void gather_numbers(const IndexAxes& axes, const ArrayView& x, const ArrayView& indices,
                    const ArraySpan& out) {
  const Windows windows(axes, x.shape, indices.shape, out.shape);
  const Shape steps = row_major_strides(x.shape);
  windows.check_sizes(axes.sizes, out.shape);
  Strider at(out.shape, row_major_strides(out.shape).extents());
  for (std::int64_t i = 0; i < out.elements(); ++i, at.next()) {
    Place place{};
    windows.add_start(indices, at.index(), place);
    for (int axis = 0; axis < x.shape.rank(); ++axis) {
      auto& start = place[static_cast<std::size_t>(axis)];
      const std::int64_t last = x.shape[axis] - axes.sizes[static_cast<std::size_t>(axis)];
      start = std::clamp<std::int64_t>(start, 0, std::max<std::int64_t>(last, 0));
    }
    windows.add_offset(at.index(), place);
    std::int64_t from = 0;
    for (int axis = 0; axis < x.shape.rank(); ++axis) {
      from += place[static_cast<std::size_t>(axis)] * steps[axis];
    }
    out[i] = x[from];
  }
}

using Combine = float (*)(float, float);
Combine combination(std::string_view function) {
  if (function == "add") return [](float a, float b) { return a + b; };
  if (function == "multiply") return [](float a, float b) { return a * b; };
  if (function == "maximum") return [](float a, float b) { return std::max(a, b); };
  if (function == "minimum") return [](float a, float b) { return std::min(a, b); };
  if (function == "replace") return [](float, float b) { return b; };
  return nullptr;
}

// What would lie outside is left out.
void scatter_numbers(const IndexAxes& axes, Combine combine, std::span<const ArrayView> in,
                     const ArraySpan& out) {
  std::ranges::copy(in[0].values(), out.data);
  const ArrayView& updates = in[2];
  const Windows windows(axes, out.shape, in[1].shape, updates.shape);
  const Shape steps = row_major_strides(out.shape);
  Strider at(updates.shape, row_major_strides(updates.shape).extents());
  for (std::int64_t i = 0; i < updates.elements(); ++i, at.next()) {
    Place place{};
    windows.add_start(in[1], at.index(), place);
    windows.add_offset(at.index(), place);
    std::int64_t to = 0;
    bool inside = true;
    for (int axis = 0; axis < out.shape.rank(); ++axis) {
      const std::int64_t value = place[static_cast<std::size_t>(axis)];
      inside = inside && value >= 0 && value < out.shape[axis];
      to += value * steps[axis];
    }
    if (inside) out[to] = combine(out[to], updates[i]);
  }
}

// First element of a part that lies inside; `starts`: a whole scalar for each axis.
std::int64_t part_begin(const Shape& whole, const Shape& part, std::span<const ArrayView> starts) {
  const Shape steps = row_major_strides(whole);
  std::int64_t base = 0;
  for (int axis = 0; axis < whole.rank(); ++axis) {
    const auto start = static_cast<std::int64_t>(starts[static_cast<std::size_t>(axis)][0]);
    base += std::clamp<std::int64_t>(start, 0, whole[axis] - part[axis]) * steps[axis];
  }
  return base;
}

void check_part(std::string_view op, const Shape& whole, const Shape& part, std::size_t starts) {
  bool fits = whole.rank() == part.rank() && static_cast<std::size_t>(whole.rank()) == starts;
  for (int axis = 0; fits && axis < whole.rank(); ++axis) fits = part[axis] <= whole[axis];
  if (!fits) throw Error(fmt::format("{}: the part and its starts do not fit the array", op));
}

}  // namespace

Tensor gather_rows(Tensor rows, Tensor indices, const Shape& result) {
  GeneralOp op{.name = "gather",
               .type = {result, rows.type().dtype},
               .work = VectorWork{.shape = result, .cheap = 1}};
  const std::array inputs{rows, indices};
  return apply_general(*rows.graph, std::move(op), inputs);
}

Tensor gather_general(Tensor x, Tensor indices, const IndexAxes& axes, const Shape& result) {
  GeneralOp op{
      .name = "gather",
      .attributes = fmt::format("windows={} sizes={}", fmt::join(axes.windows, ","),
                                fmt::join(axes.sizes, ",")),
      .type = {result, x.type().dtype},
      .work = VectorWork{.shape = result, .cheap = 1},
      .numbers = [axes](std::span<const ArrayView> in, const ArraySpan& out,
                        const EvaluateContext&) { gather_numbers(axes, in[0], in[1], out); }};
  const std::array inputs{x, indices};
  return apply_general(*x.graph, std::move(op), inputs);
}

Tensor scatter_into(Tensor x, Tensor indices, Tensor updates, const IndexAxes& axes,
                    std::string_view function) {
  GeneralOp op{.name = "scatter",
               .attributes = std::string(function),
               .type = {x.shape(), x.type().dtype},
               .work = VectorWork{.shape = updates.shape(), .cheap = 1}};
  if (const Combine combine = combination(function)) {
    op.numbers = [axes, combine](std::span<const ArrayView> in, const ArraySpan& out,
                                 const EvaluateContext&) {
      scatter_numbers(axes, combine, in, out);
    };
  }
  const std::array inputs{x, indices, updates};
  return apply_general(*x.graph, std::move(op), inputs);
}

Tensor dynamic_slice(Tensor x, std::span<const Tensor> starts, const Shape& result) {
  check_part("dynamic_slice", x.shape(), result, starts.size());
  GeneralOp op{
      .name = "dynamic-slice",
      .traits = {.reorders = true},
      .type = {result, x.type().dtype},
      .work = VectorWork{.shape = result, .cheap = 1},
      .numbers = [](std::span<const ArrayView> in, const ArraySpan& out, const EvaluateContext&) {
        const std::int64_t base = part_begin(in[0].shape, out.shape, in.subspan(1));
        Strider from(out.shape, row_major_strides(in[0].shape).extents());
        for (std::int64_t i = 0; i < out.elements(); ++i, from.next()) {
          out[i] = in[0][base + from.offset()];
        }
      }};
  std::vector<Tensor> inputs{x};
  inputs.insert(inputs.end(), starts.begin(), starts.end());
  return apply_general(*x.graph, std::move(op), inputs);
}

Tensor dynamic_update_slice(Tensor x, Tensor part, std::span<const Tensor> starts) {
  check_part("dynamic_update_slice", x.shape(), part.shape(), starts.size());
  GeneralOp op{
      .name = "dynamic-update-slice",
      .type = {x.shape(), x.type().dtype},
      .work = VectorWork{.shape = part.shape(), .cheap = 1},
      .numbers = [](std::span<const ArrayView> in, const ArraySpan& out, const EvaluateContext&) {
        std::ranges::copy(in[0].values(), out.data);
        const std::int64_t base = part_begin(out.shape, in[1].shape, in.subspan(2));
        Strider to(in[1].shape, row_major_strides(out.shape).extents());
        for (std::int64_t i = 0; i < in[1].elements(); ++i, to.next()) {
          out[base + to.offset()] = in[1][i];
        }
      }};
  std::vector<Tensor> inputs{x, part};
  inputs.insert(inputs.end(), starts.begin(), starts.end());
  return apply_general(*x.graph, std::move(op), inputs);
}

}  // namespace tpulab
