#include "engine/formats/stablehlo/loss_arguments.h"

#include <algorithm>
#include <map>
#include <set>

#include "engine/formats/stablehlo/lower.h"
#include "engine/formats/stablehlo/scopes.h"

namespace tpulab::stablehlo {

namespace {

using Wanted = std::vector<bool>;
using Names = std::set<std::pair<std::string_view, int>>;

void want(const Operation& operation, const Wanted& which, Names& names) {
  for (std::size_t i = 0; i < std::min(which.size(), operation.operands.size()); ++i) {
    if (which[i]) names.emplace(operation.operands[i].name, operation.operands[i].index);
  }
}

// Whether that makes more wanted.
bool want_also(Wanted& wanted, const Wanted& others) {
  bool more = false;
  for (std::size_t i = 0; i < std::min(others.size(), wanted.size()); ++i) {
    if (!others[i] || wanted[i]) continue;
    wanted[i] = true;
    more = true;
  }
  return more;
}

}  // namespace

const LossArguments::Wanted& LossArguments::of(const Function& function, const Wanted& results) {
  const auto [known, fresh] = known_.try_emplace({&function, results});
  if (!fresh) return known->second;
  known->second.resize(function.body.arguments.size());  // a function that calls itself
  if (depth_ == deepest_calls) {
    left_ = -1;  // what is behind it is not told
    return known->second;
  }
  ++depth_;
  Names names;
  Wanted found = of(function.body, results, names);
  --depth_;
  return known_[{&function, results}] = std::move(found);
}

// Names from outside of the region that are wanted are left in `names`.
LossArguments::Wanted LossArguments::of(const Region& region, const Wanted& results, Names& names) {
  for (auto one = region.operations.rbegin(); one != region.operations.rend(); ++one) {
    if (is_return(one->name)) {
      left_ -= std::ssize(one->operands);
      want(*one, results, names);
    } else {
      pass(*one, names);
    }
  }
  Wanted arguments;
  for (const Argument& one : region.arguments) arguments.push_back(names.erase({one.name, 0}) > 0);
  return arguments;
}

void LossArguments::pass(const Operation& operation, Names& names) {
  Wanted results;
  for (const Definition& one : operation.results) left_ -= one.count;
  left_ -= 1 + std::ssize(operation.operands);
  if (left_ < 0) return;
  for (const Definition& one : operation.results) {
    for (int i = 0; i < one.count; ++i) results.push_back(names.erase({one.name, i}) > 0);
  }
  if (std::ranges::find(results, true) == results.end()) return;
  if (met_ != nullptr) met_->insert(&operation);
  const Function* function = module_.find(callee_of(operation));
  if (function != nullptr) return want(operation, of(*function, results), names);
  if (operation.name.ends_with(".while") && operation.regions.size() == 2) {
    return want(operation, carried(operation, results, names), names);
  }
  if (operation.name == "sdy.manual_computation" && operation.regions.size() == 1) {
    return want(operation, of(operation.regions[0], results, names), names);
  }
  for (const Region& region : operation.regions) of(region, results, names);
  want(operation, Wanted(operation.operands.size(), true), names);
}

// What one turn wants of the turn before.
LossArguments::Wanted LossArguments::carried(const Operation& loop, Wanted wanted, Names& names) {
  const Region& body = loop.regions[1];
  if (loops_of_steps_.contains(loop.line)) return of(body, wanted, names);
  if (met_ != nullptr) want_also(wanted, of(loop.regions[0], {true}, names));
  for (bool more = true; more && left_ >= 0;) {
    more = want_also(wanted, of(body, wanted, names));
  }
  return wanted;
}

std::vector<bool> LossArguments::behind(int result, const std::set<int>& loops_of_steps) {
  left_ -= 16 * (std::int64_t{result} + 1);  // compared bit by bit with what was asked before
  if (left_ < 0) return {};
  if (loops_of_steps != loops_of_steps_) known_.clear();
  loops_of_steps_ = loops_of_steps;
  Wanted results(static_cast<std::size_t>(result) + 1, false);
  results.back() = true;
  const Wanted& found = of(entry_, results);
  return left_ < 0 ? Wanted() : found;
}

std::set<const Operation*> LossArguments::operations_behind(const std::vector<bool>& results) {
  std::set<const Operation*> met;
  known_.clear();  // with what was known no operation is met again
  loops_of_steps_.clear();
  met_ = &met;
  of(entry_, results);
  met_ = nullptr;
  known_.clear();
  return left_ < 0 ? std::set<const Operation*>() : met;
}

}  // namespace tpulab::stablehlo
