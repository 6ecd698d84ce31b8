#include "engine/formats/hlo/parameters.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "engine/formats/given_arguments.h"
#include "engine/formats/hlo/result_origins.h"
#include "engine/formats/hlo/trip_count.h"
#include "engine/formats/step_arguments.h"

namespace tpulab::hlo {

namespace {

// Axes beyond those of a Shape are one.
Type logical(const ArrayType& array) {
  std::vector<std::int64_t> extents = array.extents;
  while (extents.size() > Shape::max_rank) {
    const std::int64_t last = extents.back();
    extents.pop_back();
    extents.back() *= last;
  }
  return {Shape(std::span<const std::int64_t>(extents)), array.dtype, Placement::shared};
}

std::vector<Type> logical(const std::vector<ArrayType>& arrays) {
  std::vector<Type> types;
  types.reserve(arrays.size());
  for (const ArrayType& one : arrays) types.push_back(logical(one));
  return types;
}

// By their numbers.
std::map<std::int64_t, std::vector<Type>> parameters_of(const Computation& entry) {
  std::map<std::int64_t, std::vector<Type>> parameters;
  for (const Instruction& one : entry.instructions) {
    if (one.opcode != "parameter" || one.operands.empty()) continue;
    parameters.emplace(first_number(one.operands[0], -1), logical(one.type.arrays));
  }
  return parameters;
}

// XLA gives a donor's memory to whatever is as large: only one of its type is its successor.
int named_result(const Module& module, std::int64_t parameter, const Type& type,
                 const std::vector<Type>& results) {
  for (const Alias& alias : aliases_of(module)) {
    if (alias.parameter != parameter || alias.result >= results.size()) continue;
    if (results[alias.result] == type) return static_cast<int>(alias.result);
  }
  return -1;
}

// Says how many steps the program holds where the turns of a loop are steps.
bool updated(const Module& module, const Computation& entry, int result, ImportedStep& step) {
  const ResultOrigin origin = origin_of(module, entry, static_cast<std::size_t>(result));
  if (!is_update(origin)) return false;
  const bool turns = origin.loop != nullptr && origin.carried;
  if (turns)
    step.steps = std::max<std::int64_t>(trip_count(module, entry, *origin.loop).value_or(1), 1);
  return true;
}

}  // namespace

std::int64_t said(const Module& module, std::string_view key) {
  return std::max<std::int64_t>(first_number(attribute(module.header, key), 1), 1);
}

void tell_parameters(const Module& module, const Computation& entry, ImportedStep& step) {
  std::vector<Type> results;
  if (entry.root() != nullptr) results = logical(entry.root()->type.arrays);
  std::vector<Type> types;
  std::vector<int> named;
  for (const auto& [number, arrays] : parameters_of(entry)) {
    types.insert(types.end(), arrays.begin(), arrays.end());
    named.resize(types.size(), -1);
    if (arrays.size() == 1) named.back() = named_result(module, number, arrays[0], results);
  }
  const StepArguments found = step_arguments(
      module.file, types, results, std::move(named),
      {.updates = [&](int, int result) { return updated(module, entry, result, step); },
       .one_by_one =
           [&](int result) {
             return origin_of(module, entry, static_cast<std::size_t>(result)).one_by_one;
           }});
  std::vector<GivenArgument> given;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const Shape& shape = types[i].shape;
    const bool each = step.steps > 1 && shape.rank() > 1 && shape[0] == step.steps;
    given.push_back({.type = types[i], .comes_back = found.successors[i] >= 0, .each_step = each});
  }
  step.trains = found.trains;
  tell_arguments(step, given, said(module, "num_partitions"));
}

}  // namespace tpulab::hlo
