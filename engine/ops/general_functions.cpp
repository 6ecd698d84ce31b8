// Elementwise functions of StableHLO that ops.h has not: a row each.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/base/error.h"
#include "engine/ops/chunks.h"
#include "engine/ops/general_ops.h"

namespace tpulab {

namespace {

using Function = float (*)(float, float);

// Operations an element, as in VectorWork.
struct Cost {
  int cheap = 0;
  int medium = 0;
  int transcendental = 0;
};

struct FunctionRow {
  std::string_view name;
  int inputs;
  Cost cost;
  Function apply;
};

std::int32_t as_integer(float x) { return static_cast<std::int32_t>(x); }

// An integer is held as a float, exact up to 2^24.
constexpr std::array<FunctionRow, 56> function_rows{{
    {"abs", 1, {1, 0, 0}, [](float x, float) { return std::fabs(x); }},
    {"negate", 1, {1, 0, 0}, [](float x, float) { return -x; }},
    {"sign", 1, {1, 0, 0}, [](float x, float) { return static_cast<float>((x > 0) - (x < 0)); }},
    {"floor", 1, {1, 0, 0}, [](float x, float) { return std::floor(x); }},
    {"ceil", 1, {1, 0, 0}, [](float x, float) { return std::ceil(x); }},
    {"round_nearest_even", 1, {1, 0, 0}, [](float x, float) { return std::nearbyint(x); }},
    {"round_nearest_afz", 1, {1, 0, 0}, [](float x, float) { return std::round(x); }},
    {"is_finite", 1, {1, 0, 0}, [](float x, float) { return std::isfinite(x) ? 1.0f : 0.0f; }},
    {"not", 1, {1, 0, 0}, [](float x, float) { return x == 0 ? 1.0f : 0.0f; }},
    {"log", 1, {0, 0, 1}, [](float x, float) { return std::log(x); }},
    {"log_plus_one", 1, {0, 0, 1}, [](float x, float) { return std::log1p(x); }},
    {"exponential_minus_one", 1, {0, 0, 1}, [](float x, float) { return std::expm1(x); }},
    {"cosine", 1, {0, 0, 1}, [](float x, float) { return std::cos(x); }},
    {"sine", 1, {0, 0, 1}, [](float x, float) { return std::sin(x); }},
    {"tan", 1, {0, 0, 1}, [](float x, float) { return std::tan(x); }},
    {"cbrt", 1, {0, 0, 1}, [](float x, float) { return std::cbrt(x); }},
    {"square", 1, {1, 0, 0}, [](float x, float) { return x * x; }},
    // XLA makes polynomials of about a dozen steps of these.
    {"erf", 1, {12, 1, 0}, [](float x, float) { return std::erf(x); }},
    {"erfc", 1, {12, 1, 0}, [](float x, float) { return std::erfc(x); }},
    {"erf_inv", 1, {18, 0, 1}, nullptr},
    {"sinh", 1, {3, 0, 2}, [](float x, float) { return std::sinh(x); }},
    {"cosh", 1, {3, 0, 2}, [](float x, float) { return std::cosh(x); }},
    {"asin", 1, {3, 2, 1}, [](float x, float) { return std::asin(x); }},
    {"acos", 1, {3, 2, 1}, [](float x, float) { return std::acos(x); }},
    {"atan", 1, {12, 1, 0}, [](float x, float) { return std::atan(x); }},
    {"asinh", 1, {4, 2, 1}, [](float x, float) { return std::asinh(x); }},
    {"acosh", 1, {4, 2, 1}, [](float x, float) { return std::acosh(x); }},
    {"atanh", 1, {2, 0, 2}, [](float x, float) { return std::atanh(x); }},
    {"lgamma", 1, {30, 8, 2}, [](float x, float) { return std::lgamma(x); }},
    {"digamma", 1, {30, 8, 1}, nullptr},
    {"bessel_i1e", 1, {40, 1, 1}, nullptr},
    {"is_inf", 1, {2, 0, 0}, [](float x, float) { return std::isinf(x) ? 1.0f : 0.0f; }},
    {"is_pos_inf", 1, {1, 0, 0}, [](float x, float) { return x == HUGE_VALF ? 1.0f : 0.0f; }},
    {"is_neg_inf", 1, {1, 0, 0}, [](float x, float) { return x == -HUGE_VALF ? 1.0f : 0.0f; }},
    // Of complex numbers.
    {"real", 1, {1, 0, 0}, nullptr},
    {"imag", 1, {1, 0, 0}, nullptr},
    {"conj", 1, {1, 0, 0}, nullptr},
    {"complex", 2, {1, 0, 0}, nullptr},
    {"reduce_precision", 1, {1, 0, 0}, nullptr},
    {"popcnt", 1, {1, 0, 0}, nullptr},
    {"count_leading_zeros", 1, {1, 0, 0}, nullptr},
    {"minimum", 2, {1, 0, 0}, [](float x, float y) { return x < y || x != x ? x : y; }},
    {"power", 2, {0, 0, 2}, [](float x, float y) { return std::pow(x, y); }},
    {"remainder", 2, {2, 1, 0}, [](float x, float y) { return std::fmod(x, y); }},
    {"atan2", 2, {0, 1, 1}, [](float x, float y) { return std::atan2(x, y); }},
    {"and",
     2,
     {1, 0, 0},
     [](float x, float y) { return static_cast<float>(as_integer(x) & as_integer(y)); }},
    {"or",
     2,
     {1, 0, 0},
     [](float x, float y) { return static_cast<float>(as_integer(x) | as_integer(y)); }},
    {"xor",
     2,
     {1, 0, 0},
     [](float x, float y) { return static_cast<float>(as_integer(x) ^ as_integer(y)); }},
    // Bits beyond 2^24 are what these are used for: random numbers.
    {"shift_left", 2, {1, 0, 0}, nullptr},
    {"shift_right_logical", 2, {1, 0, 0}, nullptr},
    {"shift_right_arithmetic", 2, {1, 0, 0}, nullptr},
    {"bitcast_convert", 1, {1, 0, 0}, nullptr},
    {"next_after", 2, {1, 0, 0}, nullptr},
    // Series of some dozen terms.
    {"polygamma", 2, {60, 10, 4}, nullptr},
    {"zeta", 2, {60, 10, 4}, nullptr},
    {"clamp", 3, {2, 0, 0}, nullptr},
}};

const FunctionRow* function_row(std::string_view name) {
  const auto* const row = std::ranges::find(function_rows, name, &FunctionRow::name);
  return row == function_rows.end() ? nullptr : row;
}

GeneralOp::Numbers function_numbers(Function apply) {
  if (apply == nullptr) return {};
  return [apply](std::span<const ArrayView> in, const ArraySpan& out,
                 const EvaluateContext& context) {
    for_chunks(context, out.elements(), chunk_elements, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) {
        const auto value = [&](const ArrayView& x) { return x.elements() == 1 ? x[0] : x[i]; };
        out[i] = apply(value(in[0]), in.size() > 1 ? value(in[1]) : 0.0f);
      }
    });
  };
}

float clamped(float low, float x, float high) { return std::min(std::max(x, low), high); }

void clamp_numbers(std::span<const ArrayView> in, const ArraySpan& out, const EvaluateContext&) {
  const auto value = [](const ArrayView& x, std::int64_t i) {
    return x.elements() == 1 ? x[0] : x[i];
  };
  for (std::int64_t i = 0; i < out.elements(); ++i) {
    out[i] = clamped(value(in[0], i), value(in[1], i), value(in[2], i));
  }
}

// The shape of the largest; the others are equal or one element.
Shape common_shape(std::string_view name, std::span<const Tensor> inputs) {
  Shape whole;
  for (const Tensor& one : inputs) {
    if (whole.scalar()) whole = one.shape();
  }
  for (const Tensor& one : inputs) {
    if (one.shape() == whole || one.shape().scalar()) continue;
    throw Error(fmt::format("{}: {} and {} do not fit; give equal shapes or a scalar", name,
                            text_of(inputs[0].type().dtype, whole),
                            text_of(one.type().dtype, one.shape())));
  }
  return whole;
}

bool ordered(std::string_view direction, float a, float b) {
  if (direction == "EQ") return a == b;
  if (direction == "NE") return a != b;
  if (direction == "LT") return a < b;
  if (direction == "LE") return a <= b;
  return direction == "GT" ? a > b : a >= b;
}

}  // namespace

bool has_function(std::string_view name) { return function_row(name) != nullptr; }

VectorWork work_of_function(std::string_view name, const Shape& shape) {
  const FunctionRow* const row = function_row(name);
  expects(row != nullptr, "a function of the table");
  return {.shape = shape,
          .cheap = row->cost.cheap,
          .medium = row->cost.medium,
          .transcendental = row->cost.transcendental};
}

Tensor function_of(std::string_view name, std::span<const Tensor> inputs, DType dtype) {
  const FunctionRow* const row = function_row(name);
  expects(row != nullptr, "a function of the table");
  if (static_cast<int>(inputs.size()) != row->inputs) {
    throw Error(fmt::format("{} takes {} operands, not {}", name, row->inputs, inputs.size()));
  }
  const Shape shape = common_shape(name, inputs);
  GeneralOp op{.name = std::string(name),
               .traits = {.elementwise = true},
               .type = {shape, dtype},
               .work = work_of_function(name, shape),
               .numbers = name == "clamp" ? GeneralOp::Numbers(clamp_numbers)
                                          : function_numbers(row->apply)};
  return apply_general(*inputs[0].graph, std::move(op), inputs);
}

Tensor compare(Tensor left, Tensor right, std::string_view direction) {
  constexpr std::array<std::string_view, 6> known{"EQ", "NE", "LT", "LE", "GT", "GE"};
  if (std::ranges::find(known, direction) == known.end()) {
    throw Error(
        fmt::format("compare: '{}' is no direction; there are EQ, NE, LT, LE, GT, GE", direction));
  }
  const std::array inputs{left, right};
  const Shape shape = common_shape("compare", inputs);
  const std::string way(direction);
  GeneralOp op{.name = "compare",
               .attributes = way,
               .traits = {.elementwise = true},
               .type = {shape, DType::pred},
               .work = VectorWork{.shape = shape, .cheap = 1},
               .numbers = [way](std::span<const ArrayView> in, const ArraySpan& out,
                                const EvaluateContext&) {
                 for (std::int64_t i = 0; i < out.elements(); ++i) {
                   const float a = in[0].elements() == 1 ? in[0][0] : in[0][i];
                   const float b = in[1].elements() == 1 ? in[1][0] : in[1][i];
                   out[i] = ordered(way, a, b) ? 1.0f : 0.0f;
                 }
               }};
  return apply_general(*left.graph, std::move(op), inputs);
}

}  // namespace tpulab
