// reduce, reduce_window, select_and_scatter.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/error.h"
#include "engine/formats/stablehlo/lower.h"
#include "engine/formats/stablehlo/types.h"
#include "engine/ops/general_ops.h"

namespace tpulab::stablehlo {

namespace {

// A fold of several arrays, as an argmax is, or by more than one operation, costs its comparisons.
constexpr int several_comparisons = 3;

Tensor reduction(const Call& call) {
  Axes axes = call.list("dimensions");
  const std::string_view function = folding_function(call.operation);
  const bool plain = call.inputs.size() == 2 && !function.empty() && function != "xor";
  if (plain && (function == "add" || function == "maximum") && call.type.dtype == DType::f32) {
    const std::vector<int> narrow(axes.begin(), axes.end());
    return function == "add" ? reduce_sum(call.input(0), narrow)
                             : reduce_max(call.input(0), narrow);
  }
  if (plain) return reduce_with(function, call.input(0), axes);
  const std::size_t arrays = call.inputs.size() / 2;
  if (arrays == 0 || axes.empty()) call.refuse("a reduction needs arrays and axes");
  return apply_general(call.graph,
                       {.name = "reduce",
                        .attributes = fmt::format("of {}", arrays),
                        .traits = {.reduces = true},
                        .type = call.type,
                        .work = VectorWork{.shape = call.input(0).shape(),
                                           .cheap = several_comparisons,
                                           .reduced_axis = static_cast<int>(axes.front())}},
                       std::span(call.inputs).first(arrays));
}

WindowAxes window_of(const Call& call) {
  WindowAxes window{.size = call.list("window_dimensions")};
  const int rank = static_cast<int>(window.size.size());
  window.strides = call.list_or("window_strides", 1, rank);
  window.dilation = call.list_or("window_dilations", 1, rank);
  const Axes both = call.list_or("padding", 0, 2 * rank);
  for (std::size_t i = 0; i + 1 < both.size(); i += 2) {
    window.low.push_back(both[i]);
    window.high.push_back(both[i + 1]);
  }
  return window;
}

Tensor windows(const Call& call) {
  const std::string_view function = folding_function(call.operation);
  return reduce_window(function.empty() ? "several" : function, call.input(0), window_of(call),
                       call.type.shape);
}

Tensor largest_of_windows(const Call& call) {
  return select_and_scatter(call.input(0), call.input(1), window_of(call));
}

constexpr std::array<LoweringRow, 3> reduction_rows{{
    {"reduce", reduction},
    {"reduce_window", windows},
    {"select_and_scatter", largest_of_windows},
}};

}  // namespace

Lowering reduction_lowering(std::string_view name) {
  const auto* const row = std::ranges::find(reduction_rows, name, &LoweringRow::name);
  return row == reduction_rows.end() ? nullptr : row->lower;
}

}  // namespace tpulab::stablehlo
