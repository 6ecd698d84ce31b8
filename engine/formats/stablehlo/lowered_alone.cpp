#include "engine/formats/stablehlo/lowered_alone.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "engine/base/error.h"
#include "engine/formats/element_types.h"
#include "engine/formats/stablehlo/scopes.h"
#include "engine/ops/general_op.h"

namespace tpulab::stablehlo {

namespace {

[[noreturn]] void refuse_numbers(std::string_view told) {
  throw Error(fmt::format("{} is priced, without numbers; choose numbers off", told));
}

// "argmax" of `func.call @argmax_3`, whose fold of two arrays is called reduce.
std::string_view told_name(const Operation& operation, const Function& function) {
  constexpr std::size_t operands_of_one_array = 2;
  const std::string_view name = without_dialect(operation.name);
  const bool several = name == "reduce" && operation.operands.size() > operands_of_one_array;
  if (!several || !function.name.starts_with("arg")) return name;
  return function.name.substr(0, function.name.find('_'));
}

// Follows the types of a program as its numbers would be followed, each loop and branch once.
class NumbersCheck {
 public:
  using Types = std::vector<TensorType>;

  NumbersCheck(const Module& module, const std::set<const Operation*>& needed)
      : module_(module), needed_(needed) {}

  void follow(const Function& function) {
    if (!followed_.insert(&function).second) return;
    const Function* const outside = function_;
    function_ = &function;
    Scopes<TensorType> scopes(module_);
    follow(function.body, scopes);
    function_ = outside;
  }

 private:
  void follow(const Region& region, Scopes<TensorType>& scopes) {
    Types arguments;
    for (const Argument& one : region.arguments) arguments.push_back(one.type);
    scopes.run(region, arguments, [this](const Operation& operation, Scopes<TensorType>& inside) {
      if (needed_.empty() || needed_.contains(&operation)) look_at(operation, inside);
      return operation.result_types;
    });
  }

  void look_at(const Operation& operation, Scopes<TensorType>& scopes) {
    const std::string_view name = without_dialect(operation.name);
    const std::string_view target = target_of(operation);
    if (name == "optimization_barrier" || target == "Sharding" ||
        target == "annotate_device_placement") {
      return;
    }
    if (name == "while" || is_branches(operation)) {
      for (const Region& region : operation.regions) follow(region, scopes);
    } else if (operation.name == "func.call" || name == "composite") {
      if (const Function* const called = module_.find(callee_of(operation))) follow(*called);
    } else {
      check(operation, scopes.operands(operation));
    }
  }

  void check(const Operation& operation, const Types& operands) const {
    try {
      std::vector<Type> types;
      for (const TensorType& one : operands) types.push_back(executed_type(one));
      if (without_dialect(operation.name) == "constant") {
        for (const TensorType& one : operation.result_types) executed_type(one);
        return;
      }
      lowered_alone(operation, types, told_name(operation, *function_));
    } catch (const Error& error) {
      refuse(module_, operation, error.what());
    }
  }

  const Module& module_;
  const std::set<const Operation*>& needed_;
  const Function* function_ = nullptr;
  std::set<const Function*> followed_;
};

}  // namespace

// Integers of 8 bits are held as truth values are, which stands for their bytes alone.
Type executed_type(const TensorType& written) {
  constexpr std::array<std::string_view, 8> known{"f32", "bf16", "i1",   "i32",
                                                  "i64", "ui32", "ui64", "index"};
  const auto dtype = dtype_of_mlir(written.element);
  if (!dtype || std::ranges::find(known, written.element) == known.end()) {
    throw Error(
        fmt::format("values of {} are priced, without numbers; choose numbers off", written.text));
  }
  return {written.shape, *dtype};
}

LoweredAlone lowered_alone(const Operation& operation, std::span<const Type> operands,
                           std::string_view told) {
  LoweredAlone made;
  const Lowering lowering = lowering_of(without_dialect(operation.name));
  if (lowering == nullptr) refuse_numbers("it");
  Call one{.operation = operation, .graph = *made.graph};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    one.inputs.push_back(made.graph->leaf(static_cast<BufferId>(i) + 1, operands[i]));
  }
  for (const TensorType& written : operation.result_types) {
    one.type = executed_type(written);
    const Tensor result = lowering(one);
    if (!(result.shape() == one.type.shape)) throw Error("its operands do not make its result");
    made.results.push_back(result.id);
  }
  const auto given = static_cast<NodeId>(operands.size());
  for (NodeId id = given; id < made.graph->size(); ++id) {
    const Node& node = made.graph->node(id);
    if (node.leaf() || !is_computed(*node.op)) refuse_numbers(told);
  }
  return made;
}

void check_numbers(const Module& module, const Function& entry,
                   const std::set<const Operation*>& needed) {
  NumbersCheck(module, needed).follow(entry);
}

}  // namespace tpulab::stablehlo
