#include "engine/formats/stablehlo/lower.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/formats/stablehlo/types.h"

namespace tpulab::stablehlo {

std::vector<std::int64_t> Call::list(std::string_view key) const {
  const std::string_view raw = operation.attributes.find(key);
  if (raw.empty()) refuse(fmt::format("{} is missing", key));
  return whole_numbers(raw);
}

std::vector<std::int64_t> Call::list_or(std::string_view key, std::int64_t filled,
                                        int count) const {
  const std::string_view raw = operation.attributes.find(key);
  if (raw.empty()) return std::vector<std::int64_t>(static_cast<std::size_t>(count), filled);
  return whole_numbers(raw);
}

Tensor Call::input(std::size_t index) const {
  if (index >= inputs.size()) refuse(fmt::format("operand {} is missing", index));
  return inputs[index];
}

void Call::refuse(std::string_view what) const { throw Error(std::string(what)); }

Lowering lowering_of(std::string_view name) {
  for (const auto table : {elementwise_lowering, move_lowering, product_lowering,
                           reduction_lowering, solve_lowering}) {
    if (const Lowering found = table(name)) return found;
  }
  return nullptr;
}

std::string_view without_dialect(std::string_view name) {
  for (const std::string_view dialect : {"stablehlo.", "mhlo.", "chlo."}) {
    if (name.starts_with(dialect)) return name.substr(dialect.size());
  }
  return {};
}

std::string_view target_of(const Operation& operation) {
  if (!operation.symbol.empty()) return operation.symbol;
  std::string_view target = operation.attributes.find("call_target_name");
  if (target.size() >= 2 && target.front() == '"') target = target.substr(1, target.size() - 2);
  return target;
}

std::string_view callee_of(const Operation& operation) {
  std::string_view callee = operation.symbol;
  for (const std::string_view key : {"callee", "decomposition"}) {
    if (callee.empty()) callee = operation.attributes.find(key);
  }
  if (callee.starts_with('@')) callee.remove_prefix(1);
  return callee;
}

bool is_branches(const Operation& operation) {
  const std::string_view name = without_dialect(operation.name);
  return (name == "case" || name == "if") && !operation.regions.empty();
}

std::string_view direction_of(const Operation& operation) {
  if (!operation.words.empty()) return operation.words.front();
  std::string_view way = operation.attributes.find("comparison_direction");
  if (way.ends_with('>')) way.remove_suffix(1);
  return way.substr(way.rfind(' ') + 1);
}

std::string_view literal_of(const Operation& operation) {
  return operation.lists.empty() ? operation.attributes.find("value") : operation.lists.front();
}

std::string_view folding_function(const Region& region) {
  if (region.operations.size() != 2) return {};
  return without_dialect(region.operations.front().name);
}

std::string_view folding_function(const Operation& operation) {
  for (std::size_t i = 1; i < operation.words.size(); ++i) {
    if (operation.words[i - 1] == "applies") return without_dialect(operation.words[i]);
  }
  return operation.regions.empty() ? std::string_view{}
                                   : folding_function(operation.regions.back());
}

}  // namespace tpulab::stablehlo
