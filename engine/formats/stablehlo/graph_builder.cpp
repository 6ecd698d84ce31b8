#include "engine/formats/stablehlo/graph_builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/formats/stablehlo/argument_roles.h"
#include "engine/formats/stablehlo/types.h"

namespace tpulab::stablehlo {

namespace {

constexpr std::int64_t most_nodes = 400'000;  // calls may lead to the same function again and again

void count_alike(const Region& region, std::string_view name, std::string_view target,
                 std::int64_t& found) {
  for (const Operation& one : region.operations) {
    if (one.name == name && (target.empty() || target_of(one) == target)) ++found;
    for (const Region& inner : one.regions) count_alike(inner, name, target, found);
  }
}

}  // namespace

const Function& entry_of(const Module& module) {
  if (const Function* main = module.find("main")) return *main;
  if (module.functions.size() == 1) return module.functions.front();
  throw Error(fmt::format("{}: none of its {} functions is @main; call the step's main",
                          module.file, module.functions.size()));
}

Segments GraphBuilder::build(const std::set<int>& loops_of_steps) {
  loops_of_steps_ = loops_of_steps;
  const Function& main = entry_of(module_);
  begin_segment(std::string(main.name));
  const Operation where{.name = "func.func", .line = main.line};
  std::vector<Value> arguments;
  for (const Argument& one : main.body.arguments) {
    const Type type = type_of(one.type, where);
    const Value argument = begins_on_host(one) ? fresh_on_host(type, true) : fresh(type, -1, true);
    arguments.push_back(gives_memory(one) ? argument : kept(argument));
    segments_.arguments.push_back(arguments.back().source);
  }
  Scopes scopes(module_);
  std::vector<Value> results = run(main.body, arguments, scopes);
  for (Value& one : results) {
    leave(one);
    segments_.results.push_back(one.source);
  }
  segments_.steps = std::max<std::int64_t>(steps_, 1);
  return std::move(segments_);
}

void GraphBuilder::refuse(const Operation& operation, std::string_view what) const {
  stablehlo::refuse(module_, operation, what);
}

void GraphBuilder::check_shape(const Operation& operation, Tensor made, const Type& written) const {
  if (made.shape() == written.shape) return;
  refuse(operation, fmt::format("its operands make {}, the text says {}",
                                text_of(made.type().dtype, made.shape()),
                                text_of(written.dtype, written.shape)));
}

void GraphBuilder::refuse_all(const Operation& operation, std::string_view what,
                              std::string_view target) const {
  std::int64_t all = 0;
  for (const Function& function : module_.functions) {
    count_alike(function.body, operation.name, target, all);
  }
  const std::string others =
      all > 1 ? fmt::format("; {} more", count_with(all - 1, "line")) : std::string();
  refuse(operation, fmt::format("{}{}", what, others));
}

std::vector<Value> GraphBuilder::run(const Region& region, const std::vector<Value>& arguments,
                                     Scopes& scopes) {
  return scopes.run(region, arguments, [this](const Operation& operation, Scopes& inside) {
    return run(operation, inside);
  });
}

std::vector<Value> GraphBuilder::run(const Operation& operation, Scopes& scopes) {
  if (++nodes_ > most_nodes) {
    refuse(operation, "more than 400,000 operations, calls followed; give a smaller program");
  }
  std::vector<Value> operands = scopes.operands(operation);
  try {
    if (without_dialect(operation.name) == "while") {
      return loop(operation, operands, scopes);
    }
    if (is_branches(operation)) return branch(operation, scopes);
    if (operation.name == "func.call") return call(operation, operands);
    here().graph->label_next(lines_->of(operation));
    if (auto done = exchange(operation, operands)) return *std::move(done);
    if (auto done = with_host(operation, operands)) return *std::move(done);
    if (auto done = without_work(operation, operands)) return *std::move(done);
    return lowered(operation, operands);
  } catch (const Error& error) {
    refuse(operation, error.what());
  }
}

std::vector<Value> GraphBuilder::call(const Operation& operation,
                                      const std::vector<Value>& operands) {
  const std::string_view callee = callee_of(operation);
  const Function* function = module_.find(callee);
  if (function == nullptr) refuse(operation, fmt::format("there is no function @{}", callee));
  if (function->body.arguments.size() != operands.size()) {
    refuse(operation, fmt::format("@{} takes {} values, not {}", callee,
                                  function->body.arguments.size(), operands.size()));
  }
  handed_on_ += std::ssize(operands);
  if (handed_on_ > most_handed_on) refuse(operation, too_much_handed_on);
  if (++depth_ > deepest_calls) refuse(operation, "calls lead into each other 64 times");
  Scopes scopes(module_);
  std::vector<Value> results = run(function->body, operands, scopes);
  --depth_;
  return results;
}

std::vector<Value> GraphBuilder::lowered(const Operation& operation, std::vector<Value>& operands) {
  const std::string_view name = without_dialect(operation.name);
  const Lowering lowering = lowering_of(name);
  if (lowering == nullptr) refuse_all(operation, "this operation is not read", {});
  if (operation.result_types.empty()) refuse(operation, "its result has no type");
  Call one{.operation = operation, .graph = *here().graph};
  for (Value& operand : operands) one.inputs.push_back(use(operand));
  one.type = type_of(operation.result_types.front(), operation);
  if (operation.result_types.size() > 1) return several_results(operation, one);
  const Tensor made = lowering(one);
  check_shape(operation, made, one.type);
  Value value = define(made);
  learn(operation, operands, value);
  return {value};
}

// A node for each result, as if they were computed one after the other.
std::vector<Value> GraphBuilder::several_results(const Operation& operation, const Call& first) {
  std::vector<Value> values;
  const Lowering lowering = lowering_of(without_dialect(operation.name));
  for (const TensorType& written : operation.result_types) {
    Call one = first;
    one.type = type_of(written, operation);
    values.push_back(define(lowering(one)));
  }
  return values;
}

}  // namespace tpulab::stablehlo
