// reshape, broadcast_in_dim, slice, pad, concatenate, iota ...
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/error.h"
#include "engine/formats/sorting.h"
#include "engine/formats/stablehlo/lower.h"
#include "engine/formats/stablehlo/types.h"
#include "engine/ops/general_ops.h"

namespace tpulab::stablehlo {

namespace {

// dims = [0, 1] in the pretty form, another key in the generic one.
std::vector<std::int64_t> either(const Call& call, std::string_view pretty,
                                 std::string_view generic) {
  const bool is_pretty = !call.operation.attributes.find(pretty).empty();
  return call.list(is_pretty ? pretty : generic);
}

int axis_of(const Call& call, std::string_view pretty, std::string_view generic) {
  const std::vector<std::int64_t> axis = either(call, pretty, generic);
  if (axis.size() != 1 || axis[0] < 0 || axis[0] >= Shape::max_rank) {
    call.refuse(fmt::format("{} is one axis", pretty));
  }
  return static_cast<int>(axis[0]);
}

Tensor same_order(const Call& call) {
  if (call.input(0).shape().elements() != call.type.shape.elements()) {
    call.refuse("the result has another number of elements");
  }
  return reshape(call.input(0), call.type.shape);
}

Tensor broadcast(const Call& call) {
  return broadcast_in_dim(call.input(0), either(call, "dims", "broadcast_dimensions"),
                          call.type.shape);
}

Tensor part(const Call& call) {
  const Ranges ranges = ranges_of(call);
  return strided_slice(call.input(0), ranges.first, ranges.last, ranges.strides);
}

Tensor padding(const Call& call) {
  return pad_with(call.input(0), call.input(1), either(call, "low", "edge_padding_low"),
                  either(call, "high", "edge_padding_high"),
                  either(call, "interior", "interior_padding"));
}

Tensor joined(const Call& call) {
  call.input(0);
  return concatenate(call.inputs, axis_of(call, "dim", "dimension"));
}

Tensor counting(const Call& call) {
  return iota(call.graph, axis_of(call, "dim", "iota_dimension"), call.type.shape, call.type.dtype);
}

Tensor rows_by_index(const Call& call) {
  return gather_general(call.input(0), call.input(1), index_axes(call, true), call.type.shape);
}

Tensor moving_part(const Call& call) {
  call.input(0);
  return dynamic_slice(call.inputs[0], std::span(call.inputs).subspan(1), call.type.shape);
}

// Where it begins and ends are values of an open batch: its type says how much it is.
Tensor part_by_values(const Call& call) {
  const std::array inputs{call.input(0)};
  return apply_general(call.graph,
                       {.name = "dynamic-slice",
                        .type = call.type,
                        .work = VectorWork{.shape = call.type.shape, .cheap = 1}},
                       inputs);
}

Tensor part_written(const Call& call) {
  call.input(1);
  return dynamic_update_slice(call.inputs[0], call.inputs[1], std::span(call.inputs).subspan(2));
}

Tensor axes_moved(const Call& call) {
  const Axes order = either(call, "dims", "permutation");
  return transpose(call.input(0), {order.begin(), order.end()});
}

Tensor backwards(const Call& call) {
  return reverse(call.input(0), either(call, "dims", "dimensions"));
}

Tensor rows_written(const Call& call) {
  if (call.inputs.size() != 3) call.refuse("scatters of several arrays are not read");
  const std::string_view function = folding_function(call.operation);
  return scatter_into(call.input(0), call.input(1), call.input(2), index_axes(call, false),
                      function.empty() ? "replace" : function);
}

// What costs operations on each of its numbers and is nothing here.
Tensor priced_alone(const Call& call, int operations) {
  Shape widest = call.type.shape;
  for (const Tensor& one : call.inputs) {
    if (one.shape().elements() > widest.elements()) widest = one.shape();
  }
  return apply_general(call.graph,
                       {.name = std::string(without_dialect(call.operation.name)),
                        .type = call.type,
                        .work = VectorWork{.shape = widest, .cheap = operations}},
                       call.inputs);
}

template <int operations>
Tensor priced_alone(const Call& call) {
  return priced_alone(call, operations);
}

Tensor sorted(const Call& call) {
  const Shape& shape = call.input(0).shape();
  const std::vector<std::int64_t> said = call.list_or("dimension", -1, 1);
  const std::int64_t axis = said[0] < 0 ? said[0] + shape.rank() : said[0];
  if (axis < 0 || axis >= shape.rank()) call.refuse("it has no such axis");
  return priced_alone(call, sorting_operations(shape[static_cast<int>(axis)]));
}

// A value and its place each, of which one kernel finds both.
Tensor largest(const Call& call) {
  const std::int64_t length = call.input(0).shape().at(-1);
  return priced_alone(call, finding_operations(length, call.type.shape.at(-1)));
}

constexpr int random_operations = 30;  // rounds of integer operations a word

constexpr std::array<LoweringRow, 19> move_rows{{
    {"reshape", same_order},
    {"broadcast_in_dim", broadcast},
    {"slice", part},
    {"pad", padding},
    {"concatenate", joined},
    {"iota", counting},
    {"gather", rows_by_index},
    {"scatter", rows_written},
    {"dynamic_slice", moving_part},
    {"real_dynamic_slice", part_by_values},
    {"sort", sorted},
    {"top_k", largest},
    {"rng", priced_alone<random_operations>},
    {"rng_bit_generator", priced_alone<random_operations>},
    {"partition_id", priced_alone<0>},
    {"replica_id", priced_alone<0>},
    {"dynamic_update_slice", part_written},
    {"transpose", axes_moved},
    {"reverse", backwards},
}};

}  // namespace

Ranges ranges_of(const Call& call) {
  if (call.operation.lists.empty()) {
    Axes first = call.list("start_indices");
    const int rank = static_cast<int>(first.size());
    return {std::move(first), call.list("limit_indices"), call.list_or("strides", 1, rank)};
  }
  Ranges ranges;
  for (const std::string_view range : parts_of(call.operation.lists.front())) {
    std::string spaced(range);
    std::ranges::replace(spaced, ':', ',');
    const std::vector<std::int64_t> numbers = whole_numbers("[" + spaced + "]");
    if (numbers.size() < 2) call.refuse(fmt::format("'{}' is no range", range));
    ranges.first.push_back(numbers[0]);
    ranges.last.push_back(numbers[1]);
    ranges.strides.push_back(numbers.size() > 2 ? numbers[2] : 1);
  }
  return ranges;
}

IndexAxes index_axes(const Call& call, bool gathers) {
  const Attributes inner = inner_attributes(
      call.operation.attributes.find(gathers ? "dimension_numbers" : "scatter_dimension_numbers"));
  const auto listed = [&](const char* gather, const char* scatter) {
    return whole_numbers(inner.find(gathers ? gather : scatter));
  };
  IndexAxes axes{
      .windows = listed("offset_dims", "update_window_dims"),
      .collapsed = listed("collapsed_slice_dims", "inserted_window_dims"),
      .operand_batching = listed("operand_batching_dims", "input_batching_dims"),
      .indices_batching = listed("start_indices_batching_dims", "scatter_indices_batching_dims"),
      .map = listed("start_index_map", "scatter_dims_to_operand_dims"),
      .sizes = whole_numbers(call.operation.attributes.find("slice_sizes"))};
  const Axes vector = listed("index_vector_dim", "index_vector_dim");
  if (!vector.empty()) {
    axes.vector = static_cast<int>(std::clamp<std::int64_t>(vector[0], 0, Shape::max_rank));
  }
  return axes;
}

Lowering move_lowering(std::string_view name) {
  const auto* const row = std::ranges::find(move_rows, name, &LoweringRow::name);
  return row == move_rows.end() ? nullptr : row->lower;
}

}  // namespace tpulab::stablehlo
