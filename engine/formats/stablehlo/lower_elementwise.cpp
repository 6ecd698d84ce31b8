// add, exponential, compare, select, convert ...
#include <algorithm>
#include <array>

#include "engine/base/error.h"
#include "engine/formats/stablehlo/lower.h"
#include "engine/ops/general_ops.h"

namespace tpulab::stablehlo {

namespace {

template <Tensor (*function)(Tensor)>
Tensor unary(const Call& call) {
  return function(call.input(0));
}

template <Tensor (*function)(Tensor, Tensor)>
Tensor binary(const Call& call) {
  return function(call.input(0), call.input(1));
}

Tensor by_name(const Call& call) {
  return function_of(without_dialect(call.operation.name), call.inputs, call.type.dtype);
}

Tensor comparison(const Call& call) {
  return compare(call.input(0), call.input(1), direction_of(call.operation));
}

Tensor choice(const Call& call) { return select(call.input(0), call.input(1), call.input(2)); }

Tensor conversion(const Call& call) { return convert(call.input(0), call.type.dtype); }

// To a type of another width an axis more or less holds the parts.
Tensor same_bits(const Call& call) {
  if (call.input(0).shape() == call.type.shape) return by_name(call);
  return apply_general(call.graph,
                       {.name = "bitcast-convert",
                        .type = call.type,
                        .work = VectorWork{.shape = call.type.shape, .cheap = 1}},
                       call.inputs);
}

constexpr std::array<LoweringRow, 16> elementwise_rows{{
    {"add", binary<add>},
    {"subtract", binary<subtract>},
    {"multiply", binary<multiply>},
    {"divide", binary<divide>},
    {"maximum", binary<maximum>},
    {"sqrt", unary<square_root>},
    {"rsqrt", unary<reciprocal_square_root>},
    {"exponential", unary<exponential>},
    {"tanh", unary<hyperbolic_tangent>},
    {"logistic", unary<sigmoid>},
    {"compare", comparison},
    {"select", choice},
    {"convert", conversion},
    {"copy", conversion},
    {"clamp", by_name},
    {"bitcast_convert", same_bits},
}};

}  // namespace

Lowering elementwise_lowering(std::string_view name) {
  const auto* const row = std::ranges::find(elementwise_rows, name, &LoweringRow::name);
  if (row != elementwise_rows.end()) return row->lower;
  return has_function(name) ? by_name : nullptr;
}

}  // namespace tpulab::stablehlo
