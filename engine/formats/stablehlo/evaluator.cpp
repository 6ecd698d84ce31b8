#include "engine/formats/stablehlo/evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/base/error.h"
#include "engine/base/workers.h"
#include "engine/formats/stablehlo/literals.h"

namespace tpulab::stablehlo {

namespace {

using Held = Evaluator::Held;

// What a fold begins with where nothing is said.
double neutral(std::string_view function, DType dtype) {
  const double low = is_integer(dtype) ? -2147483648.0 : -HUGE_VAL;
  if (function == "multiply" || function == "and") return 1;
  if (function == "maximum") return dtype == DType::pred ? 0 : low;
  if (function == "minimum") return is_integer(dtype) ? 2147483647.0 : HUGE_VAL;
  return 0;
}

// Folds are computed from their neutral value on.
void check_start(const Operation& operation, const std::vector<Held>& operands) {
  const std::string_view name = without_dialect(operation.name);
  const bool folds = (name == "reduce" || name == "reduce_window") && operands.size() == 2;
  if (!folds || operands[1]->elements() != 1) return;
  const double start = neutral(folding_function(operation), operands[0]->dtype());
  const auto said = static_cast<double>((*operands[1])[0]);
  // The largest s32 is no float.
  if (std::abs(said - start) <= 1 || said == start) return;
  throw Error(
      fmt::format("it begins with {}, not with {}: that is priced, without numbers", said, start));
}

void check_integers(const Operation& operation, Array& made, DType from) {
  if (!is_integer(made.dtype())) return;
  const std::string_view name = without_dialect(operation.name);
  const bool wraps = operation.result_types.front().element.starts_with("ui");
  constexpr float exact = 1 << 24;
  const bool counts = name == "add" || name == "subtract" || name == "multiply";
  for (float& value : made.values()) {
    value = std::trunc(value);
    if (wraps && value < 0) {
      throw Error(
          "integers without a sign that fall below 0 are priced, without numbers; choose "
          "numbers off");
    }
    if (counts && std::abs(value) > exact) {
      throw Error("integers beyond 2^24 are priced, without numbers; choose numbers off");
    }
  }
  if (name == "not" && from != DType::pred) {
    throw Error("bits of integers are priced, without numbers; choose numbers off");
  }
}

// A function that is called twice may need in one place what the other does not hand to it.
std::vector<Held> nothing_of(const Operation& operation) {
  std::size_t results = 0;
  for (const Definition& one : operation.results) {
    results += static_cast<std::size_t>(std::max(one.count, 0));
  }
  return std::vector<Held>(results);
}

}  // namespace

std::vector<Held> Evaluator::run(const Function& function, const std::vector<Held>& arguments) {
  if (function.body.arguments.size() != arguments.size()) {
    throw Error(fmt::format("{}: @{} takes {} values, not {}", module_.file, function.name,
                            function.body.arguments.size(), arguments.size()));
  }
  Scopes scopes(module_);
  return run(function.body, arguments, scopes);
}

std::vector<Held> Evaluator::run(const Region& region, const std::vector<Held>& arguments,
                                 Scopes& scopes) {
  return scopes.run(region, arguments, [this](const Operation& operation, Scopes& inside) {
    return run(operation, inside);
  });
}

std::vector<Held> Evaluator::run(const Operation& operation, Scopes& scopes) {
  if (workers_ != nullptr) workers_->look_for_stop();
  if (!needed_.empty() && !needed_.contains(&operation)) return nothing_of(operation);
  std::vector<Held> operands = scopes.operands(operation);
  const std::string_view name = without_dialect(operation.name);
  try {
    if (name == "optimization_barrier") return operands;
    if (name == "constant") return {constant(operation)};
    if (name == "while") return loop(operation, std::move(operands), scopes);
    if ((name == "case" || name == "if") && !operands.empty()) {
      return branch(operation, operands[0], scopes);
    }
    if (operation.name == "func.call") return call(operation, operands);
    if (name == "composite") return call(operation, operands);
    const std::string_view target = target_of(operation);
    if (target == "Sharding" || target == "annotate_device_placement") return operands;
    if (std::ranges::find(operands, nullptr) != operands.end()) return nothing_of(operation);
    return evaluated(operation, operands);
  } catch (const Error& error) {
    refuse(module_, operation, error.what());
  }
}

std::vector<Held> Evaluator::call(const Operation& operation, const std::vector<Held>& operands) {
  const std::string_view callee = callee_of(operation);
  const Function* function = module_.find(callee);
  if (function == nullptr) throw Error(fmt::format("there is no function @{}", callee));
  if (++depth_ > deepest_calls) throw Error("calls lead into each other 64 times");
  std::vector<Held> results = run(*function, operands);
  --depth_;
  return results;
}

std::vector<Held> Evaluator::loop(const Operation& operation, std::vector<Held> values,
                                  Scopes& scopes) {
  if (operation.regions.size() != 2) throw Error("it has no condition and body");
  while (true) {
    const std::vector<Held> test = run(operation.regions[0], values, scopes);
    if (test.size() == 1 && test[0] == nullptr) return nothing_of(operation);
    if (test.size() != 1 || test[0]->elements() != 1) {
      throw Error("its condition is not one value");
    }
    if ((*test[0])[0] == 0) return values;
    std::vector<Held> next = run(operation.regions[1], values, scopes);
    if (next.size() != values.size()) throw Error("its body returns another number of values");
    values = std::move(next);
  }
}

// An index beyond the branches takes the last; `if` has what holds first.
std::vector<Held> Evaluator::branch(const Operation& operation, const Held& chosen,
                                    Scopes& scopes) {
  const auto last = static_cast<std::int64_t>(operation.regions.size()) - 1;
  if (last < 0) throw Error("it has no branches");
  if (chosen == nullptr) return nothing_of(operation);
  if (chosen->elements() != 1) throw Error("what chooses its branch is not one value");
  auto index = static_cast<std::int64_t>((*chosen)[0]);
  if (chosen->dtype() == DType::pred) index = 1 - index;
  if (index < 0 || index > last) index = last;
  return run(operation.regions[static_cast<std::size_t>(index)], {}, scopes);
}

Held Evaluator::constant(const Operation& operation) {
  Held& known = constants_[&operation];
  if (known) return known;
  if (operation.result_types.empty()) throw Error("a constant has no type");
  const TensorType& written = operation.result_types.front();
  const Type type = executed_type(written);
  known = std::make_shared<const Array>(
      type.shape, numbers_of_literal(literal_of(operation), written.element, type.shape.elements()),
      type.dtype);
  return known;
}

const LoweredAlone& Evaluator::lowered(const Operation& operation,
                                       const std::vector<Held>& operands) {
  const auto [found, fresh] = lowered_.try_emplace(&operation);
  LoweredAlone& made = found->second;
  if (!fresh && !made.results.empty()) {
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const Type& before = made.graph->node(static_cast<NodeId>(i)).type;
      if (before.shape == operands[i]->shape() && before.dtype == operands[i]->dtype()) continue;
      throw Error("its operands are not those of the run before");
    }
    return made;
  }
  std::vector<Type> types;
  types.reserve(operands.size());
  for (const Held& one : operands) types.push_back({one->shape(), one->dtype()});
  made = lowered_alone(operation, types, without_dialect(operation.name));
  return made;
}

std::vector<Held> Evaluator::evaluated(const Operation& operation,
                                       const std::vector<Held>& operands) {
  check_start(operation, operands);
  const LoweredAlone& made = lowered(operation, operands);
  std::vector<Held> values(operands);
  values.resize(static_cast<std::size_t>(made.graph->size()));
  for (NodeId id = static_cast<NodeId>(operands.size()); id < made.graph->size(); ++id) {
    const Node& node = made.graph->node(id);
    std::vector<ArrayView> inputs;
    for (const NodeId input : node.inputs) {
      inputs.push_back(values[static_cast<std::size_t>(input)]->view());
    }
    auto out = std::make_shared<Array>(node.type.shape, node.type.dtype);
    node.op->evaluate(inputs, out->span(), {.workers = workers_});
    round_to(out->dtype(), out->values());
    check_integers(operation, *out, inputs.empty() ? out->dtype() : inputs[0].dtype);
    values[static_cast<std::size_t>(id)] = std::move(out);
  }
  std::vector<Held> results;
  for (const NodeId id : made.results) results.push_back(values[static_cast<std::size_t>(id)]);
  return results;
}

}  // namespace tpulab::stablehlo
