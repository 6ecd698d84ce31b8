// Reductions over axes and over windows.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "engine/base/error.h"
#include "engine/ops/general_ops.h"
#include "engine/ops/reduce_axes.h"

namespace tpulab {

namespace {

struct Fold {
  std::string_view function;
  double start;
  double (*combine)(double, double);
};

constexpr double no_bound = std::numeric_limits<double>::infinity();
constexpr std::array<Fold, 6> folds{{
    {"add", 0, [](double a, double b) { return a + b; }},
    {"multiply", 1, [](double a, double b) { return a * b; }},
    {"maximum", -no_bound, [](double a, double b) { return b > a || b != b ? b : a; }},
    {"minimum", no_bound, [](double a, double b) { return b < a || b != b ? b : a; }},
    {"and", 1, [](double a, double b) { return a != 0 && b != 0 ? 1.0 : 0.0; }},
    {"or", 0, [](double a, double b) { return a != 0 || b != 0 ? 1.0 : 0.0; }},
}};

const Fold& fold_named(std::string_view function) {
  const auto* const fold = std::ranges::find(folds, function, &Fold::function);
  if (fold != folds.end()) return *fold;
  throw Error(
      fmt::format("reduce with {}: there are add, multiply, maximum, minimum, and, or", function));
}

GeneralOp::Numbers fold_numbers(const Fold& fold, const AxisSet& axes) {
  return [fold, axes](std::span<const ArrayView> in, const ArraySpan& out, const EvaluateContext&) {
    std::vector<double> folded(static_cast<std::size_t>(out.elements()), fold.start);
    axes.for_each(in[0].shape, [&](std::int64_t i, std::int64_t kept) {
      double& value = folded[static_cast<std::size_t>(kept)];
      value = fold.combine(value, static_cast<double>(in[0][i]));
    });
    std::ranges::transform(folded, out.values().begin(),
                           [](double value) { return static_cast<float>(value); });
  };
}

std::int64_t tap_count(const Axes& size) {
  std::int64_t product = 1;
  for (const std::int64_t extent : size) {
    product =
        std::min<std::int64_t>(product * std::clamp<std::int64_t>(extent, 1, 1 << 14), 1 << 14);
  }
  return product;
}

std::string window_text(const WindowAxes& window) {
  return fmt::format("size={} strides={} dilation={} pad={}_{}", fmt::join(window.size, ","),
                     fmt::join(window.strides, ","), fmt::join(window.dilation, ","),
                     fmt::join(window.low, ","), fmt::join(window.high, ","));
}

// A running sum is made inside of blocks of 128, then over their sums [TPU compiler].
std::vector<std::int64_t> summed_taps(const Shape& x, std::vector<std::int64_t> size) {
  for (int axis = 0; axis < x.rank(); ++axis) {
    std::int64_t& taps = size[static_cast<std::size_t>(axis)];
    if (taps >= x[axis]) taps = std::min<std::int64_t>(taps, lane_count + 2);
  }
  return size;
}

void check_window(std::string_view op, Tensor x, const WindowAxes& window) {
  if (window.size.size() == static_cast<std::size_t>(x.shape().rank())) return;
  throw Error(fmt::format("{}: a window of {} axes over {}", op, window.size.size(),
                          tpulab::text_of(x.type().dtype, x.shape())));
}

std::int64_t or_else(const Axes& axes, int at, std::int64_t value) {
  return static_cast<std::size_t>(at) < axes.size() ? axes[static_cast<std::size_t>(at)] : value;
}

// Calls visit(element of x) for each tap of the window at `place` that is no padding.
template <class Visit>
void for_taps(const WindowAxes& window, const Shape& x, const Shape& place, const Visit& visit) {
  const Shape taps{std::span<const std::int64_t>(window.size)};
  const Shape steps = row_major_strides(x);
  Strider tap(taps, row_major_strides(taps).extents());
  for (std::int64_t i = 0; i < taps.elements(); ++i, tap.next()) {
    std::int64_t from = 0;
    bool inside = true;
    for (int axis = 0; axis < x.rank(); ++axis) {
      const std::int64_t at = place[axis] * or_else(window.strides, axis, 1) +
                              tap.index()[axis] * or_else(window.dilation, axis, 1) -
                              or_else(window.low, axis, 0);
      inside = inside && at >= 0 && at < x[axis];
      from += at * steps[axis];
    }
    if (inside) visit(from);
  }
}

GeneralOp::Numbers window_numbers(const Fold& fold, const WindowAxes& window) {
  return
      [fold, window](std::span<const ArrayView> in, const ArraySpan& out, const EvaluateContext&) {
        Strider place(out.shape, row_major_strides(out.shape).extents());
        for (std::int64_t i = 0; i < out.elements(); ++i, place.next()) {
          double value = fold.start;
          for_taps(window, in[0].shape, place.index(), [&](std::int64_t from) {
            value = fold.combine(value, static_cast<double>(in[0][from]));
          });
          out[i] = static_cast<float>(value);
        }
      };
}

// The first of the largest gets what its window has.
void scatter_to_largest(const WindowAxes& window, const ArrayView& x, const ArrayView& source,
                        const ArraySpan& out) {
  std::ranges::fill(out.values(), 0.0f);
  Strider place(source.shape, row_major_strides(source.shape).extents());
  for (std::int64_t i = 0; i < source.elements(); ++i, place.next()) {
    std::int64_t largest = -1;
    for_taps(window, x.shape, place.index(), [&](std::int64_t from) {
      if (largest < 0 || x[from] > x[largest]) largest = from;
    });
    if (largest >= 0) out[largest] += source[i];
  }
}

std::uint8_t pooled_images(Tensor x, std::uint8_t which) {
  return x.shape().rank() == 4 ? which : std::uint8_t{0};
}

}  // namespace

Tensor reduce_with(std::string_view function, Tensor x, const Axes& axes) {
  const Fold& fold = fold_named(function);
  const AxisSet set("reduce", x.shape(), {axes.begin(), axes.end()}, x.type().dtype);
  if (set.empty()) return x;
  GeneralOp op{.name = "reduce",
               .attributes = fmt::format("{} axes={}", function, fmt::join(axes, ",")),
               .traits = {.reduces = true},
               .type = {set.kept(x.shape()), x.type().dtype},
               .work = VectorWork{.shape = x.shape(), .cheap = 1, .reduced_axis = set.first()},
               .numbers = fold_numbers(fold, set)};
  return apply_general(*x.graph, std::move(op), std::span(&x, 1));
}

Tensor reduce_window(std::string_view function, Tensor x, const WindowAxes& window,
                     const Shape& result) {
  check_window("reduce_window", x, window);
  const std::int64_t count = tap_count(summed_taps(x.shape(), window.size));
  GeneralOp op{.name = "reduce-window",
               .attributes = fmt::format("{} {}", function, window_text(window)),
               .traits = {.images = pooled_images(x, 1 | OpTraits::image_result)},
               .type = {result, x.type().dtype},
               .work = VectorWork{.shape = result, .cheap = static_cast<int>(count)}};
  const auto* const fold = std::ranges::find(folds, function, &Fold::function);
  if (fold != folds.end()) op.numbers = window_numbers(*fold, window);
  return apply_general(*x.graph, std::move(op), std::span(&x, 1));
}

// Compares the taps of each window, then adds to the largest.
Tensor select_and_scatter(Tensor x, Tensor source, const WindowAxes& window) {
  check_window("select_and_scatter", x, window);
  const std::int64_t count = tap_count(window.size);
  GeneralOp op{.name = "select-and-scatter",
               .attributes = window_text(window),
               .traits = {.images = pooled_images(x, 1 | 2 | OpTraits::image_result)},
               .type = {x.shape(), x.type().dtype},
               .work = VectorWork{.shape = source.shape(), .cheap = static_cast<int>(2 * count)},
               .numbers = [window](std::span<const ArrayView> in, const ArraySpan& out,
                                   const EvaluateContext&) {
                 scatter_to_largest(window, in[0], in[1], out);
               }};
  const std::array inputs{x, source};
  return apply_general(*x.graph, std::move(op), inputs);
}

}  // namespace tpulab
