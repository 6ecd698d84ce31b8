// What the names of a function stand for, and those of the regions inside it: values of a graph, or
// arrays of numbers.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/formats/stablehlo/module.h"

namespace tpulab::stablehlo {

inline bool is_return(std::string_view name) {
  return name.ends_with(".return") || name == "return";
}

template <class Value>
class Scopes {
 public:
  using Values = std::vector<Value>;

  explicit Scopes(const Module& module) : module_(module) {}

  // Operation by operation, whose results `step(operation, scopes)` answers; what is returned.
  // Throws Error where names are missing.
  template <class Step>
  Values run(const Region& region, const Values& arguments, const Step& step) {
    auto& scope = list_.emplace_back();
    for (std::size_t i = 0; i < std::min(region.arguments.size(), arguments.size()); ++i) {
      scope[region.arguments[i].name] = {arguments[i]};
    }
    Values returned;
    for (const Operation& operation : region.operations) {
      if (is_return(operation.name)) {
        returned = operands(operation);
        break;
      }
      name(operation, step(operation, *this));
    }
    list_.pop_back();
    return returned;
  }

  // What a name stands for here; null: nothing.
  const Values* visible(std::string_view name) const {
    for (auto scope = list_.rbegin(); scope != list_.rend(); ++scope) {
      const auto found = scope->find(name);
      if (found != scope->end()) return &found->second;
    }
    return nullptr;
  }
  void set(std::string_view name, Values values) {
    if (list_.empty()) list_.emplace_back();
    list_.back()[name] = std::move(values);
  }

  Values operands(const Operation& operation) const {
    Values found;
    found.reserve(operation.operands.size());
    for (const Use& use : operation.operands) found.push_back(find(use, operation));
    return found;
  }

 private:
  const Value& find(const Use& use, const Operation& operation) const {
    const Values* const found = visible(use.name);
    if (found != nullptr && static_cast<std::size_t>(use.index) < found->size()) {
      return (*found)[static_cast<std::size_t>(use.index)];
    }
    refuse(module_, operation,
           fmt::format("%{}{} is not defined above", use.name,
                       use.index > 0 ? fmt::format("#{}", use.index) : ""));
  }

  void name(const Operation& operation, const Values& results) {
    std::size_t at = 0;
    for (const Definition& one : operation.results) {
      const auto count = static_cast<std::size_t>(std::max(one.count, 0));
      if (at + count > results.size()) {
        refuse(module_, operation, "it has fewer results than are named");
      }
      list_.back()[one.name] = {results.begin() + static_cast<std::ptrdiff_t>(at),
                                results.begin() + static_cast<std::ptrdiff_t>(at + count)};
      at += count;
    }
  }

  const Module& module_;
  std::vector<std::map<std::string_view, Values>> list_;
};

}  // namespace tpulab::stablehlo
