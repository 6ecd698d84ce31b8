// Operations that leave no work of their own, and what is known of whole scalars.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "engine/base/error.h"
#include "engine/formats/stablehlo/graph_builder.h"
#include "engine/formats/stablehlo/types.h"
#include "engine/ops/general_ops.h"

namespace tpulab::stablehlo {

namespace {

// Calls that say how a value is split between devices, and compute nothing.
bool says_sharding(std::string_view target) {
  return target == "Sharding" || target.starts_with("SPMD") || target.starts_with("xla.sdy.") ||
         target == "LayoutConstraint";
}

// A TPU has no such library: there JAX writes operations in its place.
constexpr const char* for_the_tpu =
    ", of CPUs; jax.jit(step).trace(...).lower(lowering_platforms=(\"tpu\",)) needs none";
// What the compiler makes of it stands in its text: of eigh, qr and approx_max_k a custom call, of
// svd a loop without a bound as well.
constexpr const char* for_the_compiler =
    "; HLO text of the TPU's compiler (`help import`) is read with most, their arrays priced alone";

bool passes_on(std::string_view name) {
  return name == "sdy.sharding_constraint" || name == "sdy.reshard";
}

std::vector<std::int64_t> permutation_of(const Call& call) {
  const bool pretty = !call.operation.attributes.find("dims").empty();
  return call.list(pretty ? "dims" : "permutation");
}

// A product that reads through what moves its operand asks nothing, and who else does has another
// line.
void check_movement(const Call& call, Moved::Kind kind, const std::vector<std::int64_t>& axes,
                    const Type& from, const Type& to) {
  const bool orders = kind == Moved::Kind::transposed;
  bool fits = !orders || std::ssize(axes) == from.shape.rank();
  Shape made = from.shape;
  unsigned seen = 0;
  for (std::size_t i = 0; i < axes.size() && fits; ++i) {
    fits = axes[i] >= 0 && axes[i] < from.shape.rank() && (seen >> axes[i] & 1U) == 0;
    if (!fits) break;
    seen |= 1U << axes[i];
    if (orders) made[static_cast<int>(i)] = from.shape[static_cast<int>(axes[i])];
  }
  if (fits && made == to.shape) return;
  call.refuse(fmt::format("axes {} of {} make no {}", fmt::join(axes, ","),
                          text_of(from.dtype, from.shape), text_of(to.dtype, to.shape)));
}

std::optional<std::int64_t> summed(std::optional<std::int64_t> a, std::optional<std::int64_t> b,
                                   bool minus) {
  std::int64_t sum = 0;
  if (!a || !b) return std::nullopt;
  const bool over =
      minus ? __builtin_sub_overflow(*a, *b, &sum) : __builtin_add_overflow(*a, *b, &sum);
  return over ? std::nullopt : std::optional(sum);
}

// Of an operand whose axes are permuted: the same axes of what lies in memory. Nothing if those
// that are left would change their order.
bool see_through(const std::vector<std::int64_t>& permutation, Axes& batch, Axes& contracted) {
  const auto rank = static_cast<std::int64_t>(permutation.size());
  const auto holds = [](const Axes& axes, std::int64_t axis) {
    return std::ranges::find(axes, axis) != axes.end();
  };
  std::int64_t before = -1;
  for (std::int64_t axis = 0; axis < rank; ++axis) {
    if (holds(batch, axis) || holds(contracted, axis)) continue;
    const std::int64_t in_memory = permutation[static_cast<std::size_t>(axis)];
    if (in_memory < before) return false;
    before = in_memory;
  }
  for (Axes* axes : {&batch, &contracted}) {
    for (std::int64_t& axis : *axes) {
      if (axis < 0 || axis >= rank) return false;
      axis = permutation[static_cast<std::size_t>(axis)];
    }
  }
  return true;
}

bool is_moved(const Value& value, Moved::Kind kind) {
  return value.source < 0 && value.moved && value.moved->kind == kind;
}

}  // namespace

Value GraphBuilder::constant_of(const Operation& operation) {
  if (operation.result_types.empty()) refuse(operation, "a constant has no type");
  const TensorType& written = operation.result_types.front();
  const Type type = type_of(written, operation);
  const std::optional<double> value = splat_value(literal_of(operation), written.element);
  // Other constants lie in memory, as an argument does.
  if (!value) return kept(fresh(type, -1, true));
  Value made = define(constant(*here().graph, *value, type.shape, type.dtype));
  const bool counts = is_integer(type.dtype) || type.dtype == DType::pred;
  const bool whole = counts && type.shape.elements() == 1;
  if (whole && std::abs(*value) < 9e15) made.known = static_cast<std::int64_t>(*value);
  return made;
}

// A part of what lies in memory is read as it is; so are the rows of a table.
std::optional<Value> GraphBuilder::sliced(const Operation& operation,
                                          std::vector<Value>& operands) {
  const bool gathers = operation.name.ends_with("gather");
  if (operands.empty() || !stored_elsewhere(operands[0]) || operation.result_types.size() != 1) {
    return std::nullopt;
  }
  use(operands[0]);
  Type type = type_of(operation.result_types[0], operation);
  type.dtype = operands[0].type.dtype;
  Value rows = kept(fresh(type, -1, false));
  if (!gathers || operands.size() < 2) return rows;
  return define(gather_rows(use(rows), use(operands[1]), type.shape));
}

// Not what was written over already. A loop has a copy of what its program may not write.
bool GraphBuilder::may_write(const Value& value) {
  if (!stored_elsewhere(value)) return false;
  Source& source = source_of(value);
  if (source.kept || value.version < source.version) return false;
  if (const int before = std::exchange(source.before_loop, -1); before >= 0) {
    segments_.list[static_cast<std::size_t>(before)].placed.push_back({-1, source.type});
  }
  return true;
}

// What a loop hands on, or an argument that is donated: a part or some rows alone are written, and
// what reads the result reads that memory.
std::optional<Value> GraphBuilder::written_in_place(const Operation& operation,
                                                    std::vector<Value>& operands) {
  const std::string_view name = without_dialect(operation.name);
  const bool part = name == "dynamic_update_slice" && operands.size() >= 2;
  const bool scatters = name == "scatter" && operands.size() == 3;
  if ((!scatters && !part) || !may_write(operands[0])) return std::nullopt;
  Value result = operands[0];
  result.version = ++source_of(result).version;
  if (part) {
    leave(operands[1]);
    const Source& source = source_of(operands[1]);
    here().placed.push_back({source.made == position() ? source.node : -1, source.type});
    return result;
  }
  const Tensor updates = use(operands[2]);
  Value rows = kept(fresh(updates.type(), -1, false));
  const bool replaces = folding_function(operation).empty();
  const std::array inputs{updates, use(operands[1]), use(rows)};
  const Tensor written = apply_general(*here().graph,
                                       {.name = "scatter",
                                        .type = updates.type(),
                                        .work = VectorWork{.shape = updates.shape(), .cheap = 1}},
                                       std::span(inputs).first(replaces ? 2 : 3));
  here().outputs.insert(written.id);
  return result;
}

// A product reads its operands in any order of their axes, a convolution its filter backwards.
std::optional<Value> GraphBuilder::product(const Operation& operation,
                                           std::vector<Value>& operands) {
  if (operands.size() != 2 || operation.result_types.size() != 1) return std::nullopt;
  if (operation.name.ends_with(".convolution") && is_moved(operands[1], Moved::Kind::reversed)) {
    operands[1] = Value(operands[1].moved->of);
  }
  if (!operation.name.ends_with(".dot_general")) return std::nullopt;
  DotAxes axes = dot_axes({.operation = operation, .graph = *here().graph});
  const auto look = [](Value& operand, Axes& batch, Axes& contracted) {
    if (!is_moved(operand, Moved::Kind::transposed)) return;
    if (see_through(operand.moved->axes, batch, contracted)) operand = Value(operand.moved->of);
  };
  look(operands[0], axes.left_batch, axes.left_contracted);
  look(operands[1], axes.right_batch, axes.right_contracted);
  const Type type = type_of(operation.result_types[0], operation);
  const Tensor made =
      dot_general(use(operands[0]), use(operands[1]), axes, precision_of(operation), type.dtype);
  check_shape(operation, made, type);
  return define(made);
}

// What is computed of them again (jax.checkpoint) is not what was computed before: each gets a name
// of its own, which moves nothing.
std::vector<Value> GraphBuilder::behind_barrier(std::vector<Value>& operands) {
  const std::string number = fmt::format("{}", ++barriers_);
  for (Value& one : operands) {
    if (one.source < 0 || stored_elsewhere(one) || on_host(one)) continue;
    const std::array inputs{use(one)};
    const Tensor same = apply_general(*here().graph,
                                      {.name = "optimization-barrier",
                                       .attributes = number,
                                       .traits = {.bitcast = true},
                                       .type = one.type,
                                       .work = VectorWork{.shape = one.type.shape}},
                                      inputs);
    one.source = define(same).source;
  }
  return std::move(operands);
}

std::optional<std::vector<Value>> GraphBuilder::without_work(const Operation& operation,
                                                             std::vector<Value>& operands) {
  const std::string_view name = without_dialect(operation.name);
  if (name == "constant") return std::vector<Value>{constant_of(operation)};
  if (name == "optimization_barrier") return behind_barrier(operands);
  if (passes_on(operation.name)) return operands;
  if (name == "custom_call") {
    const std::string_view target = target_of(operation);
    if (target == "annotate_device_placement" && operands.size() == 1) {
      return std::vector<Value>{placed(operation, operands[0])};
    }
    if (!says_sharding(target)) {
      refuse_all(operation,
                 fmt::format("@{} is a program of its own that the text does not hold{}", target,
                             target.starts_with("lapack") ? for_the_tpu : for_the_compiler),
                 target);
    }
    return operands;
  }
  if (name == "composite") {
    return call(operation, operands);
  }
  if (auto there = stays_on_host(operation, operands)) return std::vector<Value>{*there};
  if (operands.empty() || operation.result_types.size() != 1) return std::nullopt;
  const Call one{.operation = operation, .graph = *here().graph};
  const auto moved = [&](Moved::Kind kind, std::vector<std::int64_t> axes) {
    constexpr int deepest = 500;
    int depth = 1;
    if (operands[0].moved) depth += operands[0].moved->depth;
    if (depth > deepest)
      refuse(operation, "more than 500 movements of one value follow each other");
    Value value{.type = type_of(operation.result_types[0], operation)};
    check_movement(one, kind, axes, operands[0].type, value.type);
    value.moved = std::make_shared<Moved>(Moved{kind, operands[0], std::move(axes), depth});
    return std::vector<Value>{value};
  };
  if (name == "transpose") return moved(Moved::Kind::transposed, permutation_of(one));
  if (name == "reverse") {
    const bool pretty = !operation.attributes.find("dims").empty();
    return moved(Moved::Kind::reversed, one.list(pretty ? "dims" : "dimensions"));
  }
  if (auto same = written_in_place(operation, operands)) return std::vector<Value>{*same};
  if (name == "dynamic_slice" || name == "real_dynamic_slice" || name == "gather") {
    if (auto rows = sliced(operation, operands)) return std::vector<Value>{*rows};
  }
  if (auto made = product(operation, operands)) return std::vector<Value>{*made};
  return std::nullopt;
}

void GraphBuilder::learn(const Operation& operation, const std::vector<Value>& operands,
                         Value& result) const {
  if (result.type.shape.elements() != 1 || operands.empty()) return;
  const std::string_view name = without_dialect(operation.name);
  const Value& first = operands[0];
  if (name == "convert" || name == "reshape" || name == "broadcast_in_dim" || name == "copy") {
    result.known = first.known;
    result.counter = first.counter;
    result.comparison = first.comparison;
    return;
  }
  if (operands.size() != 2) return;
  const Value& second = operands[1];
  if (name == "compare") {
    const bool as_truth = first.comparison && direction_of(operation) == "NE" &&
                          second.known == 0;  // as jnp.logical_and writes it
    result.comparison = {direction_of(operation), first.counter, second.counter, second.known};
    if (as_truth) result.comparison = first.comparison;
  } else if (name == "and") {
    const bool counts = first.comparison && first.comparison->left;
    result.comparison = counts ? first.comparison : second.comparison;
    if (result.comparison) result.comparison->alone = false;
  } else if (name == "add" || name == "subtract") {
    const bool minus = name == "subtract";
    result.known = summed(first.known, second.known, minus);
    const bool swapped = !minus && second.counter && first.known;
    const Value& counted = swapped ? second : first;
    const Value& other = swapped ? first : second;
    if (!counted.counter) return;
    const auto more = summed(counted.counter->more, other.known, minus);
    if (more) result.counter = Counter{counted.counter->loop, counted.counter->index, *more};
  }
}

}  // namespace tpulab::stablehlo
