#include "engine/formats/hlo/state_parameters.h"

#include <map>
#include <utility>
#include <vector>

namespace tpulab::hlo {

namespace {

using LogicalType = std::pair<DType, std::vector<std::int64_t>>;

LogicalType logical(const ArrayType& array) { return {array.dtype, array.extents}; }

std::map<std::int64_t, const Instruction*> parameters_of(const Computation& entry) {
  std::map<std::int64_t, const Instruction*> parameters;
  for (const Instruction& one : entry.instructions) {
    if (one.opcode != "parameter" || one.operands.empty()) continue;
    parameters.emplace(first_number(one.operands[0], -1), &one);
  }
  return parameters;
}

}  // namespace

std::set<std::int64_t> state_parameters(const Module& module, const Computation& entry) {
  std::set<std::int64_t> state;
  std::set<std::size_t> taken;
  for (const Alias& alias : aliases_of(module)) {
    state.insert(alias.parameter);
    taken.insert(alias.result);
  }
  if (entry.root() == nullptr) return state;
  std::map<LogicalType, std::int64_t> left;
  const std::vector<ArrayType>& results = entry.root()->type.arrays;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!taken.contains(i)) ++left[logical(results[i])];
  }
  for (const auto& [number, parameter] : parameters_of(entry)) {
    if (state.contains(number) || parameter->type.arrays.size() != 1) continue;
    const auto same = left.find(logical(parameter->type.arrays[0]));
    if (same == left.end() || same->second == 0) continue;
    --same->second;
    state.insert(number);
  }
  return state;
}

}  // namespace tpulab::hlo
