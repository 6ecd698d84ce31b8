// Operations of StableHLO whose operands are values -> ops of ours. Those of control flow and those
// that need not be computed (graph_builder.h) are not here.
#pragma once

#include <string_view>
#include <vector>

#include "engine/formats/stablehlo/module.h"
#include "engine/graph/graph.h"
#include "engine/ops/general_ops.h"

namespace tpulab::stablehlo {

struct Call {
  const Operation& operation;
  Graph& graph;
  std::vector<Tensor> inputs{};
  Type type{};  // of the result, as the text says

  // The values of a list, and of a pair of lists: contracting_dims = [1] x [0]. Throw Error.
  std::vector<std::int64_t> list(std::string_view key) const;
  std::vector<std::int64_t> list_or(std::string_view key, std::int64_t filled, int count) const;
  Tensor input(std::size_t index) const;  // throws Error if there is none
  [[noreturn]] void refuse(std::string_view what) const;
};

using Lowering = Tensor (*)(const Call& call);
struct LoweringRow {
  std::string_view name;
  Lowering lower;
};

// Without its dialect: "add" of stablehlo.add and mhlo.add. nullptr if there is none.
Lowering lowering_of(std::string_view name);
// "stablehlo.add" -> "add"; empty for other dialects.
std::string_view without_dialect(std::string_view name);

// "Sharding" of a custom_call, in the pretty form or the generic one.
std::string_view target_of(const Operation& operation);
// "f" of `func.call @f`, `callee = @f`, `decomposition = @f`; empty for what calls nothing.
std::string_view callee_of(const Operation& operation);

bool is_branches(const Operation& operation);  // case, if
// "LT" of a comparison: its first word, or #stablehlo<comparison_direction LT>.
std::string_view direction_of(const Operation& operation);
// What a constant is written as: dense<0>, in the pretty form or the generic one.
std::string_view literal_of(const Operation& operation);

// What a region that folds two values does: "add", "maximum"; empty if it does more than that.
std::string_view folding_function(const Region& region);
// The same of an operation: its region, or `applies stablehlo.add`.
std::string_view folding_function(const Operation& operation);

// Of products.
DotAxes dot_axes(const Call& call);
ConvolutionAxes convolution_axes(const Call& call);
MatmulPrecision precision_of(const Operation& operation);

// Of a slice: [0:1, 4:8:2], or start_indices, limit_indices, strides.
struct Ranges {
  Axes first{};
  Axes last{};
  Axes strides{};
};
Ranges ranges_of(const Call& call);
// #stablehlo.gather<offset_dims = [1], ..>, #stablehlo.scatter<update_window_dims = [1], ..>
IndexAxes index_axes(const Call& call, bool gathers);

// One file each.
Lowering product_lowering(std::string_view name);
Lowering elementwise_lowering(std::string_view name);
Lowering move_lowering(std::string_view name);
Lowering reduction_lowering(std::string_view name);
Lowering solve_lowering(std::string_view name);

}  // namespace tpulab::stablehlo
